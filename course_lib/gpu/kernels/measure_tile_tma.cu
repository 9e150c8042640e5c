// One 128 x 64 tile of 16-bit elements by TMA: swizzle and edges are the engine's work. -DELECT: who issues, 1 elect.sync,
// 0 threadIdx.x == 0. measure_tile_cp_async.cu does the same without TMA. -DKEEP: the whole tile comes back, not one word a thread.
#ifndef ELECT
#define ELECT 1
#endif
struct alignas(64) tensor_map { unsigned long long word[16]; };
typedef unsigned long long u64;

__device__ bool chosen()
{
#if ELECT
    unsigned yes;
    asm volatile("{ .reg .pred p; elect.sync _|p, 0xFFFFFFFF; selp.u32 %0, 1, 0, p; }" : "=r"(yes));
    return threadIdx.x < 32 && yes;
#else
    return threadIdx.x == 0;
#endif
}

extern "C" __global__ void __launch_bounds__(256) run(const __grid_constant__ tensor_map map, int x, int y, unsigned *out)
{
    __shared__ __align__(1024) unsigned char tile[128 * 128];
    __shared__ __align__(8) u64 home;
    unsigned to = __cvta_generic_to_shared(tile), barrier = __cvta_generic_to_shared(&home), done = 0;
    if (chosen()) {
        asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" :: "r"(barrier) : "memory");
        asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
        asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" :: "r"(barrier), "n"(128 * 128) : "memory");
        asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {%3, %4}], [%2];"
                     :: "r"(to), "l"(&map), "r"(barrier), "r"(x), "r"(y) : "memory");
    }
    __syncthreads();
    while (!done)
        asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [%1], 0; selp.u32 %0, 1, 0, p; }"
                     : "=r"(done) : "r"(barrier) : "memory");
#ifdef KEEP
    for (int i = threadIdx.x; i < 128 * 32; i += 256) out[i] = *(unsigned *)(tile + i * 4);
#else
    out[threadIdx.x] = *(unsigned *)(tile + threadIdx.x * 4);
#endif
}
