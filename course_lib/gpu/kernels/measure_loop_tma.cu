// Tiles of ROWS rows of 128 bytes, one after the other along the rows of a matrix, by TMA. ISSUER: who issues in warp 0:
// 1 the lane that elect.sync names, 0 the thread with threadIdx.x == 0, 2 every lane (a mistake).
#ifndef ROWS
#define ROWS 128
#endif
#ifndef THREADS
#define THREADS 256
#endif
#ifndef ISSUER
#define ISSUER 1
#endif
#define TILE_BYTES (ROWS * 128)
struct alignas(64) tensor_map { unsigned long long word[16]; };
typedef unsigned long long u64;

__device__ bool chosen()
{
#if ISSUER == 1
    unsigned yes;
    asm volatile("{ .reg .pred p; elect.sync _|p, 0xFFFFFFFF; selp.u32 %0, 1, 0, p; }" : "=r"(yes));
    return yes;
#else
    return ISSUER == 2 || threadIdx.x == 0;
#endif
}

extern "C" __global__ void __launch_bounds__(THREADS) run(const __grid_constant__ tensor_map map, int x, int y, int tiles, unsigned *out)
{
    __shared__ __align__(1024) unsigned char tile[TILE_BYTES];
    __shared__ __align__(8) u64 home;
    unsigned to = __cvta_generic_to_shared(tile), barrier = __cvta_generic_to_shared(&home), sum = 0;
    if (threadIdx.x == 0) {
        asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" :: "r"(barrier) : "memory");
        asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    }
    __syncthreads();
#pragma unroll 1
    for (int t = 0; t < tiles; t++) {
        if (threadIdx.x < 32 && chosen()) {
            asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" :: "r"(barrier), "n"(TILE_BYTES) : "memory");
            asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {%3, %4}], [%2];"
                         :: "r"(to), "l"(&map), "r"(barrier), "r"(x + 64 * t), "r"(y) : "memory");
        }
        for (unsigned done = 0; !done;)
            asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }"
                         : "=r"(done) : "r"(barrier), "r"(t & 1) : "memory");
        sum += *(unsigned *)(tile + threadIdx.x * 4);
        __syncthreads();
    }
    out[threadIdx.x] = sum;
}
