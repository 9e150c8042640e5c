// Cycles until one tile lies in shared memory for the whole block. -DHOW: 0 tensor copy, 1 linear bulk copy, 2 cp.async,
// 3 ordinary loads and stores, -DPIECES a thread. -DPREFETCH: 1 a tensor prefetch, 2 a linear one, some microseconds before.
#ifndef HOW
#define HOW 0
#endif
#ifndef PREFETCH
#define PREFETCH 0
#endif
#ifndef PIECES
#define PIECES 16  // of 16 bytes a thread
#endif
struct alignas(64) tensor_map { unsigned long long word[16]; };
struct request { unsigned tile_bytes, step_bytes, step_rows, times; };
typedef unsigned long long u64;
extern __shared__ __align__(1024) unsigned char window[];

__device__ unsigned cycles() { unsigned t; asm volatile("mov.u32 %0, %%clock;" : "=r"(t) :: "memory"); return t; }
__device__ u64 now() { u64 t; asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t)); return t; }

__device__ void wait(unsigned barrier, unsigned parity)
{
    unsigned done = 0;
    for (unsigned tries = 0; !done; tries++) {
        asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }"
                     : "=r"(done) : "r"(barrier), "r"(parity) : "memory");
        if (tries > 1 << 22) asm volatile("trap;");
    }
}

__device__ void prefetch(const tensor_map *map, const unsigned char *from, unsigned bytes, unsigned row)
{
#if PREFETCH == 1
    asm volatile("cp.async.bulk.prefetch.tensor.2d.L2.global.tile [%0, {%1, %2}];" :: "l"(map), "r"(0), "r"(row) : "memory");
#elif PREFETCH == 2
    asm volatile("cp.async.bulk.prefetch.L2.global [%0], %1;" :: "l"(from), "r"(bytes) : "memory");
#endif
}

__device__ void bring(const tensor_map *map, const unsigned char *from, unsigned to, unsigned bytes, unsigned row, unsigned barrier, unsigned parity)
{
#if HOW < 2
    if (threadIdx.x == 0) {
        asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" :: "r"(barrier), "r"(bytes) : "memory");
#if HOW == 0
        asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {%3, %4}], [%2];"
                     :: "r"(to), "l"(map), "r"(barrier), "r"(0), "r"(row) : "memory");
#else
        asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];"
                     :: "r"(to), "l"(from), "r"(bytes), "r"(barrier) : "memory");
#endif
    }
    wait(barrier, parity);
#elif HOW == 2
    for (unsigned i = threadIdx.x * 16; i < bytes; i += blockDim.x * 16)
        asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" :: "r"(to + i), "l"(from + i) : "memory");
    asm volatile("cp.async.wait_all;" ::: "memory");
    __syncthreads();
#else
    uint4 v[PIECES];
#pragma unroll
    for (int i = 0; i < PIECES; i++) {
        unsigned at = (threadIdx.x + i * blockDim.x) * 16;
        if (PIECES > 1 || at < bytes) v[i] = __ldcg((const uint4 *)(from + at));
    }
    __syncwarp();  // or the compiler would store the first before it loads the last
#pragma unroll
    for (int i = 0; i < PIECES; i++) {
        unsigned at = (threadIdx.x + i * blockDim.x) * 16;
        if (PIECES > 1 || at < bytes) *(uint4 *)(window + at) = v[i];
    }
    __syncthreads();
#endif
}

// spent: cycles of each copy, then the cycles and nanoseconds of all, which give the clock's rate.
extern "C" __global__ void run(const __grid_constant__ tensor_map map, const __grid_constant__ request r,
                               const unsigned char *memory, unsigned *spent, unsigned *sink)
{
    __shared__ __align__(8) u64 home;
    unsigned base = __cvta_generic_to_shared(window), barrier = __cvta_generic_to_shared(&home), sum = 0;
    if (threadIdx.x == 0) asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" :: "r"(barrier) : "memory");
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    u64 began = now();
    unsigned first = cycles();
    for (unsigned k = 0; k < r.times; k++) {
        const unsigned char *from = memory + (u64)k * r.step_bytes;
        if (PREFETCH && threadIdx.x == 0) {
            prefetch(&map, from, r.tile_bytes, k * r.step_rows);
            for (u64 start = now(); now() - start < 8000;);
        }
        __syncthreads();
        unsigned start = cycles();
        bring(&map, from, base, r.tile_bytes, k * r.step_rows, barrier, k & 1);
        unsigned end = cycles();
        if (threadIdx.x == 0) spent[k] = end - start;
        for (unsigned i = threadIdx.x * 4; i < r.tile_bytes; i += blockDim.x * 4) sum += *(volatile unsigned *)(window + i);
        asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
        __syncthreads();
    }
    if (threadIdx.x == 0) spent[r.times] = cycles() - first, spent[r.times + 1] = now() - began;
    atomicAdd(sink, sum);
}
