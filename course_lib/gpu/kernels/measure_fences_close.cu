// Closer than measure_fences.cu: one warp writes a tile and its first lane at once has the engine copy it; no __syncthreads
// lies between. -DCASE: 0 the tile lies in shared memory and goes to global memory, 1 it lies in global memory and comes to
// shared memory. -DFENCE: 0 none, 1 fence.proxy.async, 2 __threadfence (case 1 alone). -DBUSY=1: seven more warps store to
// the same kind of memory meanwhile, their lanes 128 bytes apart. wrong[block][round] as in measure_fences.cu (case 1 alone).
#include "tma.cuh"
#ifndef CASE
#define CASE 0
#endif
#ifndef FENCE
#define FENCE 0
#endif
#ifndef BUSY
#define BUSY 0
#endif
#define WORDS 1024
#define ROUNDS 32
#define NEVER 0xFFFFFFFF

__device__ void fence()
{
#if FENCE == 1 && CASE == 0
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
#elif FENCE == 1
    asm volatile("fence.proxy.async.global;" ::: "memory");
#elif FENCE == 2
    __threadfence();
#endif
}

__device__ void keep_busy(volatile unsigned *other, volatile unsigned *over)
{
    for (unsigned tries = 0; !*over && tries < 1 << 16; tries++)
        for (unsigned i = 0; i < 8; i++) other[threadIdx.x % 32 * 32 + i] = tries;
}

__device__ void store(unsigned from, unsigned *to)
{
    store_bytes(to, from, 4 * WORDS);
    finish_reads();
}

__device__ void load(unsigned to, const unsigned *from, unsigned barrier)
{
    expect(barrier, 4 * WORDS);
    load_bytes(to, from, 4 * WORDS, barrier);
}

// One round of one warp: how many of this lane's words are wrong, or NEVER. place: global memory for this round's tile.
__device__ unsigned round_of(unsigned k, unsigned *tile, unsigned *place, unsigned barrier)
{
    unsigned lane = threadIdx.x, to = shared_address(tile), count = 0, ended = 1;
    unsigned *written = CASE ? place : tile;
#pragma unroll
    for (unsigned i = 0; i < WORDS / 32; i++) written[i * 32 + lane] = k << 16 | (i * 32 + lane);
    fence();
    __syncwarp();
#if CASE == 0
    if (lane == 0) store(to, place);
    __syncwarp();
#else
    if (lane == 0) { load(to, place, barrier); ended = wait_cycles(barrier, k & 1); }
    ended = __shfl_sync(0xFFFFFFFF, ended, 0);
    for (unsigned i = lane; i < WORDS; i += 32) count += *(volatile unsigned *)(tile + i) != (k << 16 | i);
    proxy_fence();  // the next copy overwrites what was read
    __syncwarp();
#endif
    return ended ? __reduce_add_sync(0xFFFFFFFF, count) : NEVER;
}

// memory: a tile for each block and round in case 0; in case 1 each block has one, written anew in every round.
extern "C" __global__ void run(unsigned *memory, unsigned *wrong)
{
    __shared__ __align__(128) unsigned tile[WORDS], other[WORDS];
    __shared__ __align__(8) u64 home;
    __shared__ unsigned over;
    unsigned barrier = shared_address(&home);
    if (threadIdx.x == 0) {
        over = 0;
        init(barrier);
    }
    proxy_fence();
    __syncthreads();
    if (BUSY && threadIdx.x >= 32) keep_busy(CASE ? memory + ((u64)blockIdx.x * ROUNDS + 1) * WORDS : other, &over);
    if (threadIdx.x >= 32) return;
    for (unsigned k = 0; k < ROUNDS; k++) {
        unsigned *place = memory + ((u64)blockIdx.x * ROUNDS + (CASE ? 0 : k)) * WORDS;
        unsigned told = round_of(k, tile, place, barrier);
        if (threadIdx.x == 0) wrong[blockIdx.x * ROUNDS + k] = told;
    }
    *(volatile unsigned *)&over = 1;
    if (CASE == 0 && threadIdx.x == 0) asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
}
