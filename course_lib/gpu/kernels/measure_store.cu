// A streaming write: one thread a block stores the same tile to every place that is its block's, by a tensor copy.
// -DREDUCE=1: adds it there instead. Word i of the tile is (i + 1) * 2654435761.
#include "tma.cuh"
#ifndef REDUCE
#define REDUCE 0
#endif
#if REDUCE
#define COPY "cp.reduce.async.bulk.tensor.2d.global.shared::cta.add.tile.bulk_group"
#else
#define COPY "cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group"
#endif
struct request { unsigned tiles, box_rows, tile_bytes; };

extern "C" __global__ void run(const __grid_constant__ tensor_map map, const __grid_constant__ request r)
{
    unsigned from = shared_address(window);
    for (unsigned i = threadIdx.x; i < r.tile_bytes / 4; i += blockDim.x) ((unsigned *)window)[i] = (i + 1) * 2654435761u;
    proxy_fence();
    __syncthreads();
    if (threadIdx.x) return;
    for (unsigned tile = blockIdx.x; tile < r.tiles; tile += gridDim.x) {
        asm volatile(COPY " [%0, {%2, %3}], [%1];" :: "l"(&map), "r"(from), "r"(0), "r"(tile * r.box_rows) : "memory");
        asm volatile("cp.async.bulk.commit_group; cp.async.bulk.wait_group.read 7;" ::: "memory");
    }
    asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
}
