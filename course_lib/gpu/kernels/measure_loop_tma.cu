// Tiles of ROWS rows of 128 bytes, one after the other along the rows of a matrix, by TMA. ISSUER: who issues in warp 0:
// 1 the lane that elect.sync names, 0 the thread with threadIdx.x == 0, 2 every lane (a mistake).
#include "tma.cuh"
#ifndef ROWS
#define ROWS 128
#endif
#ifndef THREADS
#define THREADS 256
#endif
#ifndef ISSUER
#define ISSUER 1
#endif
#define TILE_BYTES (ROWS * 128)

__device__ bool chosen()
{
#if ISSUER == 1
    unsigned yes;
    asm volatile("{ .reg .pred p; elect.sync _|p, 0xFFFFFFFF; selp.u32 %0, 1, 0, p; }" : "=r"(yes));
    return yes;
#else
    return ISSUER == 2 || threadIdx.x == 0;
#endif
}

extern "C" __global__ void __launch_bounds__(THREADS) run(const __grid_constant__ tensor_map map, int x, int y, int tiles, unsigned *out)
{
    __shared__ __align__(1024) unsigned char tile[TILE_BYTES];
    __shared__ __align__(8) u64 home;
    unsigned to = shared_address(tile), barrier = shared_address(&home), sum = 0;
    if (threadIdx.x == 0) {
        init(barrier);
        proxy_fence();
    }
    __syncthreads();
#pragma unroll 1
    for (int t = 0; t < tiles; t++) {
        if (threadIdx.x < 32 && chosen()) {
            expect(barrier, TILE_BYTES);
            load_2d(to, &map, x + 64 * t, y, barrier);
        }
        while (!try_wait(barrier, t & 1)) {}
        sum += *(unsigned *)(tile + threadIdx.x * 4);
        __syncthreads();
    }
    out[threadIdx.x] = sum;
}
