// A tile of C by wgmma, again and again: A (64 rows a warpgroup) and B (N rows), both K-major, come once by TMA with 128B
// swizzle and stay in shared memory. -DN=256, 128 or 64 columns, -DGROUPS=1 or 2 warpgroups. Needs sm_90a.
#include "tma.cuh"
#ifndef N
#define N 256
#endif
#ifndef GROUPS
#define GROUPS 2
#endif
#define TILES 4             // of 64 elements (128 bytes) along K
#define ROWS (64 * GROUPS)  // of A
#define TILE_BYTES ((ROWS + N) * 128)

__device__ u64 cycles64() { u64 t; asm volatile("mov.u64 %0, %%clock64;" : "=l"(t) :: "memory"); return t; }

__device__ void fetch(const tensor_map *a, const tensor_map *b, unsigned base, unsigned barrier)
{
    expect(barrier, TILES * TILE_BYTES);
    for (unsigned i = 0; i < TILES; i++) {
        load_2d(base + i * TILE_BYTES, a, i * 64, 0, barrier);
        load_2d(base + i * TILE_BYTES + ROWS * 128, b, i * 64, 0, barrier);
    }
}

#if defined(__CUDA_ARCH_FEAT_SM90_ALL)
// What tells wgmma where a K-major matrix with 128B swizzle lies: address / 16, 1,024 bytes from 8 rows to the next 8.
__device__ u64 matrix(unsigned address)
{
    return (u64)((address & 0x3FFFF) >> 4) | (u64)1 << 16 | (u64)(1024 >> 4) << 32 | (u64)1 << 62;
}

#define TEN(t) "%" #t "0, %" #t "1, %" #t "2, %" #t "3, %" #t "4, %" #t "5, %" #t "6, %" #t "7, %" #t "8, %" #t "9, "
#define D4(i) "+f"(d[i]), "+f"(d[i + 1]), "+f"(d[i + 2]), "+f"(d[i + 3])
#define D16(i) D4(i), D4(i + 4), D4(i + 8), D4(i + 12)
#define D32 D16(0), D16(16)
#define D64 D32, D16(32), D16(48)
#define D128 D64, D16(64), D16(80), D16(96), D16(112)
#define L32 TEN() TEN(1) TEN(2) "%30, %31"
#define L64 TEN() TEN(1) TEN(2) TEN(3) TEN(4) TEN(5) "%60, %61, %62, %63"
#define L128 TEN() TEN(1) TEN(2) TEN(3) TEN(4) TEN(5) TEN(6) TEN(7) TEN(8) TEN(9) TEN(10) TEN(11) "%120, %121, %122, %123, %124, %125, %126, %127"
#define WGMMA(columns, list, a, b, ...) \
    asm volatile("wgmma.mma_async.sync.aligned.m64n" columns "k16.f32.bf16.bf16 {" list "}, " a ", " b ", 1, 1, 1, 0, 0;" \
                 : __VA_ARGS__ : "l"(x), "l"(y))

__device__ __forceinline__ void multiply(float (&d)[N / 2], u64 x, u64 y)
{
#if N == 256
    WGMMA("256", L128, "%128", "%129", D128);
#elif N == 128
    WGMMA("128", L64, "%64", "%65", D64);
#else
    WGMMA("64", L32, "%32", "%33", D32);
#endif
}

// steps times all of K. 16 elements of K are 32 bytes: two units of the matrix address.
__device__ __forceinline__ void multiply_all(float (&d)[N / 2], unsigned a, unsigned b, unsigned steps)
{
    u64 x = matrix(a), y = matrix(b);
#pragma unroll
    for (unsigned i = 0; i < N / 2; i++) asm volatile("" : "+f"(d[i])::"memory");  // zeros first, then the fence
#pragma unroll 1
    for (unsigned step = 0; step < steps; step++) {
        asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
#pragma unroll
        for (unsigned i = 0; i < TILES; i++) {
#pragma unroll
            for (unsigned k = 0; k < 4; k++) multiply(d, x + i * (TILE_BYTES >> 4) + 2 * k, y + i * (TILE_BYTES >> 4) + 2 * k);
            asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
            asm volatile("wgmma.wait_group.sync.aligned 1;" ::: "memory");
        }
    }
    asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
}
#endif

// times: cycles and nanoseconds of block 0's loop. out: block 0's tile, ROWS x N.
extern "C" __global__ void __launch_bounds__(128 * GROUPS, 1) run(const __grid_constant__ tensor_map a, const __grid_constant__ tensor_map b,
                                                                  unsigned steps, float *out, u64 *times)
{
#if defined(__CUDA_ARCH_FEAT_SM90_ALL)
    __shared__ __align__(8) u64 home;
    unsigned base = shared_address(window), barrier = shared_address(&home), group = threadIdx.x / 128;
    if (threadIdx.x == 0) {
        init(barrier);
        proxy_fence();
        fetch(&a, &b, base, barrier);
    }
    __syncthreads();
    wait_or_trap(barrier, 0);
    float d[N / 2];
#pragma unroll
    for (unsigned i = 0; i < N / 2; i++) d[i] = 0;
    u64 cycle = cycles64(), time = now();
    multiply_all(d, base + group * 64 * 128, base + ROWS * 128, steps);
    cycle = cycles64() - cycle, time = now() - time;
    if (threadIdx.x == 0 && blockIdx.x == 0) times[0] = cycle, times[1] = time;
    unsigned row = threadIdx.x / 32 * 16 + threadIdx.x % 32 / 4, column = threadIdx.x % 4 * 2;
#pragma unroll
    for (unsigned i = 0; i < N / 2; i++)
        if (blockIdx.x == 0) out[(row + i % 4 / 2 * 8) * N + column + i / 4 * 8 + i % 2] = d[i];
#endif
}
