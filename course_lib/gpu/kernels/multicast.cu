// One box, sent by block 0 of a cluster to the blocks that a mask names. Every block expects it. -DCLUSTER=1, 2, 4 or 8.
#include "tma.cuh"
#ifndef CLUSTER
#define CLUSTER 2
#endif
struct request { unsigned mask, bytes, patience_ns; int leaves; };

__device__ void meet() { asm volatile("barrier.cluster.arrive; barrier.cluster.wait;" ::: "memory"); }

// leaves: the block that ends before the copy, -1 for none. copied: each block's window. ended: did its phase end?
extern "C" __global__ void __cluster_dims__(CLUSTER, 1, 1) run(const __grid_constant__ tensor_map map, const __grid_constant__ request r,
                                                               unsigned char *copied, unsigned *ended)
{
    __shared__ __align__(8) u64 home;
    unsigned to = shared_address(window), barrier = shared_address(&home), block = blockIdx.x;
    for (unsigned i = threadIdx.x; i < r.bytes; i += blockDim.x) window[i] = 0xCD;
    if (threadIdx.x == 0) init(barrier);
    asm volatile("fence.mbarrier_init.release.cluster; fence.proxy.async.shared::cta;" ::: "memory");
    if (threadIdx.x == 0) expect(barrier, r.bytes);
    meet();
    if (block == r.leaves) return;
    if (block == 0 && threadIdx.x == 0) {
        if (r.leaves >= 0)
            for (u64 start = now(); now() - start < 100000;);  // until it has surely ended
        asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes.multicast::cluster [%0], [%1, {%3, %3}], [%2], %4;"
                     :: "r"(to), "l"(&map), "r"(barrier), "r"(0), "h"((unsigned short)r.mask) : "memory");
    }
    if (threadIdx.x == 0) ended[block] = wait_ns(barrier, r.patience_ns);
    __syncthreads();
    for (unsigned i = threadIdx.x; i < r.bytes; i += blockDim.x) copied[block * r.bytes + i] = window[i];
    meet();
}
