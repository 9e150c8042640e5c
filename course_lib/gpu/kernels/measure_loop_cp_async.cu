// Tiles of ROWS rows of UNITS 16-byte units, one after the other along the rows of a matrix, by cp.async: THREADS threads,
// PIECES copies each, in the pattern of the 128B swizzle. What can be worked out before the loop is. GUARD 0: all lies inside;
// 1: rows may lie outside, which is decided before the loop; 2: rows and columns, to the byte. -DPIECES=0: the loop alone.
#ifndef ROWS
#define ROWS 128
#endif
#ifndef UNITS
#define UNITS 8
#endif
#ifndef THREADS
#define THREADS 256
#endif
#ifndef GUARD
#define GUARD 0
#endif
#ifndef PIECES
#define PIECES (ROWS * UNITS / THREADS)
#endif
#define STEP (THREADS / UNITS)
#define ROW_BYTES (UNITS * 16)
typedef unsigned long long u64;

__device__ void copy(unsigned to, const unsigned char *from, int size)
{
#if GUARD
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" :: "r"(to), "l"(from), "r"(size) : "memory");
#else
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" :: "r"(to), "l"(from) : "memory");
#endif
}

extern "C" __global__ void __launch_bounds__(THREADS) run(const unsigned char *in, int width, unsigned height, u64 pitch, int x, int y, int tiles, unsigned *out)
{
    __shared__ __align__(1024) unsigned char tile[ROWS * ROW_BYTES];
    unsigned row = threadIdx.x / UNITS, unit = threadIdx.x % UNITS, sum = 0, rows_inside = 0;
    unsigned plain = __cvta_generic_to_shared(tile) + row * ROW_BYTES + unit * 16, to = plain ^ (plain & 0x380) >> 3;
    const unsigned char *from = in + (long long)(y + (int)row) * pitch + (x + (int)unit * 8) * 2;
    int left = (width - x - (int)unit * 8) * 2;
#pragma unroll
    for (int i = 0; i < PIECES; i++) rows_inside |= ((unsigned)(y + (int)row + i * STEP) < height) << i;
#pragma unroll 1
    for (int t = 0; t < tiles; t++) {
        int inside = left < 0 ? 0 : left > 16 ? 16 : left;
#pragma unroll
        for (int i = 0; i < PIECES; i++) {
            const unsigned char *source = from + i * STEP * pitch;
            int size = !(rows_inside >> i & 1) ? 0 : GUARD == 2 ? inside : 16;
            copy(to + i * STEP * ROW_BYTES, GUARD < 2 || size ? source : in, size);
        }
        from += ROW_BYTES;
        left -= ROW_BYTES;
        asm volatile("cp.async.wait_all;" ::: "memory");
        __syncthreads();
        sum += *(unsigned *)(tile + threadIdx.x * 4);
        __syncthreads();
    }
    out[threadIdx.x] = sum;
}
