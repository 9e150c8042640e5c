// A streaming read whose bytes nobody looks at: one thread a block copies its tiles into a ring of stages. -DPREFETCH: it asks
// for each tile into L2 as well, "ahead" of its own tiles before the copy (0: right before it).
#include "tma.cuh"
#ifndef PREFETCH
#define PREFETCH 0
#endif
#define STAGES_MAX 64
struct request { unsigned tiles, box_rows, tile_bytes, stage_bytes, stages, ahead; };

__device__ void prefetch(const tensor_map *map, const request &r, unsigned tile)
{
#if PREFETCH
    if (tile < r.tiles)
        asm volatile("cp.async.bulk.prefetch.tensor.2d.L2.global.tile [%0, {%1, %2}];" :: "l"(map), "r"(0), "r"(tile * r.box_rows) : "memory");
#endif
}

__device__ void copy(const tensor_map *map, const request &r, unsigned tile, unsigned to, unsigned barrier)
{
    expect(barrier, r.tile_bytes);
    load_2d(to, map, 0, tile * r.box_rows, barrier);
}

extern "C" __global__ void run(const __grid_constant__ tensor_map map, const __grid_constant__ request r)
{
    __shared__ __align__(8) u64 home[STAGES_MAX];
    unsigned full = shared_address(home), base = shared_address(window), done = 0;
    if (threadIdx.x) return;
    for (unsigned i = 0; i < r.stages; i++) init(full + 8 * i);
    proxy_fence();
    for (unsigned early = 0; early < r.ahead; early++) prefetch(&map, r, blockIdx.x + early * gridDim.x);
    for (unsigned tile = blockIdx.x; tile < r.tiles; tile += gridDim.x, done++) {
        unsigned stage = done % r.stages;
        prefetch(&map, r, tile + r.ahead * gridDim.x);
        if (done >= r.stages) wait_or_trap(full + 8 * stage, (done / r.stages - 1) & 1);
        copy(&map, r, tile, base + stage * r.stage_bytes, full + 8 * stage);
    }
    for (unsigned last = done > r.stages ? done - r.stages : 0; last < done; last++) wait_or_trap(full + 8 * (last % r.stages), last / r.stages & 1);
}
