// One linear prefetch into L2.
struct request { unsigned long long source; unsigned size; };

extern "C" __global__ void run(const __grid_constant__ request r, const unsigned char *memory)
{
    if (threadIdx.x == 0)
        asm volatile("cp.async.bulk.prefetch.L2.global [%0], %1;" :: "l"(memory + r.source), "r"(r.size) : "memory");
}
