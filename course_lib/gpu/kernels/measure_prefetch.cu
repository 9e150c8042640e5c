// A streaming read whose bytes nobody looks at: one thread a block copies its tiles into a ring of stages. -DPREFETCH: it asks
// for each tile into L2 as well, "ahead" of its own tiles before the copy (0: right before it).
#ifndef PREFETCH
#define PREFETCH 0
#endif
#define STAGES_MAX 64
struct alignas(64) tensor_map { unsigned long long word[16]; };
struct request { unsigned tiles, box_rows, tile_bytes, stage_bytes, stages, ahead; };
typedef unsigned long long u64;
extern __shared__ __align__(1024) unsigned char window[];

__device__ void wait(unsigned barrier, unsigned parity)
{
    unsigned done = 0;
    for (unsigned tries = 0; !done; tries++) {
        asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }"
                     : "=r"(done) : "r"(barrier), "r"(parity) : "memory");
        if (tries > 1 << 22) asm volatile("trap;");
    }
}

__device__ void prefetch(const tensor_map *map, const request &r, unsigned tile)
{
#if PREFETCH
    if (tile < r.tiles)
        asm volatile("cp.async.bulk.prefetch.tensor.2d.L2.global.tile [%0, {%1, %2}];" :: "l"(map), "r"(0), "r"(tile * r.box_rows) : "memory");
#endif
}

__device__ void copy(const tensor_map *map, const request &r, unsigned tile, unsigned to, unsigned barrier)
{
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" :: "r"(barrier), "r"(r.tile_bytes) : "memory");
    asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {%3, %4}], [%2];"
                 :: "r"(to), "l"(map), "r"(barrier), "r"(0), "r"(tile * r.box_rows) : "memory");
}

extern "C" __global__ void run(const __grid_constant__ tensor_map map, const __grid_constant__ request r)
{
    __shared__ __align__(8) u64 home[STAGES_MAX];
    unsigned full = __cvta_generic_to_shared(home), base = __cvta_generic_to_shared(window), done = 0;
    if (threadIdx.x) return;
    for (unsigned i = 0; i < r.stages; i++) asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" :: "r"(full + 8 * i) : "memory");
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    for (unsigned early = 0; early < r.ahead; early++) prefetch(&map, r, blockIdx.x + early * gridDim.x);
    for (unsigned tile = blockIdx.x; tile < r.tiles; tile += gridDim.x, done++) {
        unsigned stage = done % r.stages;
        prefetch(&map, r, tile + r.ahead * gridDim.x);
        if (done >= r.stages) wait(full + 8 * stage, (done / r.stages - 1) & 1);
        copy(&map, r, tile, base + stage * r.stage_bytes, full + 8 * stage);
    }
    for (unsigned last = done > r.stages ? done - r.stages : 0; last < done; last++) wait(full + 8 * (last % r.stages), last / r.stages & 1);
}
