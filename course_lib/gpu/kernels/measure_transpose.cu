// Transposes a float32 matrix in tiles of 32 x 32; a warp reads a column of its tile. -DHOW: 0 ordinary loads, 1 the same
// with padded rows, 2 TMA, 3 TMA with 128B swizzle, 4 the same, each quarter warp another of the four columns of a unit.
#ifndef HOW
#define HOW 3
#endif
#define PITCH (HOW == 1 ? 33 : 32)
struct alignas(64) tensor_map { unsigned long long word[16]; };
typedef unsigned long long u64;

__device__ void wait(unsigned barrier)
{
    unsigned done = 0;
    for (unsigned tries = 0; !done; tries++) {
        asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [%1], 0; selp.u32 %0, 1, 0, p; }"
                     : "=r"(done) : "r"(barrier) : "memory");
        if (tries > 1 << 22) asm volatile("trap;");
    }
}

__device__ void load(const tensor_map *map, const float *in, unsigned width, float *tile, u64 *home)
{
    unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32, x = blockIdx.x * 32, y = blockIdx.y * 32;
#if HOW < 2
    for (unsigned row = warp; row < 32; row += blockDim.x / 32) tile[row * PITCH + lane] = in[(u64)(y + row) * width + x + lane];
    __syncthreads();
#else
    unsigned to = __cvta_generic_to_shared(tile), barrier = __cvta_generic_to_shared(home);
    if (threadIdx.x == 0) {
        asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" :: "r"(barrier) : "memory");
        asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
        asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" :: "r"(barrier), "r"(32 * 32 * 4) : "memory");
        asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {%3, %4}], [%2];"
                     :: "r"(to), "l"(map), "r"(barrier), "r"(x), "r"(y) : "memory");
    }
    __syncthreads();
    wait(barrier);
#endif
}

// Where in the tile (in elements) lies what is in this row and column?
__device__ unsigned at(unsigned row, unsigned column)
{
    return HOW < 3 ? row * PITCH + column : row * 32 + ((column / 4 ^ row % 8) * 4 + column % 4);
}

extern "C" __global__ void run(const __grid_constant__ tensor_map map, const float *in, float *out, unsigned width, unsigned height)
{
    __shared__ __align__(1024) float tile[32 * PITCH];
    __shared__ __align__(8) u64 home;
    load(&map, in, width, tile, &home);
    unsigned lane = threadIdx.x % 32;
    for (unsigned i = threadIdx.x / 32; i < 32; i += blockDim.x / 32) {
        unsigned column = HOW < 4 ? i : i / 4 * 4 + (i + lane / 8) % 4;
        out[(u64)(blockIdx.x * 32 + column) * height + blockIdx.y * 32 + lane] = tile[at(lane, column)];
    }
}
