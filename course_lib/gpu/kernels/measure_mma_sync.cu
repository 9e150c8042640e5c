// A tile of C, 128 x 256, by mma.sync m16n8k16, again and again: A (128 rows) and B (256 rows), both K-major, come once by
// TMA with 128B swizzle and stay in shared memory. -DFROM: 1 each operand by ldmatrix, 0 the first 16 of K once, then from
// registers alone. -DWARPS=8 or 16: a warp makes 64 x 64 or 64 x 32 of the tile.
#include "tma.cuh"
#ifndef FROM
#define FROM 1
#endif
#ifndef WARPS
#define WARPS 8
#endif
#define TILES 4  // of 64 elements (128 bytes) along K
#define ROWS 128
#define COLUMNS 256
#define TILE_BYTES ((ROWS + COLUMNS) * 128)
#define SLICES (TILES * 4)             // of 16 elements along K
#define PAIRS (COLUMNS / WARPS * 2 / 16)  // of 8 columns, that a warp makes
struct fragments { unsigned a[4][4], b[PAIRS][4]; };

__device__ u64 cycles64() { u64 t; asm volatile("mov.u64 %0, %%clock64;" : "=l"(t) :: "memory"); return t; }

__device__ void fetch(const tensor_map *a, const tensor_map *b, unsigned base, unsigned barrier)
{
    expect(barrier, TILES * TILE_BYTES);
    for (unsigned i = 0; i < TILES; i++) {
        load_2d(base + i * TILE_BYTES, a, i * 64, 0, barrier);
        load_2d(base + i * TILE_BYTES + ROWS * 128, b, i * 64, 0, barrier);
    }
}

// Four 8 x 8 matrices. row: this lane's row address; the swizzle moves its 16-byte unit.
__device__ __forceinline__ void matrices(unsigned (&to)[4], unsigned row, unsigned unit)
{
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3]) : "r"(row + ((unit ^ row / 128 % 8) << 4)));
}

// The operands of 16 elements of K. a and b: this lane's rows in the first tile.
__device__ __forceinline__ void operands(fragments &f, unsigned a, unsigned b, unsigned slice)
{
    unsigned lane = threadIdx.x % 32, tile = slice / 4 * TILE_BYTES, unit = slice % 4 * 2;
#pragma unroll
    for (unsigned i = 0; i < 4; i++) matrices(f.a[i], a + tile + i * 16 * 128, unit + lane / 16);
#pragma unroll
    for (unsigned j = 0; j < PAIRS; j++) matrices(f.b[j], b + tile + j * 16 * 128, unit + lane / 8 % 2);
}

__device__ __forceinline__ void multiply(float (&d)[4][PAIRS * 2][4], const fragments &f)
{
#pragma unroll
    for (unsigned i = 0; i < 4; i++)
#pragma unroll
        for (unsigned j = 0; j < PAIRS * 2; j++) {
            float *c = d[i][j];
            asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
                         : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
                         : "r"(f.a[i][0]), "r"(f.a[i][1]), "r"(f.a[i][2]), "r"(f.a[i][3]), "r"(f.b[j / 2][j % 2 * 2]), "r"(f.b[j / 2][j % 2 * 2 + 1]));
        }
}

// steps times all of K. With 8 warps the operands of the next 16 are on their way while these are multiplied; of 16 warps
// others multiply meanwhile, and the registers would not do for both.
__device__ __forceinline__ void multiply_all(float (&d)[4][PAIRS * 2][4], unsigned a, unsigned b, unsigned steps)
{
    fragments f[2];
    operands(f[0], a, b, 0);
#pragma unroll 1
    for (unsigned step = 0; step < steps; step++)
#pragma unroll
        for (unsigned slice = 0; slice < SLICES; slice++) {
            if (FROM && WARPS > 8) operands(f[0], a, b, slice);
            if (FROM && WARPS <= 8) operands(f[(slice + 1) % 2], a, b, (slice + 1) % SLICES);
            multiply(d, f[FROM && WARPS <= 8 ? slice % 2 : 0]);
        }
}

// times: cycles and nanoseconds of block 0's loop. out: block 0's tile.
extern "C" __global__ void __launch_bounds__(32 * WARPS, 1) run(const __grid_constant__ tensor_map a, const __grid_constant__ tensor_map b,
                                                                unsigned steps, float *out, u64 *times)
{
    __shared__ __align__(8) u64 home;
    unsigned base = shared_address(window), barrier = shared_address(&home);
    unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32, top = warp % 2 * 64, left = warp / 2 * PAIRS * 16;
    if (threadIdx.x == 0) {
        init(barrier);
        proxy_fence();
        fetch(&a, &b, base, barrier);
    }
    __syncthreads();
    wait_or_trap(barrier, 0);
    float d[4][PAIRS * 2][4] = {};
    u64 cycle = cycles64(), time = now();
    multiply_all(d, base + (top + lane % 16) * 128, base + (ROWS + left + lane / 16 * 8 + lane % 8) * 128, steps);
    cycle = cycles64() - cycle, time = now() - time;
    if (threadIdx.x == 0 && blockIdx.x == 0) times[0] = cycle, times[1] = time;
#pragma unroll
    for (unsigned i = 0; i < 4; i++)
#pragma unroll
        for (unsigned j = 0; j < PAIRS * 2; j++)
#pragma unroll
            for (unsigned c = 0; c < 4; c++)
                if (blockIdx.x == 0) out[(top + i * 16 + lane / 4 + c / 2 * 8) * COLUMNS + left + j * 8 + lane % 4 * 2 + c % 2] = d[i][j][c];
}
