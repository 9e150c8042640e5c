// The operand traffic of a GEMM without its arithmetic: each block gets tiles of A (128 rows) and B (128 rows), 64 columns
// of 16 bits at a time. In a cluster of CX x CY blocks each block loads a part and sends it to all that need it.
// -DREAD=1: all words are added up, so that sums can be compared; 0: the bytes only arrive.
#include "tma.cuh"
#ifndef CX
#define CX 2
#endif
#ifndef CY
#define CY 2
#endif
#ifndef READ
#define READ 1
#endif
#define STAGES 4
#define WARPS 4
#define TILE 16384
#define PEERS (CX + CY - 1)  // that share A or B with a block, itself included

__device__ void meet() { asm volatile("barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;" ::: "memory"); }

__device__ void copy(const tensor_map *map, unsigned to, unsigned barrier, unsigned x, unsigned y, unsigned mask)
{
    if (CX * CY == 1) load_2d(to, map, x, y, barrier);
    else
        asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes.multicast::cluster [%0], [%1, {%3, %4}], [%2], %5;"
                     :: "r"(to), "l"(map), "r"(barrier), "r"(x), "r"(y), "h"((unsigned short)mask) : "memory");
}

// The slot is free again: a warp says so to every block that sends into it, each lane to another.
__device__ void release(unsigned empty, unsigned mine)
{
    unsigned rank = threadIdx.x % 32;
    if (rank < CX * CY && (rank / CX == mine / CX || rank % CX == mine % CX))
        asm volatile("{ .reg .b32 there; mapa.shared::cluster.u32 there, %0, %1;"
                     " mbarrier.arrive.shared::cluster.b64 _, [there]; }" :: "r"(empty), "r"(rank) : "memory");
}

__device__ unsigned read(unsigned from)
{
    unsigned sum = 0, a, b, c, d;
    for (unsigned i = threadIdx.x * 16; i < 2 * TILE; i += WARPS * 32 * 16) {
        asm volatile("ld.shared.v4.u32 {%0, %1, %2, %3}, [%4];" : "=r"(a), "=r"(b), "=r"(c), "=r"(d) : "r"(from + i) : "memory");
        sum += (a + b + c + d) * (i < TILE ? 1 : 3);
    }
    return sum;
}

// One thread sends this block's parts of every step: a part of A to its row of the cluster, a part of B to its column.
__device__ void produce(const tensor_map *a, const tensor_map *b, unsigned steps, unsigned base, unsigned full, unsigned empty)
{
    unsigned x = blockIdx.x % CX, y = blockIdx.y % CY, row = 0, column = 0, stage = 0, parity = 1;
    for (unsigned i = 0; i < CX; i++) row |= 1 << (y * CX + i);
    for (unsigned i = 0; i < CY; i++) column |= 1 << (i * CX + x);
    for (unsigned step = 0; step < steps; step++) {
        wait_or_trap(empty + 8 * stage, parity);
        expect(full + 8 * stage, 2 * TILE);
        unsigned to = base + stage * 2 * TILE;
        copy(a, to + x * (TILE / CX), full + 8 * stage, step * 64, blockIdx.y * 128 + x * (128 / CX), row);
        copy(b, to + TILE + y * (TILE / CY), full + 8 * stage, step * 64, blockIdx.x * 128 + y * (128 / CY), column);
        if (++stage == STAGES) stage = 0, parity ^= 1;
    }
}

extern "C" __global__ void __cluster_dims__(CX, CY, 1) run(const __grid_constant__ tensor_map a, const __grid_constant__ tensor_map b,
                                                           unsigned steps, unsigned *sink)
{
    __shared__ __align__(8) u64 home[2 * STAGES];
    unsigned base = shared_address(window), full = shared_address(home), empty = full + 8 * STAGES, sum = 0;
    if (threadIdx.x < STAGES) {
        init(full + 8 * threadIdx.x);
        init(empty + 8 * threadIdx.x, WARPS * PEERS);
    }
    asm volatile("fence.mbarrier_init.release.cluster; fence.proxy.async.shared::cta;" ::: "memory");
    meet();
    if (threadIdx.x == WARPS * 32) produce(&a, &b, steps, base, full, empty);
    if (threadIdx.x < WARPS * 32)
        for (unsigned step = 0, stage = 0, parity = 0; step < steps; step++) {
            wait_or_trap(full + 8 * stage, parity);
#if READ
            sum += read(base + stage * 2 * TILE);
            asm volatile("fence.proxy.async;" ::: "memory");
#endif
            __syncwarp();
            release(empty + 8 * stage, blockIdx.y % CY * CX + blockIdx.x % CX);
            if (++stage == STAGES) stage = 0, parity ^= 1;
        }
    __syncthreads();
    meet();
    sum = __reduce_add_sync(0xFFFFFFFF, sum);
    if (threadIdx.x % 32 == 0 && READ) atomicAdd(sink, sum * (blockIdx.x + 2 * blockIdx.y + 1));
}
