// One 128 x 64 tile of 16-bit elements by TMA: swizzle and edges are the engine's work. -DELECT: who issues, 1 elect.sync,
// 0 threadIdx.x == 0. measure_tile_cp_async.cu does the same without TMA. -DKEEP: the whole tile comes back, not one word a thread.
#include "tma.cuh"
#ifndef ELECT
#define ELECT 1
#endif

__device__ bool chosen()
{
#if ELECT
    unsigned yes;
    asm volatile("{ .reg .pred p; elect.sync _|p, 0xFFFFFFFF; selp.u32 %0, 1, 0, p; }" : "=r"(yes));
    return threadIdx.x < 32 && yes;
#else
    return threadIdx.x == 0;
#endif
}

extern "C" __global__ void __launch_bounds__(256) run(const __grid_constant__ tensor_map map, int x, int y, unsigned *out)
{
    __shared__ __align__(1024) unsigned char tile[128 * 128];
    __shared__ __align__(8) u64 home;
    unsigned to = shared_address(tile), barrier = shared_address(&home);
    if (chosen()) {
        init(barrier);
        proxy_fence();
        expect(barrier, 128 * 128);
        load_2d(to, &map, x, y, barrier);
    }
    __syncthreads();
    while (!try_wait(barrier, 0)) {}
#ifdef KEEP
    for (int i = threadIdx.x; i < 128 * 32; i += 256) out[i] = *(unsigned *)(tile + i * 4);
#else
    out[threadIdx.x] = *(unsigned *)(tile + threadIdx.x * 4);
#endif
}
