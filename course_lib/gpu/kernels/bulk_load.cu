// One linear bulk copy: bytes from global memory to shared memory, counted by one mbarrier. No tensor map.
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

// answer: the wait's outcome, the window's address.
extern "C" __global__ void run(const __grid_constant__ request r, const unsigned char *memory,
                               unsigned char *copied, unsigned *answer)
{
    __shared__ __align__(8) u64 home;
    unsigned base = __cvta_generic_to_shared(window), barrier = __cvta_generic_to_shared(&home);
    for (unsigned i = threadIdx.x; i < r.window_bytes; i += blockDim.x) window[i] = 0xCD;
    if (threadIdx.x == 0) asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" :: "r"(barrier) : "memory");
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    __syncthreads();
    if (threadIdx.x == 0) {
        asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" :: "r"(barrier), "r"(r.transaction_bytes) : "memory");
        asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];"
                     :: "r"(base + r.destination), "l"(memory + r.source), "r"(r.size), "r"(barrier) : "memory");
        answer[0] = wait(barrier, r.patience_ns);
        answer[1] = base;
    }
    __syncthreads();
    for (unsigned i = threadIdx.x; i < r.window_bytes; i += blockDim.x) copied[i] = window[i];
}
