// A streaming read by the copy engine: one thread of the last warp asks for tiles, the other warps take turns in reading
// them from a ring of stages in shared memory and add up their words. -DLINEAR: bulk copies without a tensor map. -DFENCE=0: without the
// proxy fence between reading a stage and having it overwritten.
#ifndef FENCE
#define FENCE 1
#endif
#define STAGES_MAX 256
struct alignas(64) tensor_map { unsigned long long word[16]; };
struct request { unsigned tiles, across, box_elements, box_rows, tile_bytes, stage_bytes, stages, source_step; };
typedef unsigned long long u64;
extern __shared__ __align__(1024) unsigned char window[];

// Waits for the end of a phase. One that has not come after some seconds never will: then the launch fails.
__device__ void wait(unsigned barrier, unsigned parity)
{
    unsigned done = 0;
    for (unsigned tries = 0; !done; tries++) {
        asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }"
                     : "=r"(done) : "r"(barrier), "r"(parity) : "memory");
        if (tries > 1 << 22) asm volatile("trap;");
    }
}

__device__ void copy(const tensor_map *map, const request &r, const unsigned char *from, unsigned x, unsigned y, unsigned to, unsigned full)
{
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" :: "r"(full), "r"(r.tile_bytes) : "memory");
#ifdef LINEAR
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];"
                 :: "r"(to), "l"(from), "r"(r.tile_bytes), "r"(full) : "memory");
#else
    asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {%3, %4}], [%2];"
                 :: "r"(to), "l"(map), "r"(full), "r"(x * r.box_elements), "r"(y * r.box_rows) : "memory");
#endif
}

// One thread: every tile of this block, as soon as its stage is free.
__device__ void produce(const tensor_map *map, const request &r, const unsigned char *memory, unsigned base, unsigned full, unsigned empty)
{
    unsigned x = blockIdx.x % r.across, y = blockIdx.x / r.across, right = gridDim.x % r.across, down = gridDim.x / r.across;
    for (unsigned tile = blockIdx.x, stage = 0, parity = 1; tile < r.tiles; tile += gridDim.x) {
        wait(empty + 8 * stage, parity);
        copy(map, r, memory + (u64)tile * r.source_step, x, y, base + stage * r.stage_bytes, full + 8 * stage);
        x += right, y += down;
        if (x >= r.across) x -= r.across, y++;
        if (++stage == r.stages) stage = 0, parity ^= 1;
    }
}

__device__ uint4 look(unsigned at)
{
    uint4 v;
    asm volatile("ld.shared.v4.u32 {%0, %1, %2, %3}, [%4];" : "=r"(v.x), "=r"(v.y), "=r"(v.z), "=r"(v.w) : "r"(at) : "memory");
    return v;
}

__device__ unsigned add(uint4 v) { return v.x + v.y + v.z + v.w; }

__device__ unsigned read(unsigned from, unsigned bytes, unsigned thread, unsigned step)
{
    unsigned sum = 0, i = thread * 16;
    for (; i + 3 * step < bytes; i += 4 * step) {
        uint4 a = look(from + i), b = look(from + i + step), c = look(from + i + 2 * step), d = look(from + i + 3 * step);
        sum += add(a) + add(b) + add(c) + add(d);
    }
    for (; i < bytes; i += step) sum += add(look(from + i));
    return sum;
}

// A warp of a team: the stages that are always its team's, or a parity could mean two phases. The sum of what it read.
__device__ unsigned consume(const request &r, unsigned warp, unsigned team_warps, unsigned teams, unsigned base, unsigned full, unsigned empty)
{
    unsigned sum = 0, team = warp / team_warps, thread = threadIdx.x - team * team_warps * 32;
    for (unsigned turn = 0;; turn++)
        for (unsigned stage = team; stage < r.stages; stage += teams) {
            if (blockIdx.x + (u64)(turn * r.stages + stage) * gridDim.x >= r.tiles) return sum;
            wait(full + 8 * stage, turn & 1);
            sum += read(base + stage * r.stage_bytes, r.tile_bytes, thread, team_warps * 512);
#if FENCE
            asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
#endif
            __syncwarp();
            if (threadIdx.x % 32 == 0) asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" :: "r"(empty + 8 * stage) : "memory");
        }
}

extern "C" __global__ void run(const __grid_constant__ tensor_map map, const __grid_constant__ request r,
                               const unsigned char *memory, unsigned *sink)
{
    __shared__ __align__(8) u64 home[2 * STAGES_MAX];
    unsigned base = __cvta_generic_to_shared(window), full = __cvta_generic_to_shared(home), empty = full + 8 * STAGES_MAX;
    unsigned readers = blockDim.x / 32 - 1, warp = threadIdx.x / 32, sum = 0;
    unsigned team_warps = readers > r.stages ? readers / r.stages : 1, teams = min(readers / team_warps, r.stages);
    for (unsigned i = threadIdx.x; i < 2 * STAGES_MAX; i += blockDim.x)
        asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" :: "r"(full + 8 * i), "r"(i < STAGES_MAX ? 1 : team_warps) : "memory");
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    __syncthreads();
    if (warp == readers && threadIdx.x % 32 == 0) produce(&map, r, memory, base, full, empty);
    if (warp < teams * team_warps) sum = consume(r, warp, team_warps, teams, base, full, empty);
    sum = __reduce_add_sync(0xFFFFFFFF, sum);
    if (threadIdx.x % 32 == 0) atomicAdd(sink, sum);
}
