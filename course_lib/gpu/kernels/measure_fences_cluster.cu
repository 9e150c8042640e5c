// Fences between the two blocks of a cluster. -DCASE: 0 block 1 sets up an mbarrier, block 0 sends a tile to it; 1 block 1
// writes a tile into block 0's shared memory, block 0 has the engine copy it to global memory. -DFENCE: 0 none; case 0: 1
// fence.mbarrier_init, 2 fence.proxy.async; case 1: 1 fence.proxy.async by the writers, 2 by the reader. -DRELAXED=1: the blocks
// meet without release. wrong[cluster][round] as in measure_fences.cu (case 0 alone); target: a tile for each (case 1).
#include "tma.cuh"
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

__device__ void cluster_fence() { asm volatile("fence.proxy.async.shared::cluster;" ::: "memory"); }

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
        cluster_fence();
        __syncthreads();
    } else if (threadIdx.x == 0) {
        init(barrier);
        if (FENCE == 1) asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
        if (FENCE == 2) cluster_fence();
        expect(barrier, 4 * WORDS);
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
    *ended = wait_cycles(barrier, 0);
    for (unsigned i = threadIdx.x; i < WORDS; i += blockDim.x) count += *(const volatile unsigned *)(tile + i) != (k << 16 | i);
    cluster_fence();  // the next copy overwrites what was read
    return count;
}

__device__ void write_there(unsigned k, unsigned there)
{
    for (unsigned i = threadIdx.x; i < WORDS; i += blockDim.x)
        asm volatile("st.shared::cluster.u32 [%0], %1;" :: "r"(there + 4 * i), "r"(k << 16 | i) : "memory");
    if (FENCE == 1) cluster_fence();
}

__device__ void store(unsigned from, unsigned *to)
{
    if (FENCE == 2) cluster_fence();
    store_bytes(to, from, 4 * WORDS);
    finish_reads();
}

extern "C" __global__ void __cluster_dims__(2, 1, 1) run(unsigned *target, unsigned *wrong)
{
    __shared__ __align__(128) unsigned tile[WORDS];
    __shared__ __align__(8) u64 homes[ROUNDS];
    __shared__ unsigned bad;
    unsigned rank = blockIdx.x % 2, from = shared_address(tile), last = blockDim.x - 1;
    u64 place = (u64)(blockIdx.x / 2) * ROUNDS;
    for (unsigned i = threadIdx.x; i < ROUNDS; i += blockDim.x) homes[i] = 0xCDCDCDCDCDCDCDCD;
    for (unsigned k = 0; k < ROUNDS; k++) {
        unsigned barrier = shared_address(homes + k), count = 0, ended = 1;
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
