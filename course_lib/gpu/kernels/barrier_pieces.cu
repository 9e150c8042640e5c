// One copy, and an mbarrier that expects some count of bytes: does a phase end when the copy's pieces pass that count on
// their way? -DBULK=1: a linear copy from the tensor's first row, 0: a box of two dimensions.
#ifndef BULK
#define BULK 0
#endif
struct alignas(64) tensor_map { unsigned long long word[16]; };
struct request { int x, y; unsigned bytes, expected, settle_ns; };
typedef unsigned long long u64;
extern __shared__ __align__(1024) unsigned char window[];

__device__ u64 now() { u64 t; asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t)); return t; }

// One thread. answer: 1 where phase 0 had ended some time after the copy was asked for.
extern "C" __global__ void run(const __grid_constant__ tensor_map map, const __grid_constant__ request r,
                               const unsigned char *tensor, unsigned *answer)
{
    __shared__ __align__(8) u64 home;
    unsigned to = __cvta_generic_to_shared(window), barrier = __cvta_generic_to_shared(&home), ended;
    asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" :: "r"(barrier) : "memory");
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" :: "r"(barrier), "r"(r.expected) : "memory");
#if BULK
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];"
                 :: "r"(to), "l"(tensor + r.y * 256 + r.x), "r"(r.bytes), "r"(barrier) : "memory");
#else
    asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {%3, %4}], [%2];"
                 :: "r"(to), "l"(&map), "r"(barrier), "r"(r.x), "r"(r.y) : "memory");
#endif
    for (u64 start = now(); now() - start < r.settle_ns;);
    asm volatile("{ .reg .pred p; mbarrier.test_wait.parity.shared::cta.b64 p, [%1], 0; selp.u32 %0, 1, 0, p; }"
                 : "=r"(ended) : "r"(barrier) : "memory");
    answer[0] = ended;
    for (u64 start = now(); now() - start < 20000;);  // let a copy that is still on its way land
}
