// Fills memory with the recordings' random words: 64-bit word i of seed s is splitmix64 of s * 2**32 + i.
typedef unsigned long long u64;

extern "C" __global__ void fill(u64 *memory, u64 words, unsigned seed)
{
    for (u64 i = blockIdx.x * (u64)blockDim.x + threadIdx.x; i < words; i += (u64)gridDim.x * blockDim.x) {
        u64 z = (((u64)seed << 32) + i + 1) * 0x9E3779B97F4A7C15;
        z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9;
        z = (z ^ z >> 27) * 0x94D049BB133111EB;
        memory[i] = z ^ z >> 31;
    }
}
