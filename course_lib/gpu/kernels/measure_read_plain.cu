// A streaming read by ordinary loads of BYTES (16 or 4) into registers, UNROLL of them in flight for each thread.
// Rows of PIECES such pieces each lie pitch bytes apart.
#ifndef BYTES
#define BYTES 16
#endif
#ifndef UNROLL
#define UNROLL 4
#endif
#ifndef PIECES
#define PIECES 64
#endif
#if BYTES == 16
typedef uint4 piece;
__device__ unsigned add(piece p) { return p.x + p.y + p.z + p.w; }
#else
typedef unsigned piece;
__device__ unsigned add(piece p) { return p; }
#endif
typedef unsigned long long u64;

__device__ const piece *place(const unsigned char *memory, unsigned p, unsigned pitch)
{
    return (const piece *)(memory + (u64)(p / PIECES) * pitch + p % PIECES * BYTES);
}

extern "C" __global__ void __launch_bounds__(1024, 1) run(const unsigned char *__restrict__ memory, unsigned pieces, unsigned pitch, unsigned *sink)
{
    unsigned sum = 0, first = blockIdx.x * blockDim.x * UNROLL + threadIdx.x, step = gridDim.x * blockDim.x * UNROLL;
    for (; first + (UNROLL - 1) * blockDim.x < pieces; first += step) {
        piece v[UNROLL];
#pragma unroll
        for (int i = 0; i < UNROLL; i++) v[i] = __ldg(place(memory, first + i * blockDim.x, pitch));
#pragma unroll
        for (int i = 0; i < UNROLL; i++) sum += add(v[i]);
    }
    for (int i = 0; i < UNROLL; i++)  // what is left is no whole step
        if (first + i * blockDim.x < pieces) sum += add(*place(memory, first + i * blockDim.x, pitch));
    sum = __reduce_add_sync(0xFFFFFFFF, sum);
    if (threadIdx.x % 32 == 0) atomicAdd(sink, sum);
}
