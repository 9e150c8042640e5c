// What survives in L2: every block reads its part of some memory X, then of another Y, then X again, by bulk copies whose
// bytes nobody looks at. Each phase has a cache policy (-DX_POLICY, -DY_POLICY, such as "evict_first"; none by default).
// -DTENSOR=1: by tensor copies, each a box of 32 rows of 256 bytes; 0: by linear ones of the same bytes.
#include "tma.cuh"
#ifdef X_POLICY
#define X_MAKE asm("createpolicy.fractional.L2::" X_POLICY ".b64 %0, 1.0;" : "=l"(policy));
#define X_HINT 1
#else
#define X_MAKE
#define X_HINT 0
#endif
#ifdef Y_POLICY
#define Y_MAKE asm("createpolicy.fractional.L2::" Y_POLICY ".b64 %0, 1.0;" : "=l"(policy));
#define Y_HINT 1
#else
#define Y_MAKE
#define Y_HINT 0
#endif
#ifndef TENSOR
#define TENSOR 0
#endif
#define STAGES 8
#define TILE 8192
#define BOX_ROWS 32

// All blocks meet: the counter goes up to a multiple of their number.
__device__ void meet(unsigned *counter, unsigned upto)
{
    __threadfence();
    atomicAdd(counter, 1);
    u64 start = now();
    while (*(volatile unsigned *)counter < upto)
        if (now() - start > 1000000000) asm volatile("trap;");
}

#if TENSOR
typedef const tensor_map *source;
#define PARAMETER(name) const __grid_constant__ tensor_map name
#define SOURCE(name) &name
#define COPY "cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes"
#define OPERANDS(hint) " [%0], [%1, {%4, %2}], [%3]" hint ";"
#define PLACE "l"(memory), "r"(tile * BOX_ROWS), "r"(barrier), "r"(0)
#else
typedef const unsigned char *source;
#define PARAMETER(name) source name
#define SOURCE(name) name
#define COPY "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes"
#define OPERANDS(hint) " [%0], [%1], %2, [%3]" hint ";"
#define PLACE "l"(memory + (u64)tile * TILE), "r"(TILE), "r"(barrier), "r"(0)
#endif

__device__ void copy(source memory, unsigned tile, unsigned to, unsigned barrier, int hint, u64 policy)
{
    expect(barrier, TILE);
    if (hint) asm volatile(COPY ".L2::cache_hint" OPERANDS(", %5") :: "r"(to), PLACE, "l"(policy) : "memory");
    else asm volatile(COPY OPERANDS("") :: "r"(to), PLACE : "memory");
}

// Goes on where the ring stood: "done" counts the tiles that this block ever asked for.
__device__ unsigned stream(source memory, unsigned tiles, unsigned done, unsigned full, int hint, u64 policy)
{
    unsigned base = shared_address(window), begin = done;
    for (unsigned tile = blockIdx.x; tile < tiles; tile += gridDim.x, done++) {
        unsigned stage = done % STAGES;
        if (done >= begin + STAGES) wait_or_trap(full + 8 * stage, (done / STAGES - 1) & 1);
        copy(memory, tile, base + stage * TILE, full + 8 * stage, hint, policy);
    }
    for (unsigned last = done > begin + STAGES ? done - STAGES : begin; last < done; last++) wait_or_trap(full + 8 * (last % STAGES), last / STAGES & 1);
    return done;
}

// times: for each block, when each of the three phases began, and the end.
extern "C" __global__ void run(PARAMETER(x), unsigned x_tiles, PARAMETER(y), unsigned y_tiles, unsigned *counter, u64 *times)
{
    __shared__ __align__(8) u64 home[STAGES];
    unsigned full = shared_address(home), done = 0;
    if (threadIdx.x) return;
    for (int i = 0; i < STAGES; i++) init(full + 8 * i);
    proxy_fence();
    for (unsigned phase = 0; phase < 3; phase++) {
        u64 policy = 0;
        meet(counter, gridDim.x * (phase + 1));
        times[blockIdx.x * 4 + phase] = now();
        if (phase == 1) { Y_MAKE done = stream(SOURCE(y), y_tiles, done, full, Y_HINT, policy); }
        else { X_MAKE done = stream(SOURCE(x), x_tiles, done, full, X_HINT, policy); }
    }
    times[blockIdx.x * 4 + 3] = now();
}
