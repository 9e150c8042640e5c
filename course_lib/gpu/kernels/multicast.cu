// One box, sent by block 0 of a cluster to the blocks that a mask names. Every block expects it. -DCLUSTER=1, 2, 4 or 8.
#ifndef CLUSTER
#define CLUSTER 2
#endif
struct alignas(64) tensor_map { unsigned long long word[16]; };
struct request { unsigned mask, bytes, patience_ns; int leaves; };
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

__device__ void meet() { asm volatile("barrier.cluster.arrive; barrier.cluster.wait;" ::: "memory"); }

// leaves: the block that ends before the copy, -1 for none. copied: each block's window. ended: did its phase end?
extern "C" __global__ void __cluster_dims__(CLUSTER, 1, 1) run(const __grid_constant__ tensor_map map, const __grid_constant__ request r,
                                                               unsigned char *copied, unsigned *ended)
{
    __shared__ __align__(8) u64 home;
    unsigned to = __cvta_generic_to_shared(window), barrier = __cvta_generic_to_shared(&home), block = blockIdx.x;
    for (unsigned i = threadIdx.x; i < r.bytes; i += blockDim.x) window[i] = 0xCD;
    if (threadIdx.x == 0) asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" :: "r"(barrier) : "memory");
    asm volatile("fence.mbarrier_init.release.cluster; fence.proxy.async.shared::cta;" ::: "memory");
    if (threadIdx.x == 0)
        asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" :: "r"(barrier), "r"(r.bytes) : "memory");
    meet();
    if (block == r.leaves) return;
    if (block == 0 && threadIdx.x == 0) {
        if (r.leaves >= 0)
            for (u64 start = now(); now() - start < 100000;);  // until it has surely ended
        asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes.multicast::cluster [%0], [%1, {%3, %3}], [%2], %4;"
                     :: "r"(to), "l"(&map), "r"(barrier), "r"(0), "h"((unsigned short)r.mask) : "memory");
    }
    if (threadIdx.x == 0) ended[block] = wait(barrier, r.patience_ns);
    __syncthreads();
    for (unsigned i = threadIdx.x; i < r.bytes; i += blockDim.x) copied[block * r.bytes + i] = window[i];
    meet();
}
