// d = a * b + c by one instruction, bit for bit. -DOP such as "fma.rn.oob.f16x2" or "fma.rn.f32".
#ifndef OP
#define OP "fma.rn.oob.f16x2"
#endif

extern "C" __global__ void run(const unsigned *a, const unsigned *b, const unsigned *c, unsigned *d, unsigned count)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count)
        asm volatile("{ .reg .b32 x, y, z, w; mov.b32 x, %1; mov.b32 y, %2; mov.b32 z, %3; " OP " w, x, y, z; mov.b32 %0, w; }"
                     : "=r"(d[i]) : "r"(a[i]), "r"(b[i]), "r"(c[i]));
}
