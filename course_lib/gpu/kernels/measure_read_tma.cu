// A streaming read by the copy engine: one thread of the last warp asks for tiles, the other warps take turns in reading
// them from a ring of stages in shared memory and add up their words. -DLINEAR: bulk copies without a tensor map. -DFENCE=0: without the
// proxy fence between reading a stage and having it overwritten.
#include "tma.cuh"
#ifndef FENCE
#define FENCE 1
#endif
#define STAGES_MAX 256
struct request { unsigned tiles, across, box_elements, box_rows, tile_bytes, stage_bytes, stages, source_step; };

__device__ void copy(const tensor_map *map, const request &r, const unsigned char *from, unsigned x, unsigned y, unsigned to, unsigned full)
{
    expect(full, r.tile_bytes);
#ifdef LINEAR
    load_bytes(to, from, r.tile_bytes, full);
#else
    load_2d(to, map, x * r.box_elements, y * r.box_rows, full);
#endif
}

// One thread: every tile of this block, as soon as its stage is free.
__device__ void produce(const tensor_map *map, const request &r, const unsigned char *memory, unsigned base, unsigned full, unsigned empty)
{
    unsigned x = blockIdx.x % r.across, y = blockIdx.x / r.across, right = gridDim.x % r.across, down = gridDim.x / r.across;
    for (unsigned tile = blockIdx.x, stage = 0, parity = 1; tile < r.tiles; tile += gridDim.x) {
        wait_or_trap(empty + 8 * stage, parity);
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
            wait_or_trap(full + 8 * stage, turn & 1);
            sum += read(base + stage * r.stage_bytes, r.tile_bytes, thread, team_warps * 512);
#if FENCE
            proxy_fence();
#endif
            __syncwarp();
            if (threadIdx.x % 32 == 0) asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" :: "r"(empty + 8 * stage) : "memory");
        }
}

extern "C" __global__ void run(const __grid_constant__ tensor_map map, const __grid_constant__ request r,
                               const unsigned char *memory, unsigned *sink)
{
    __shared__ __align__(8) u64 home[2 * STAGES_MAX];
    unsigned base = shared_address(window), full = shared_address(home), empty = full + 8 * STAGES_MAX;
    unsigned readers = blockDim.x / 32 - 1, warp = threadIdx.x / 32, sum = 0;
    unsigned team_warps = readers > r.stages ? readers / r.stages : 1, teams = min(readers / team_warps, r.stages);
    for (unsigned i = threadIdx.x; i < 2 * STAGES_MAX; i += blockDim.x)
        init(full + 8 * i, i < STAGES_MAX ? 1 : team_warps);
    proxy_fence();
    __syncthreads();
    if (warp == readers && threadIdx.x % 32 == 0) produce(&map, r, memory, base, full, empty);
    if (warp < teams * team_warps) sum = consume(r, warp, team_warps, teams, base, full, empty);
    sum = __reduce_add_sync(0xFFFFFFFF, sum);
    if (threadIdx.x % 32 == 0) atomicAdd(sink, sum);
}
