// One copy a block, over a window full of 0xCD, and what a reader then sees. how: 0 __syncthreads and nothing else, 1 the
// barrier, expected bytes before the copy, 2 the barrier, expected bytes after the copy. delay: cycles between the copy
// and what follows it. Each block notes words that were still old, cycles, whether the phase ended.
struct alignas(64) tensor_map { unsigned long long word[16]; };
struct request { unsigned how, delay, tile_bytes, rows_apart; };
struct sight { unsigned old_words, old_threads, cycles, ended; };
typedef unsigned long long u64;
extern __shared__ __align__(1024) unsigned char window[];

__device__ unsigned cycles() { unsigned t; asm volatile("mov.u32 %0, %%clock;" : "=r"(t) :: "memory"); return t; }

// Waits for the end of phase 0, but not for ever.
__device__ unsigned wait(unsigned barrier)
{
    unsigned done = 0;
    for (unsigned start = cycles(); !done && cycles() - start < 10000000;)
        asm volatile("{ .reg .pred p; mbarrier.test_wait.parity.shared::cta.b64 p, [%1], 0; selp.u32 %0, 1, 0, p; }"
                     : "=r"(done) : "r"(barrier) : "memory");
    return done;
}

__device__ void expect(unsigned barrier, unsigned bytes)
{
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" :: "r"(barrier), "r"(bytes) : "memory");
}

extern "C" __global__ void run(const __grid_constant__ tensor_map map, const __grid_constant__ request r, sight *seen)
{
    __shared__ __align__(8) u64 home;
    __shared__ unsigned words;
    unsigned barrier = __cvta_generic_to_shared(&home), to = __cvta_generic_to_shared(window), start = 0, old = 0, ended = 0;
    for (unsigned i = threadIdx.x * 4; i < r.tile_bytes; i += blockDim.x * 4) *(unsigned *)(window + i) = 0xCDCDCDCD;
    if (threadIdx.x == 0) {
        words = 0;
        asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" :: "r"(barrier) : "memory");
    }
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    __syncthreads();
    start = cycles();
    if (threadIdx.x == 0) {
        if (r.how < 2) expect(barrier, r.tile_bytes);
        asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {%3, %4}], [%2];"
                     :: "r"(to), "l"(&map), "r"(barrier), "r"(0), "r"(blockIdx.x * r.rows_apart) : "memory");
        for (unsigned then = cycles(); cycles() - then < r.delay;);
        if (r.how == 2) expect(barrier, r.tile_bytes);
    }
    if (r.how == 0) __syncthreads();
    else ended = wait(barrier);
    unsigned end = cycles();
    for (unsigned i = threadIdx.x * 4; i < r.tile_bytes; i += blockDim.x * 4) old += *(volatile unsigned *)(window + i) == 0xCDCDCDCD;
    atomicAdd(&words, old);
    unsigned threads = __syncthreads_count(old > 0);
    if (r.how == 0) wait(barrier);  // nobody may leave while a copy is on its way
    if (threadIdx.x == 0) seen[blockIdx.x] = {words, threads, end - start, ended};
}
