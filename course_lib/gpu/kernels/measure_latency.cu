// Cycles until one tile lies in shared memory for the whole block. -DHOW: 0 tensor copy, 1 linear bulk copy, 2 cp.async,
// 3 ordinary loads and stores, -DPIECES a thread. -DPREFETCH: 1 a tensor prefetch, 2 a linear one, some microseconds before.
#include "tma.cuh"
#ifndef HOW
#define HOW 0
#endif
#ifndef PREFETCH
#define PREFETCH 0
#endif
#ifndef PIECES
#define PIECES 16  // of 16 bytes a thread
#endif
struct request { unsigned tile_bytes, step_bytes, step_rows, times; };

__device__ void prefetch(const tensor_map *map, const unsigned char *from, unsigned bytes, unsigned row)
{
#if PREFETCH == 1
    asm volatile("cp.async.bulk.prefetch.tensor.2d.L2.global.tile [%0, {%1, %2}];" :: "l"(map), "r"(0), "r"(row) : "memory");
#elif PREFETCH == 2
    asm volatile("cp.async.bulk.prefetch.L2.global [%0], %1;" :: "l"(from), "r"(bytes) : "memory");
#endif
}

__device__ void bring(const tensor_map *map, const unsigned char *from, unsigned to, unsigned bytes, unsigned row, unsigned barrier, unsigned parity)
{
#if HOW < 2
    if (threadIdx.x == 0) {
        expect(barrier, bytes);
#if HOW == 0
        load_2d(to, map, 0, row, barrier);
#else
        load_bytes(to, from, bytes, barrier);
#endif
    }
    wait_or_trap(barrier, parity);
#elif HOW == 2
    for (unsigned i = threadIdx.x * 16; i < bytes; i += blockDim.x * 16)
        asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" :: "r"(to + i), "l"(from + i) : "memory");
    asm volatile("cp.async.wait_all;" ::: "memory");
    __syncthreads();
#else
    uint4 v[PIECES];
#pragma unroll
    for (int i = 0; i < PIECES; i++) {
        unsigned at = (threadIdx.x + i * blockDim.x) * 16;
        if (PIECES > 1 || at < bytes) v[i] = __ldcg((const uint4 *)(from + at));
    }
    __syncwarp();  // or the compiler would store the first before it loads the last
#pragma unroll
    for (int i = 0; i < PIECES; i++) {
        unsigned at = (threadIdx.x + i * blockDim.x) * 16;
        if (PIECES > 1 || at < bytes) *(uint4 *)(window + at) = v[i];
    }
    __syncthreads();
#endif
}

// spent: cycles of each copy, then the cycles and nanoseconds of all, which give the clock's rate.
extern "C" __global__ void run(const __grid_constant__ tensor_map map, const __grid_constant__ request r,
                               const unsigned char *memory, unsigned *spent, unsigned *sink)
{
    __shared__ __align__(8) u64 home;
    unsigned base = shared_address(window), barrier = shared_address(&home), sum = 0;
    if (threadIdx.x == 0) init(barrier);
    proxy_fence();
    u64 began = now();
    unsigned first = cycles();
    for (unsigned k = 0; k < r.times; k++) {
        const unsigned char *from = memory + (u64)k * r.step_bytes;
        if (PREFETCH && threadIdx.x == 0) {
            prefetch(&map, from, r.tile_bytes, k * r.step_rows);
            for (u64 start = now(); now() - start < 8000;);
        }
        __syncthreads();
        unsigned start = cycles();
        bring(&map, from, base, r.tile_bytes, k * r.step_rows, barrier, k & 1);
        unsigned end = cycles();
        if (threadIdx.x == 0) spent[k] = end - start;
        for (unsigned i = threadIdx.x * 4; i < r.tile_bytes; i += blockDim.x * 4) sum += *(volatile unsigned *)(window + i);
        proxy_fence();
        __syncthreads();
    }
    if (threadIdx.x == 0) spent[r.times] = cycles() - first, spent[r.times + 1] = now() - began;
    atomicAdd(sink, sum);
}
