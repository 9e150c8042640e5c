// Transposes a matrix of 16-bit elements in tiles of 64 x 64. -DHOW: 0 ordinary loads, 1 the same with rows of 66, 2 TMA,
// 3 TMA with 128B swizzle: a lane reads two elements of a column. 4: ldmatrix.trans, stmatrix and a TMA store, both tiles
// swizzled.
#include "tma.cuh"
#ifndef HOW
#define HOW 4
#endif
#define PITCH (HOW == 1 ? 66 : 64)
typedef unsigned short half;

__device__ void load(const tensor_map *map, const half *in, unsigned width, half *tile, u64 *home)
{
    unsigned x = blockIdx.x * 64, y = blockIdx.y * 64;
#if HOW < 2
    unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    for (unsigned row = warp; row < 64; row += blockDim.x / 32)
        *(unsigned *)(tile + row * PITCH + lane * 2) = *(const unsigned *)(in + (u64)(y + row) * width + x + lane * 2);
    __syncthreads();
#else
    unsigned to = shared_address(tile), barrier = shared_address(home);
    if (threadIdx.x == 0) {
        init(barrier);
        proxy_fence();
        expect(barrier, 64 * 64 * 2);
        load_2d(to, map, x, y, barrier);
    }
    __syncthreads();
    wait_or_trap(barrier, 0);
#endif
}

__device__ unsigned at(unsigned row, unsigned column)
{
    return HOW < 3 ? row * PITCH + column : row * 64 + ((column / 8 ^ row % 8) * 8 + column % 8);
}

#if HOW == 4
// Eight 8 x 8 blocks of the tile's block row, four at a time: block (i, j) becomes block (j, i).
__device__ void turn(const half *tile, half *turned)
{
    unsigned lane = threadIdx.x % 32, a, b, c, d;
    for (unsigned step = threadIdx.x / 32; step < 16; step += blockDim.x / 32) {
        unsigned i = step % 2 * 4 + lane / 8, j = step / 2, row = lane % 8;
        unsigned from = shared_address(tile + at(i * 8 + row, j * 8));
        unsigned to = shared_address(turned + at(j * 8 + row, i * 8));
        asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];" : "=r"(a), "=r"(b), "=r"(c), "=r"(d) : "r"(from) : "memory");
        asm volatile("stmatrix.sync.aligned.m8n8.x4.shared.b16 [%4], {%0, %1, %2, %3};" :: "r"(a), "r"(b), "r"(c), "r"(d), "r"(to) : "memory");
    }
}
#endif

extern "C" __global__ void run(const __grid_constant__ tensor_map map, const __grid_constant__ tensor_map out_map,
                               const half *in, half *out, unsigned width, unsigned height)
{
    __shared__ __align__(1024) half tile[64 * PITCH];
    __shared__ __align__(8) u64 home;
    load(&map, in, width, tile, &home);
#if HOW == 4
    __shared__ __align__(1024) half turned[64 * 64];
    turn(tile, turned);
    proxy_fence();
    __syncthreads();
    if (threadIdx.x == 0) {
        asm volatile("cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group [%0, {%2, %3}], [%1];"
                     :: "l"(&out_map), "r"(shared_address(turned)), "r"(blockIdx.y * 64), "r"(blockIdx.x * 64) : "memory");
        finish_stores();
    }
#else
    unsigned lane = threadIdx.x % 32;
    for (unsigned i = threadIdx.x / 32; i < 64; i += blockDim.x / 32) {
        unsigned pair = tile[at(lane * 2, i)] | (unsigned)tile[at(lane * 2 + 1, i)] << 16;
        *(unsigned *)(out + (u64)(blockIdx.x * 64 + i) * height + blockIdx.y * 64 + lane * 2) = pair;
    }
#endif
}
