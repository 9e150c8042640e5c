// One 128 x 64 tile of 16-bit elements by cp.async: each of 256 threads copies 4 pieces of 16 bytes, works out both
// addresses, guards the edges (zero fill by source size) and places them in the pattern of the 128B swizzle.
// -DKEEP: the whole tile comes back, not one word a thread.
typedef unsigned long long u64;

extern "C" __global__ void __launch_bounds__(256) run(const unsigned char *in, int width, unsigned height, u64 pitch, int x, int y, unsigned *out)
{
    __shared__ __align__(1024) unsigned char tile[128 * 128];
    unsigned base = __cvta_generic_to_shared(tile);
#pragma unroll
    for (int i = 0; i < 4; i++) {
        unsigned piece = threadIdx.x + i * 256, row = piece / 8, unit = piece % 8;
        int column = x + (int)unit * 8, line = y + (int)row, inside = (width - column) * 2;
        inside = (unsigned)line >= height || column < 0 || inside < 0 ? 0 : inside > 16 ? 16 : inside;
        const unsigned char *from = inside ? in + line * pitch + column * 2 : in;
        unsigned to = base + row * 128 + (unit ^ row % 8) * 16;
        asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" :: "r"(to), "l"(from), "r"(inside) : "memory");
    }
    asm volatile("cp.async.wait_all;" ::: "memory");
    __syncthreads();
#ifdef KEEP
    for (int i = threadIdx.x; i < 128 * 32; i += 256) out[i] = *(unsigned *)(tile + i * 4);
#else
    out[threadIdx.x] = *(unsigned *)(tile + threadIdx.x * 4);
#endif
}
