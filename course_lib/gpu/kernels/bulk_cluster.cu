// One linear bulk copy from block 0's shared memory to block 1's, counted by block 1's mbarrier. -DREDUCTION as in bulk_store.
#include "tma.cuh"
#ifdef REDUCTION
#define COPY "cp.reduce.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes" REDUCTION
#else
#define COPY "cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes"
#endif
struct request { unsigned source, destination, size, window_bytes, transaction_bytes, patience_ns; };

__device__ unsigned in_block_1(unsigned address)
{
    unsigned there;
    asm("mapa.shared::cluster.u32 %0, %1, 1;" : "=r"(there) : "r"(address));
    return there;
}

__device__ void meet() { asm volatile("barrier.cluster.arrive; barrier.cluster.wait;" ::: "memory"); }

// answer: the wait's outcome, the window's address.
extern "C" __global__ void __cluster_dims__(2, 1, 1) run(const __grid_constant__ request r, const unsigned char *source,
                                                         unsigned char *copied, unsigned *answer)
{
    __shared__ __align__(8) u64 home;
    unsigned base = shared_address(window), barrier = shared_address(&home);
    bool sender = blockIdx.x == 0, first = threadIdx.x == 0;
    for (unsigned i = threadIdx.x; i < r.window_bytes; i += blockDim.x) window[i] = sender ? source[i] : 0xCD;
    if (first) init(barrier);
    asm volatile("fence.mbarrier_init.release.cluster; fence.proxy.async.shared::cta;" ::: "memory");
    if (first && !sender) expect(barrier, r.transaction_bytes);
    meet();
    if (first && sender)
        asm volatile(COPY " [%0], [%1], %2, [%3];" :: "r"(in_block_1(base + r.destination)), "r"(base + r.source),
                     "r"(r.size), "r"(in_block_1(barrier)) : "memory");
    if (first && !sender) {
        answer[0] = wait_ns(barrier, r.patience_ns);
        answer[1] = base;
    }
    meet();
    for (unsigned i = threadIdx.x; !sender && i < r.window_bytes; i += blockDim.x) copied[i] = window[i];
}
