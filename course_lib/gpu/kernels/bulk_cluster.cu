// One linear bulk copy from block 0's shared memory to block 1's, counted by block 1's mbarrier. -DREDUCTION as in bulk_store.
#ifdef REDUCTION
#define COPY "cp.reduce.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes" REDUCTION
#else
#define COPY "cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes"
#endif
struct request { unsigned source, destination, size, window_bytes, transaction_bytes, patience_ns; };
typedef unsigned long long u64;
extern __shared__ __align__(1024) unsigned char window[];

__device__ u64 now() { u64 t; asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t)); return t; }

// Waits for the end of phase 0, but not for ever: 1 if it came, 0 if patience ran out.
__device__ unsigned wait(unsigned barrier, unsigned patience_ns)
{
    unsigned done = 0;
    for (u64 start = now(); !done && now() - start < patience_ns;)
        asm volatile("{ .reg .pred p; mbarrier.test_wait.parity.shared::cta.b64 p, [%1], 0; selp.u32 %0, 1, 0, p; }"
                     : "=r"(done) : "r"(barrier) : "memory");
    return done;
}

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
    unsigned base = __cvta_generic_to_shared(window), barrier = __cvta_generic_to_shared(&home);
    bool sender = blockIdx.x == 0, first = threadIdx.x == 0;
    for (unsigned i = threadIdx.x; i < r.window_bytes; i += blockDim.x) window[i] = sender ? source[i] : 0xCD;
    if (first) asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" :: "r"(barrier) : "memory");
    asm volatile("fence.mbarrier_init.release.cluster; fence.proxy.async.shared::cta;" ::: "memory");
    if (first && !sender)
        asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" :: "r"(barrier), "r"(r.transaction_bytes) : "memory");
    meet();
    if (first && sender)
        asm volatile(COPY " [%0], [%1], %2, [%3];" :: "r"(in_block_1(base + r.destination)), "r"(base + r.source),
                     "r"(r.size), "r"(in_block_1(barrier)) : "memory");
    if (first && !sender) {
        answer[0] = wait(barrier, r.patience_ns);
        answer[1] = base;
    }
    meet();
    for (unsigned i = threadIdx.x; !sender && i < r.window_bytes; i += blockDim.x) copied[i] = window[i];
}
