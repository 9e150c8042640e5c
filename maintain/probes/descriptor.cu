// Made descriptor.jsonl.xz and descriptor_fields.jsonl.xz in course_lib/recordings/data. One question a run, one JSON row a line:
//
//     nvcc -std=c++17 -gencode arch=compute_90a,code=sm_90a -o probe descriptor.cu
//     ./probe fields | encode_to | encode_without_context | device_edit
//     ./probe descriptor_at HOME MEMORY OFFSET
//     ./probe poke TYPE COLUMNS ROWS SWIZZLE ELEMENT_STRIDE LSB:WIDTH:VALUE …
//     ./probe upper_half COPY TYPE COLUMNS ROWS SWIZZLE ELEMENT_STRIDE L2_PROMOTION FILL
//
// A fault ends the process's context, so what may fault runs alone. descriptor.sh asks everything that was recorded.
#include <cuda.h>
#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>
typedef unsigned long long u64;
typedef std::vector<unsigned char> Bytes;
struct alignas(64) Map { u64 word[16]; };

// ---- the call, with one argument changed at a time

struct Call {
    int data_type = 9;
    u64 address = 0x7F0000000100;
    std::vector<u64> dim{1024, 256}, stride{2048};
    std::vector<unsigned> box{64, 8}, step{1, 1};
    int interleave = 0, swizzle = 0, l2_promotion = 0, oob_fill = 0;
};

int encode(const Call &c, void *to)
{
    static decltype(&cuTensorMapEncodeTiled) function = nullptr;
    if (!function) {
        cudaDriverEntryPointQueryResult state;
        cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", (void **)&function, 12000, cudaEnableDefault, &state);
    }
    std::vector<u64> stride = c.stride;
    stride.resize(5);
    return function((CUtensorMap *)to, (CUtensorMapDataType)c.data_type, c.dim.size(), (void *)c.address,
                    (const cuuint64_t *)c.dim.data(), (const cuuint64_t *)stride.data(), c.box.data(), c.step.data(),
                    (CUtensorMapInterleave)c.interleave, (CUtensorMapSwizzle)c.swizzle,
                    (CUtensorMapL2promotion)c.l2_promotion, (CUtensorMapFloatOOBfill)c.oob_fill);
}

template <class V> void print_list(const char *name, const V &values)
{
    printf("\"%s\":[", name);
    for (size_t i = 0; i < values.size(); i++) printf("%s%llu", i ? "," : "", (u64)values[i]);
    printf("],");
}

void print_bytes(const Map &map)
{
    printf("\"bytes\":\"");
    for (int i = 0; i < 128; i++) printf("%02x", ((const unsigned char *)&map)[i]);
    printf("\"}\n");
}

void row(const Call &c)
{
    alignas(128) Map map{};
    int result = encode(c, &map);
    printf("{\"api\":\"tiled\",\"data_type\":%d,\"rank\":%zu,\"global_address\":%llu,", c.data_type, c.dim.size(), c.address);
    print_list("global_dim", c.dim), print_list("global_strides", c.stride);
    print_list("box_dim", c.box), print_list("element_strides", c.step);
    printf("\"interleave\":%d,\"swizzle\":%d,\"l2_promotion\":%d,\"oob_fill\":%d,\"result\":%d", c.interleave, c.swizzle,
           c.l2_promotion, c.oob_fill, result);
    if (result) printf("}\n");
    else printf(","), print_bytes(map);
}

template <class V, class Set> void each(std::initializer_list<V> values, Set set)
{
    for (V value : values) {
        Call c;
        set(c, value);
        row(c);
    }
}

void fields()
{
    row(Call());
    each({0, 1, 2, 3, 4, 5, 6, 7, 8, 10, 11, 12, 13, 14, 15}, [](Call &c, int v) { c.data_type = v; });
    each({1, 2, 3, 4, 5, 6}, [](Call &c, int v) { c.swizzle = v, c.box[0] = v < 3 ? 16 * v : 64; });
    each({16u, 32u}, [](Call &c, unsigned v) { c.box[0] = v; });
    each({1, 2, 3}, [](Call &c, int v) { c.l2_promotion = v; });
    each({9, 0}, [](Call &c, int v) { c.oob_fill = 1, c.data_type = v; });
    each({0ull, 0x7F0000000000ull, 0x7F0000000110ull, 0x7F0000000108ull, 0x7F0000001100ull, (1ull << 57) - 16, 1ull << 57},
         [](Call &c, u64 v) { c.address = v; });
    for (int i = 0; i < 2; i++) {
        each({0ull, 1ull, 2ull, 256ull, 1023ull, 1025ull, 1ull << 31, (1ull << 32) - 1, 1ull << 32, (1ull << 32) + 1},
             [i](Call &c, u64 v) { c.dim[i] = v; });
        each({0u, 1u, 2u, 3u, 4u, 5u, 6u, 7u, 8u, 9u}, [i](Call &c, unsigned v) { c.step[i] = v; });
    }
    each({0ull, 8ull, 16ull, 128ull, 2032ull, 2040ull, 2064ull, 4096ull, 1ull << 36, (1ull << 40) - 16, 1ull << 40},
         [](Call &c, u64 v) { c.stride[0] = v; });
    each({0u, 1u, 2u, 7u, 9u, 16u, 100u, 255u, 256u, 257u}, [](Call &c, unsigned v) { c.box[1] = v; });
    each({4u, 8u, 32u, 128u, 200u, 256u}, [](Call &c, unsigned v) { c.box[0] = v; });
    each({8u, 16u}, [](Call &c, unsigned v) { c.swizzle = c.l2_promotion = 3, c.box[1] = v; });
    each({0, 3}, [](Call &c, int v) { c.swizzle = c.l2_promotion = v, c.dim = {256, 1024}; });
    for (int rank = 1; rank <= 5; rank++) {
        for (int kind = 0; kind < (rank < 3 ? 1 : 4); kind++) {
            Call c;
            c.dim.assign(rank, 16), c.dim[0] = 1024, c.box.assign(rank, 2), c.box[0] = 64, c.step.assign(rank, 1);
            c.stride.clear();
            for (int i = 1; i < rank; i++) c.stride.push_back(2048ull << 4 * (i - 1));
            c.interleave = kind == 3 ? 2 : kind, c.swizzle = kind == 3;
            row(c);
        }
    }
    std::vector<std::vector<unsigned>> boxes = {{256, 256, 3}, {256, 228, 4}, {256, 229, 4}, {256, 152, 6}, {16, 228, 64},
                                                {16, 229, 64}, {256, 228, 8}, {256, 228, 9}, {256, 228, 10}};
    for (auto &box : boxes) {
        Call c;
        c.data_type = 0, c.dim = {256, 256, 256}, c.stride = {256, 65536}, c.box = box;
        c.step = {1, 1, box[2] >= 8 && box[2] <= 10 ? 2u : 1u};
        row(c);
    }
}

void encode_to()
{
    alignas(4096) static unsigned char room[4096];
    alignas(128) Map right;
    encode(Call(), &right);
    for (int at : {0, 1, 2, 4, 8, 12, 16, 24, 32, 40, 48, 56, 64, 72, 80, 96, 112, 120}) {
        int result = encode(Call(), room + 1024 + at);
        printf("{\"kind\":\"encode_to\",\"address_mod_128\":%d,\"result\":%d,\"same_bytes\":%s}\n", at, result,
               memcmp(room + 1024 + at, &right, 128) ? "false" : "true");
    }
    printf("{\"kind\":\"c_type\",\"cuda_header\":%d,\"alignment\":%zu,\"size\":%zu}\n", CUDA_VERSION, alignof(CUtensorMap),
           sizeof(CUtensorMap));
}

// ---- edits on the device

#define SET(field, bits, ord, value)                                                                                    \
    asm volatile("tensormap.replace.tile." field ".shared::cta.b1024." bits " [%0], " ord value ";" ::"r"(a) : "memory"); \
    break;
#define EDITS(EDIT)                                                                                                     \
    EDIT(0, "elemtype", "b32", "", "0") EDIT(1, "elemtype", "b32", "", "1") EDIT(2, "elemtype", "b32", "", "2")         \
    EDIT(3, "elemtype", "b32", "", "3") EDIT(4, "elemtype", "b32", "", "4") EDIT(5, "elemtype", "b32", "", "5")         \
    EDIT(6, "elemtype", "b32", "", "6") EDIT(7, "elemtype", "b32", "", "7") EDIT(8, "elemtype", "b32", "", "8")         \
    EDIT(9, "elemtype", "b32", "", "9") EDIT(10, "elemtype", "b32", "", "10") EDIT(11, "elemtype", "b32", "", "11")     \
    EDIT(12, "elemtype", "b32", "", "12") EDIT(13, "swizzle_mode", "b32", "", "0")                                      \
    EDIT(14, "swizzle_mode", "b32", "", "1") EDIT(15, "swizzle_mode", "b32", "", "2")                                   \
    EDIT(16, "swizzle_mode", "b32", "", "3") EDIT(17, "fill_mode", "b32", "", "1")                                      \
    EDIT(18, "interleave_layout", "b32", "", "1") EDIT(19, "interleave_layout", "b32", "", "2")                         \
    EDIT(20, "global_address", "b64", "", "0x7f0000001100") EDIT(21, "rank", "b32", "", "2")                            \
    EDIT(22, "box_dim", "b32", "1, ", "15") EDIT(23, "box_dim", "b32", "1, ", "16") EDIT(24, "box_dim", "b32", "0, ", "31") \
    EDIT(25, "global_dim", "b32", "1, ", "1024") EDIT(26, "global_dim", "b32", "0, ", "1023")                           \
    EDIT(27, "element_stride", "b32", "1, ", "2") EDIT(28, "element_stride", "b32", "1, ", "1")                         \
    EDIT(29, "global_stride", "b64", "0, ", "4096") EDIT(30, "global_stride", "b64", "0, ", "68719476736")              \
    EDIT(31, "global_stride", "b64", "0, ", "4104") EDIT(32, "box_dim", "b32", "1, ", "256")                            \
    EDIT(33, "global_dim", "b32", "1, ", "0") EDIT(34, "global_address", "b64", "", "0x7f0000001108")
#define CASE(n, field, bits, ord, value) case n: SET(field, bits, ord, value)
#define NAME(n, field, bits, ord, value) {field, ord, value},

__global__ void edit(Map *map, int what)
{
    __shared__ alignas(128) Map shared;
    if (threadIdx.x < 16) shared.word[threadIdx.x] = map->word[threadIdx.x];
    __syncwarp();
    unsigned a = (unsigned)__cvta_generic_to_shared(&shared);
    if (threadIdx.x == 0) switch (what) { EDITS(CASE) }
    __syncwarp();
    if (threadIdx.x < 16) map->word[threadIdx.x] = shared.word[threadIdx.x];
}

void device_edit()
{
    const char *names[][3] = {EDITS(NAME)};
    Map *on_device;
    cudaMalloc(&on_device, 128);
    for (int what = 0; what < 35; what++) {
        alignas(128) Map map;
        Call c;
        c.swizzle = what == 13 ? 3 : 0;
        encode(c, &map);
        cudaMemcpy(on_device, &map, 128, cudaMemcpyHostToDevice);
        edit<<<1, 32>>>(on_device, what);
        cudaMemcpy(&map, on_device, 128, cudaMemcpyDeviceToHost);
        std::string place = names[what][1][0] ? std::string("[") + names[what][1][0] + "]" : "";
        std::string value = what == 30 ? "2**36" : names[what][2];
        printf("{\"kind\":\"device_edit\",\"edit\":\"%s%s %s\",\"start_swizzle\":%d,", names[what][0], place.c_str(), value.c_str(), c.swizzle);
        print_bytes(map);
    }
}

// ---- copies through a descriptor: the tile at column 64, row 8

constexpr int WINDOW = 16384;

__device__ void load(const void *map, unsigned char *out, unsigned *ended, unsigned expected)
{
    extern __shared__ __align__(1024) unsigned char window[];
    __shared__ u64 home;
    unsigned to = (unsigned)__cvta_generic_to_shared(window), barrier = (unsigned)__cvta_generic_to_shared(&home);
    if (threadIdx.x == 0) asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(barrier));
    for (int i = threadIdx.x; i < WINDOW; i += blockDim.x) window[i] = 0xCD;
    asm volatile("fence.mbarrier_init.release.cluster; fence.proxy.async.shared::cta;" ::: "memory");
    __syncthreads();
    if (threadIdx.x == 0) {
        asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(barrier), "r"(expected) : "memory");
        asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3}], [%4];"
                     ::"r"(to), "l"(map), "r"(64), "r"(8), "r"(barrier) : "memory");
        unsigned done = 0;
        for (long long start = clock64(); !done && clock64() - start < 100000000;)
            asm volatile("{ .reg .pred p; mbarrier.test_wait.parity.shared::cta.b64 p, [%1], 0; selp.u32 %0, 1, 0, p; }"
                         : "=r"(done) : "r"(barrier) : "memory");
        *ended = done;
    }
    __syncthreads();
    for (int i = threadIdx.x; i < WINDOW; i += blockDim.x) out[i] = window[i];
}

__constant__ Map constant_map;
__global__ void grid_constant(const __grid_constant__ Map map, unsigned char *o, unsigned *e, unsigned n) { load(&map, o, e, n); }
__global__ void constant(unsigned char *o, unsigned *e, unsigned n) { load(&constant_map, o, e, n); }
__global__ void global_unfenced(const Map *map, unsigned char *o, unsigned *e, unsigned n) { load(map, o, e, n); }
__global__ void by_value(Map map, unsigned char *o, unsigned *e, unsigned n) { load(&map, o, e, n); }
__global__ void global_fenced(const Map *map, unsigned char *o, unsigned *e, unsigned n)
{
    asm volatile("fence.proxy.tensormap::generic.acquire.sys [%0], 128;" ::"l"(map) : "memory");
    load(map, o, e, n);
}
__global__ void local(const Map *from, unsigned char *o, unsigned *e, unsigned n)
{
    Map map = *from;
    asm volatile("" ::"l"(&map) : "memory");
    load(&map, o, e, n);
}
__global__ void shared(const Map *from, unsigned char *o, unsigned *e, unsigned n)
{
    __shared__ alignas(128) Map map;
    if (threadIdx.x < 16) map.word[threadIdx.x] = from->word[threadIdx.x];
    asm volatile("fence.proxy.async;" ::: "memory");
    __syncthreads();
    load(&map, o, e, n);
}
__global__ void put(const __grid_constant__ Map map, int add)
{
    extern __shared__ __align__(1024) unsigned char window[];
    for (int i = threadIdx.x; i < WINDOW; i += blockDim.x) window[i] = (unsigned char)((i * 40503u) >> 7);
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    __syncthreads();
    if (threadIdx.x) return;
    unsigned from = (unsigned)__cvta_generic_to_shared(window);
    if (add) asm volatile("cp.reduce.async.bulk.tensor.2d.global.shared::cta.add.tile.bulk_group [%0, {%2, %3}], [%1];"
                          ::"l"(&map), "r"(from), "r"(64), "r"(8) : "memory");
    else asm volatile("cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group [%0, {%2, %3}], [%1];"
                      ::"l"(&map), "r"(from), "r"(64), "r"(8) : "memory");
    asm volatile("cp.async.bulk.commit_group; cp.async.bulk.wait_group 0;" ::: "memory");
}

Bytes pattern(size_t size)
{
    Bytes bytes(size);
    for (size_t i = 0; i < size; i++) bytes[i] = (unsigned char)((i * 2654435761u) >> 13);
    return bytes;
}

int size_of(const Call &c) { return c.data_type == 0 ? 1 : c.data_type == 7 || c.data_type == 11 ? 4 : 2; }
unsigned expected(const Call &c) { return c.box[0] * size_of(c) * ((c.box[1] + c.step[1] - 1) / c.step[1]); }

struct Outcome {
    int fault;
    unsigned ended = 0;
    Bytes window, memory;
};

struct Room { // global memory for the tensor, and for what a kernel answers
    unsigned char *tensor, *window;
    unsigned *ended;
    Bytes before;
    explicit Room(size_t size) : before(pattern(size))
    {
        cudaMalloc(&tensor, size), cudaMalloc(&window, WINDOW), cudaMalloc(&ended, 4);
    }
    Outcome run(const std::string &copy, const Map &map, unsigned bytes)
    {
        cudaMemcpy(tensor, before.data(), before.size(), cudaMemcpyHostToDevice);
        cudaMemset(window, 0, WINDOW), cudaMemset(ended, 0, 4);
        if (copy == "load") grid_constant<<<1, 128, WINDOW>>>(map, window, ended, bytes);
        else put<<<1, 128, WINDOW>>>(map, copy == "reduce");
        Outcome outcome{(int)cudaDeviceSynchronize()};
        outcome.window.resize(WINDOW), outcome.memory.resize(before.size());
        cudaMemcpy(&outcome.ended, ended, 4, cudaMemcpyDeviceToHost);
        cudaMemcpy(outcome.window.data(), window, WINDOW, cudaMemcpyDeviceToHost);
        cudaMemcpy(outcome.memory.data(), tensor, before.size(), cudaMemcpyDeviceToHost);
        return outcome;
    }
};

long differing(const Bytes &a, const Bytes &b)
{
    long count = 0;
    for (size_t i = 0; i < a.size(); i++) count += a[i] != b[i];
    return count;
}

void descriptor_at(const std::string &home, const std::string &memory, int at)
{
    size_t size = 1024 * 256 * 2;
    void *tensor = nullptr;
    if (memory == "device") cudaMalloc(&tensor, size);
    if (memory == "managed") cudaMallocManaged(&tensor, size);
    if (memory == "pinned") cudaHostAlloc(&tensor, size, cudaHostAllocMapped);
    if (memory == "registered" || memory == "pageable") tensor = aligned_alloc(4096, size);
    if (memory == "registered") cudaHostRegister(tensor, size, cudaHostRegisterMapped);
    Bytes data = pattern(size);
    if (memory == "device") cudaMemcpy(tensor, data.data(), size, cudaMemcpyHostToDevice);
    else if (tensor) memcpy(tensor, data.data(), size);
    Call c;
    alignas(128) Map map, plain;
    encode(c, &plain);
    c.address = (u64)tensor;
    int result = encode(c, &map);
    bool address_only = map.word[0] == c.address && !memcmp(map.word + 1, plain.word + 1, 120);
    unsigned char *out, *room;
    unsigned *ended;
    cudaMalloc(&out, WINDOW), cudaMalloc(&ended, 4), cudaMalloc(&room, 4096);
    Map *placed = (Map *)(room + 1024 + at);
    cudaMemcpy(placed, &map, 128, cudaMemcpyHostToDevice), cudaMemcpyToSymbol(constant_map, &map, 128);
    if (home == "grid_constant") grid_constant<<<1, 128, WINDOW>>>(map, out, ended, 1024);
    if (home == "constant") constant<<<1, 128, WINDOW>>>(out, ended, 1024);
    if (home == "global_fenced") global_fenced<<<1, 128, WINDOW>>>(placed, out, ended, 1024);
    if (home == "global_unfenced") global_unfenced<<<1, 128, WINDOW>>>(placed, out, ended, 1024);
    if (home == "by_value") by_value<<<1, 128, WINDOW>>>(map, out, ended, 1024);
    if (home == "local") local<<<1, 128, WINDOW>>>(placed, out, ended, 1024);
    if (home == "shared") shared<<<1, 128, WINDOW>>>(placed, out, ended, 1024);
    int fault = cudaDeviceSynchronize(), right = 0;
    Bytes got(1024);
    if (!fault) cudaMemcpy(got.data(), out, 1024, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 512; i++) right += !memcmp(&got[2 * i], &data[2 * ((8 + i / 64) * 1024 + 64 + i % 64)], 2);
    printf("{\"kind\":\"descriptor_at\",\"home\":\"%s\",\"memory\":\"%s\",\"address_mod_128\":%d,\"result\":%d,"
           "\"only_the_address_differs\":%s,\"fault\":%s,\"right_elements\":%s}\n", home.c_str(), memory.c_str(), at, result,
           address_only ? "true" : "false", fault ? std::to_string(fault).c_str() : "null",
           fault ? "null" : std::to_string(right).c_str());
}

void print_case(const Call &c)
{
    printf("\"data_type\":%d,\"box_dim\":[%u,%u],\"element_strides\":[1,%u],\"swizzle\":%d,", c.data_type, c.box[0], c.box[1],
           c.step[1], c.swizzle);
}

Call case_of(char **words)
{
    Call c;
    c.data_type = atoi(words[0]), c.box = {(unsigned)atoi(words[1]), (unsigned)atoi(words[2])};
    c.swizzle = atoi(words[3]), c.step[1] = atoi(words[4]), c.stride[0] = 1024 * size_of(c);
    return c;
}

void poke(int count, char **words)
{
    Call c = case_of(words);
    Room room(1024 * 256 * size_of(c));
    c.address = (u64)room.tensor;
    alignas(128) Map map;
    encode(c, &map);
    Outcome right = room.run("load", map, expected(c));
    printf("{\"kind\":\"poke\","), print_case(c), printf("\"poked\":[");
    for (int i = 5; i < count; i++) {
        int lsb, width;
        u64 value;
        sscanf(words[i], "%d:%d:%llu", &lsb, &width, &value);
        u64 mask = ((1ull << width) - 1) << lsb % 64, &word = map.word[lsb / 64];
        word = (word & ~mask) | (value << lsb % 64 & mask);
        printf("%s{\"lsb\":%d,\"width\":%d,\"value\":%llu}", i > 5 ? "," : "", lsb, width, value);
    }
    Outcome poked = room.run("load", map, expected(c));
    printf("],\"expected_bytes\":%u,\"fault\":%s,", expected(c), poked.fault ? std::to_string(poked.fault).c_str() : "null");
    if (poked.fault) printf("\"completed\":null,\"bytes_that_differ\":null}\n");
    else printf("\"completed\":%s,\"bytes_that_differ\":%ld}\n", poked.ended ? "true" : "false", differing(right.window, poked.window));
}

void upper_half(char **words)
{
    std::string copy = words[0], fill = words[7];
    Call c = case_of(words + 1), narrow;
    c.l2_promotion = atoi(words[6]);
    Room room(1024 * 256 * size_of(c));
    c.address = (u64)room.tensor;
    narrow.swizzle = 1, narrow.box = {16, 3};
    alignas(128) Map map, other;
    encode(c, &map), encode(narrow, &other);
    Outcome right = room.run(copy, map, expected(c));
    for (int i = 0; i < 8; i++) map.word[8 + i] = fill == "ones" ? ~0ull : fill == "zeros" ? 0 : other.word[i];
    Outcome spoilt = room.run(copy, map, expected(c));
    printf("{\"kind\":\"upper_half\",\"copy\":\"%s\",", copy.c_str()), print_case(c);
    printf("\"l2_promotion\":%d,\"filled_with\":\"%s\",\"fault\":%s,\"bytes_that_differ\":%ld,\"completed\":%s}\n", c.l2_promotion,
           fill.c_str(), spoilt.fault ? std::to_string(spoilt.fault).c_str() : "null",
           differing(right.window, spoilt.window) + differing(right.memory, spoilt.memory),
           copy == "load" ? spoilt.ended ? "true" : "false" : "null");
}

int main(int count, char **words)
{
    std::string what = count > 1 ? words[1] : "";
    alignas(128) Map map;
    if (what == "encode_without_context") printf("{\"kind\":\"%s\",\"result\":%d}\n", words[1], encode(Call(), &map));
    else cudaFree(0); // makes the context that an encode call needs
    if (what == "fields") fields();
    if (what == "encode_to") encode_to();
    if (what == "device_edit") device_edit();
    if (what == "descriptor_at") descriptor_at(words[2], words[3], atoi(words[4]));
    if (what == "poke") poke(count - 2, words + 2);
    if (what == "upper_half") upper_half(words + 2);
}
