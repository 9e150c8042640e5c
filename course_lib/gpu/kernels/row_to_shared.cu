// Each of 128 threads brings 16 bytes of a row into shared memory; then each reads 4 bytes of its neighbour's piece.
// -DASYNC=1: by cp.async. -DASYNC=0: by a load into registers and a store from them. -DWAIT=0: nobody waits for the copies.
#ifndef ASYNC
#define ASYNC 1
#endif
#ifndef WAIT
#define WAIT 1
#endif

extern "C" __global__ void run(const unsigned char *in, unsigned pitch, unsigned *out)
{
    __shared__ __align__(16) unsigned char row[2048];
    const unsigned char *from = in + (unsigned long long)blockIdx.x * pitch + threadIdx.x * 16;
    unsigned char *to = row + threadIdx.x * 16;
#if ASYNC
    unsigned place = __cvta_generic_to_shared(to);
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" :: "r"(place), "l"(from) : "memory");
    asm volatile("cp.async.commit_group;" ::: "memory");
#if WAIT
    asm volatile("cp.async.wait_group 0;" ::: "memory");
#endif
#else
    *(uint4 *)to = *(const uint4 *)from;
#endif
    __syncthreads();
    out[blockIdx.x * 128 + threadIdx.x] = *(unsigned *)(row + (threadIdx.x + 1) % 128 * 16);
}
