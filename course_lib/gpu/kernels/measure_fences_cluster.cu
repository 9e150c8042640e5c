// Fences between the two blocks of a cluster. -DCASE: 0 block 1 sets up an mbarrier, block 0 sends a tile to it; 1 block 1
// writes a tile into block 0's shared memory, block 0 has the engine copy it to global memory. -DFENCE: 0 none; case 0: 1
// fence.mbarrier_init, 2 fence.proxy.async; case 1: 1 fence.proxy.async by the writers, 2 by the reader. -DRELAXED=1: the blocks
// meet without release. wrong[cluster][round] as in measure_fences.cu (case 0 alone); target: a tile for each (case 1).
#ifndef CASE
#define CASE 0
#endif
#ifndef FENCE
#define FENCE 0
#endif
#ifndef RELAXED
#define RELAXED 0
#endif
#define WORDS 1024
#define ROUNDS 32
#define NEVER 0xFFFFFFFF
typedef unsigned long long u64;

__device__ void proxy_fence() { asm volatile("fence.proxy.async.shared::cluster;" ::: "memory"); }
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

__device__ unsigned in_block(unsigned rank, unsigned address)
{
    unsigned there;
    asm("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(there) : "r"(address), "r"(rank));
    return there;
}

__device__ void meet() { asm volatile("barrier.cluster.arrive.release; barrier.cluster.wait.acquire;" ::: "memory"); }

__device__ void meet_as_asked()
{
#if RELAXED
    asm volatile("barrier.cluster.arrive.relaxed; barrier.cluster.wait;" ::: "memory");
#else
    meet();
#endif
}

// Block 1 sets up its barrier of this round and expects a tile; block 0 has its tile ready.
__device__ void prepare_barrier(unsigned k, unsigned rank, unsigned *tile, unsigned barrier)
{
    if (rank == 0) {
        for (unsigned i = threadIdx.x; i < WORDS; i += blockDim.x) tile[i] = k << 16 | i;
        proxy_fence();
        __syncthreads();
    } else if (threadIdx.x == 0) {
        asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" :: "r"(barrier) : "memory");
        if (FENCE == 1) asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
        if (FENCE == 2) proxy_fence();
        asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" :: "r"(barrier), "r"(4 * WORDS) : "memory");
    }
}

__device__ void send(unsigned from, unsigned barrier)
{
    asm volatile("cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];"
                 :: "r"(in_block(1, from)), "r"(from), "r"(4 * WORDS), "r"(in_block(1, barrier)) : "memory");
}

// Block 1, all threads: wrong words that this thread found, and whether the phase ended.
__device__ unsigned looked(unsigned k, const unsigned *tile, unsigned barrier, unsigned *ended)
{
    unsigned count = 0;
    *ended = wait(barrier);
    for (unsigned i = threadIdx.x; i < WORDS; i += blockDim.x) count += *(const volatile unsigned *)(tile + i) != (k << 16 | i);
    proxy_fence();  // the next copy overwrites what was read
    return count;
}

__device__ void write_there(unsigned k, unsigned there)
{
    for (unsigned i = threadIdx.x; i < WORDS; i += blockDim.x)
        asm volatile("st.shared::cluster.u32 [%0], %1;" :: "r"(there + 4 * i), "r"(k << 16 | i) : "memory");
    if (FENCE == 1) proxy_fence();
}

__device__ void store(unsigned from, unsigned *to)
{
    if (FENCE == 2) proxy_fence();
    asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" :: "l"(to), "r"(from), "r"(4 * WORDS) : "memory");
    asm volatile("cp.async.bulk.commit_group; cp.async.bulk.wait_group.read 0;" ::: "memory");
}

extern "C" __global__ void __cluster_dims__(2, 1, 1) run(unsigned *target, unsigned *wrong)
{
    __shared__ __align__(128) unsigned tile[WORDS];
    __shared__ __align__(8) u64 homes[ROUNDS];
    __shared__ unsigned bad;
    unsigned rank = blockIdx.x % 2, from = __cvta_generic_to_shared(tile), last = blockDim.x - 1;
    u64 place = (u64)(blockIdx.x / 2) * ROUNDS;
    for (unsigned i = threadIdx.x; i < ROUNDS; i += blockDim.x) homes[i] = 0xCDCDCDCDCDCDCDCD;
    for (unsigned k = 0; k < ROUNDS; k++) {
        unsigned barrier = __cvta_generic_to_shared(homes + k), count = 0, ended = 1;
        if (threadIdx.x == 0) bad = 0;
        meet();
        if (CASE == 0) prepare_barrier(k, rank, tile, barrier);
        if (CASE == 1 && rank == 1) write_there(k, in_block(0, from));
        meet_as_asked();
        if (rank == 0 && threadIdx.x == last) {
            if (CASE == 0) send(from, barrier);
            else store(from, target + (place + k) * WORDS);
        }
        if (CASE == 0 && rank == 1) count = looked(k, tile, barrier, &ended);
        atomicAdd(&bad, count);
        __syncthreads();
        if (CASE == 0 && rank == 1 && threadIdx.x == 0) wrong[place + k] = ended ? bad : NEVER;
    }
    if (CASE == 1 && rank == 0 && threadIdx.x == last) asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
    meet();
}
