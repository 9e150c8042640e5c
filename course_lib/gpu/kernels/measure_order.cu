// One copy a block, over a window full of 0xCD, and what a reader then sees. how: 0 __syncthreads and nothing else, 1 the
// barrier, expected bytes before the copy, 2 the barrier, expected bytes after the copy. delay: cycles between the copy
// and what follows it. Each block notes words that were still old, cycles, whether the phase ended.
#include "tma.cuh"
struct request { unsigned how, delay, tile_bytes, rows_apart; };
struct sight { unsigned old_words, old_threads, cycles, ended; };

extern "C" __global__ void run(const __grid_constant__ tensor_map map, const __grid_constant__ request r, sight *seen)
{
    __shared__ __align__(8) u64 home;
    __shared__ unsigned words;
    unsigned barrier = shared_address(&home), to = shared_address(window), start = 0, old = 0, ended = 0;
    for (unsigned i = threadIdx.x * 4; i < r.tile_bytes; i += blockDim.x * 4) *(unsigned *)(window + i) = 0xCDCDCDCD;
    if (threadIdx.x == 0) {
        words = 0;
        init(barrier);
    }
    proxy_fence();
    __syncthreads();
    start = cycles();
    if (threadIdx.x == 0) {
        if (r.how < 2) expect(barrier, r.tile_bytes);
        load_2d(to, &map, 0, blockIdx.x * r.rows_apart, barrier);
        for (unsigned then = cycles(); cycles() - then < r.delay;);
        if (r.how == 2) expect(barrier, r.tile_bytes);
    }
    if (r.how == 0) __syncthreads();
    else ended = wait_cycles(barrier, 0);
    unsigned end = cycles();
    for (unsigned i = threadIdx.x * 4; i < r.tile_bytes; i += blockDim.x * 4) old += *(volatile unsigned *)(window + i) == 0xCDCDCDCD;
    atomicAdd(&words, old);
    unsigned threads = __syncthreads_count(old > 0);
    if (r.how == 0) wait_cycles(barrier, 0);  // nobody may leave while a copy is on its way
    if (threadIdx.x == 0) seen[blockIdx.x] = {words, threads, end - start, ended};
}
