// A streaming read by cp.async of BYTES (16 or 4): each thread keeps STAGES groups of UNROLL copies in flight and reads
// back what it copied itself. Rows of PIECES such pieces each lie pitch bytes apart.
#ifndef BYTES
#define BYTES 16
#endif
#ifndef STAGES
#define STAGES 4
#endif
#ifndef UNROLL
#define UNROLL 1
#endif
#ifndef PIECES
#define PIECES 64
#endif
#if BYTES == 16
#define COPY "cp.async.cg.shared.global [%0], [%1], 16;"
#else
#define COPY "cp.async.ca.shared.global [%0], [%1], 4;"
#endif
typedef unsigned long long u64;
extern __shared__ __align__(1024) unsigned char window[];

__device__ unsigned number(unsigned step, int i)
{
    return (step * gridDim.x + blockIdx.x) * blockDim.x * UNROLL + i * blockDim.x + threadIdx.x;
}

__device__ unsigned place(unsigned step, int i)
{
    return __cvta_generic_to_shared(window) + ((step % STAGES * UNROLL + i) * blockDim.x + threadIdx.x) * BYTES;
}

__device__ void issue(const unsigned char *memory, unsigned pieces, unsigned pitch, unsigned step, unsigned steps)
{
#pragma unroll
    for (int i = 0; i < UNROLL; i++) {
        unsigned p = number(step, i);
        if (step < steps && p < pieces)
            asm volatile(COPY :: "r"(place(step, i)), "l"(memory + (u64)(p / PIECES) * pitch + p % PIECES * BYTES) : "memory");
    }
    asm volatile("cp.async.commit_group;" ::: "memory");
}

__device__ unsigned read(unsigned at)
{
    unsigned a, b = 0, c = 0, d = 0;
#if BYTES == 16
    asm volatile("ld.shared.v4.u32 {%0, %1, %2, %3}, [%4];" : "=r"(a), "=r"(b), "=r"(c), "=r"(d) : "r"(at) : "memory");
#else
    asm volatile("ld.shared.u32 %0, [%1];" : "=r"(a) : "r"(at) : "memory");
#endif
    return a + b + c + d;
}

extern "C" __global__ void run(const unsigned char *memory, unsigned pieces, unsigned pitch, unsigned *sink)
{
    unsigned sum = 0, each = gridDim.x * blockDim.x * UNROLL, steps = (pieces + each - 1) / each;
    for (unsigned step = 0; step < STAGES; step++) issue(memory, pieces, pitch, step, steps);
    for (unsigned step = 0; step < steps; step++) {
        asm volatile("cp.async.wait_group %0;" :: "n"(STAGES - 1) : "memory");
#pragma unroll
        for (int i = 0; i < UNROLL; i++)
            if (number(step, i) < pieces) sum += read(place(step, i));
        issue(memory, pieces, pitch, step + STAGES, steps);
    }
    sum = __reduce_add_sync(0xFFFFFFFF, sum);
    if (threadIdx.x % 32 == 0) atomicAdd(sink, sum);
}
