// Cycles of one warp's shared-memory load at 32 given byte addresses. -DBYTES=4, 8, 16, or 0 for ldmatrix.x4.
#include "tma.cuh"
#ifndef BYTES
#define BYTES 4
#endif
#if BYTES == 4
#define WORDS 1
#define LOAD(v, at) asm volatile("ld.volatile.shared.u32 %0, [%1];" : "=r"(v[0]) : "r"(at))
#elif BYTES == 8
#define WORDS 2
#define LOAD(v, at) asm volatile("ld.volatile.shared.v2.u32 {%0, %1}, [%2];" : "=r"(v[0]), "=r"(v[1]) : "r"(at))
#elif BYTES == 16
#define WORDS 4
#define LOAD(v, at) asm volatile("ld.volatile.shared.v4.u32 {%0, %1, %2, %3}, [%4];" : "=r"(v[0]), "=r"(v[1]), "=r"(v[2]), "=r"(v[3]) : "r"(at))
#else  // the address moves by a step that is 0 at run time, or the compiler would load but once
#define WORDS 4
#define LOAD(v, at) at += step; asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];" : "=r"(v[0]), "=r"(v[1]), "=r"(v[2]), "=r"(v[3]) : "r"(at))
#endif
#define BATCH 8
#define ROUNDS 64

// Every warp loads BATCH x ROUNDS times. times: start and end by warp. sink keeps the loads alive.
extern "C" __global__ void throughput(const unsigned *address, unsigned shared_bytes, unsigned *times, unsigned *sink, unsigned step)
{
    for (unsigned i = threadIdx.x; i < shared_bytes; i += blockDim.x) window[i] = 0;
    unsigned at = shared_address(window) + address[threadIdx.x % 32], sum = 0;
    __syncthreads();
    unsigned start = cycles();
    for (int round = 0; round < ROUNDS; round++) {
        unsigned v[BATCH][WORDS];
#pragma unroll
        for (int i = 0; i < BATCH; i++) { LOAD(v[i], at); }
#pragma unroll
        for (int i = 0; i < BATCH; i++)
#pragma unroll
            for (int w = 0; w < WORDS; w++) sum ^= v[i][w];
    }
    if (sum == 1) *sink = sum;
    unsigned end = cycles();
    if (threadIdx.x % 32 == 0) times[threadIdx.x / 16] = start, times[threadIdx.x / 16 + 1] = end;
}

// One warp; the address of each load depends on the value of the one before it (which is 0).
extern "C" __global__ void latency(const unsigned *address, unsigned shared_bytes, unsigned *times, unsigned *sink, unsigned step)
{
    for (unsigned i = threadIdx.x; i < shared_bytes; i += blockDim.x) window[i] = 0;
    unsigned at = shared_address(window) + address[threadIdx.x % 32];
    __syncthreads();
    unsigned start = cycles(), v[WORDS];
#pragma unroll 8
    for (int i = 0; i < BATCH * ROUNDS; i++) {
        LOAD(v, at);
        at += v[0];
    }
    if (at == 1) *sink = at;
    unsigned end = cycles();
    if (threadIdx.x == 0) times[0] = start, times[1] = end;
}
