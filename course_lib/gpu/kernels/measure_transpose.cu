// Transposes a float32 matrix in tiles of 32 x 32; a warp reads a column of its tile. -DHOW: 0 ordinary loads, 1 the same
// with padded rows, 2 TMA, 3 TMA with 128B swizzle, 4 the same, each quarter warp another of the four columns of a unit.
#include "tma.cuh"
#ifndef HOW
#define HOW 3
#endif
#define PITCH (HOW == 1 ? 33 : 32)

__device__ void load(const tensor_map *map, const float *in, unsigned width, float *tile, u64 *home)
{
    unsigned x = blockIdx.x * 32, y = blockIdx.y * 32;
#if HOW < 2
    unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    for (unsigned row = warp; row < 32; row += blockDim.x / 32) tile[row * PITCH + lane] = in[(u64)(y + row) * width + x + lane];
    __syncthreads();
#else
    unsigned to = shared_address(tile), barrier = shared_address(home);
    if (threadIdx.x == 0) {
        init(barrier);
        proxy_fence();
        expect(barrier, 32 * 32 * 4);
        load_2d(to, map, x, y, barrier);
    }
    __syncthreads();
    wait_or_trap(barrier, 0);
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
