// The same bytes through both doors of shared memory, with a fence between them or without. -DCASE: 0 mbarrier.init, then a
// copy through that barrier; 1 ordinary stores, then a bulk copy of them to global memory; 2 ordinary loads, then a bulk copy
// over what they read. -DFENCE: 0 none, 1 fence.proxy.async, 2 fence.mbarrier_init. __syncthreads() is there in all cases.
// Every round is a run of its own: wrong[block][round] counts words, NEVER says that a phase did not end.
#include "tma.cuh"
#ifndef CASE
#define CASE 0
#endif
#ifndef FENCE
#define FENCE 0
#endif
#define WORDS 1024
#define ROUNDS 32
#define NEVER 0xFFFFFFFF

__device__ void fence()
{
#if FENCE == 1
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
#elif FENCE == 2
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
#endif
}

__device__ void load(unsigned to, const unsigned *from, unsigned barrier)
{
    expect(barrier, 4 * WORDS);
    load_bytes(to, from, 4 * WORDS, barrier);
}

// source: word i of tile k is k << 16 | i. target: a tile for each block and round, written by case 1 alone.
extern "C" __global__ void run(const unsigned *source, unsigned *target, unsigned *wrong)
{
    __shared__ __align__(128) unsigned tile[WORDS];
    __shared__ __align__(8) u64 homes[ROUNDS];
    __shared__ unsigned bad, ended;
    unsigned to = shared_address(tile), first = shared_address(homes), last = blockDim.x - 1;
    unsigned *told = wrong + blockIdx.x * ROUNDS;
    for (unsigned i = threadIdx.x; i < ROUNDS; i += blockDim.x) homes[i] = 0xCDCDCDCDCDCDCDCD;
    for (unsigned i = threadIdx.x; i < WORDS; i += blockDim.x) tile[i] = 0xCDCDCDCD;
    if (CASE == 2 && threadIdx.x == 0) init(first);
    proxy_fence();
    __syncthreads();
    for (unsigned k = 0; k < ROUNDS; k++) {
        unsigned barrier = CASE == 0 ? first + 8 * k : first, count = 0;
        if (threadIdx.x == 0) bad = 0, ended = 1;
#if CASE == 0
        if (threadIdx.x == 0) { init(barrier); fence(); }
        __syncthreads();
        if (threadIdx.x == last) { load(to, source + k * WORDS, barrier); ended = wait_cycles(barrier, 0); }
        __syncthreads();
#elif CASE == 1
        for (unsigned i = threadIdx.x; i < WORDS; i += blockDim.x) tile[i] = k << 16 | i;
        fence();
        __syncthreads();
        if (threadIdx.x == last) {
            store_bytes(target + ((u64)blockIdx.x * ROUNDS + k) * WORDS, to, 4 * WORDS);
            finish_reads();
        }
        __syncthreads();
#else
        if (k == 0 && threadIdx.x == last) load(to, source, barrier);
        if (!wait_cycles(barrier, k & 1)) ended = 0;
#endif
        if (CASE != 1)
            for (unsigned i = threadIdx.x; i < WORDS; i += blockDim.x) count += *(volatile unsigned *)(tile + i) != (k << 16 | i);
        if (CASE == 2) {
            fence();
            __syncthreads();
            if (k + 1 < ROUNDS && threadIdx.x == last) load(to, source + (k + 1) * WORDS, barrier);
        }
        atomicAdd(&bad, count);
        __syncthreads();
        if (threadIdx.x == 0) told[k] = ended ? bad : NEVER;
        __syncthreads();
        if (CASE == 0) proxy_fence();  // the next copy overwrites what was read
        __syncthreads();
    }
    if (CASE == 1 && threadIdx.x == last) asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
}
