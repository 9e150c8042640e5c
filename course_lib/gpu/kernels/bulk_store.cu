// One linear bulk copy from shared memory to global memory. -DREDUCTION=".add.u32" makes it a reduction.
#include "tma.cuh"
#ifdef REDUCTION
#define COPY "cp.reduce.async.bulk.global.shared::cta.bulk_group" REDUCTION
#else
#define COPY "cp.async.bulk.global.shared::cta.bulk_group"
#endif
struct request { unsigned source, destination, size, shared_bytes; };

// answer: the window's address.
extern "C" __global__ void run(const __grid_constant__ request r, unsigned char *memory,
                               const unsigned char *source, unsigned *answer)
{
    unsigned base = shared_address(window);
    for (unsigned i = threadIdx.x; i < r.shared_bytes; i += blockDim.x) window[i] = source[i];
    proxy_fence();
    __syncthreads();
    if (threadIdx.x == 0) {
        answer[0] = base;
        asm volatile(COPY " [%0], [%1], %2;" :: "l"(memory + r.destination), "r"(base + r.source), "r"(r.size) : "memory");
        finish_stores();
    }
}
