// One bulk tensor reduction: global memory becomes OP(global, shared), element by element. -DOP="min" and so on.
#include "tma.cuh"
#ifndef OP
#define OP "add"
#endif
#ifndef MODE
#define MODE "tile"
#endif
struct request { int rank, coordinate[5]; unsigned shared_address, shared_bytes; };

#define REDUCE(dims, coordinates, ...) \
    asm volatile("cp.reduce.async.bulk.tensor." dims ".global.shared::cta." OP "." MODE ".bulk_group [%0, {" coordinates "}], [%1];" \
                 :: "l"(map), "r"(from), __VA_ARGS__ : "memory")

__device__ void reduce(const tensor_map *map, const request &r, unsigned from)
{
    const int *c = r.coordinate;
    switch (r.rank) {
#ifndef IM2COL
    case 1: REDUCE("1d", "%2", "r"(c[0])); break;
    case 2: REDUCE("2d", "%2, %3", "r"(c[0]), "r"(c[1])); break;
#endif
    case 3: REDUCE("3d", "%2, %3, %4", "r"(c[0]), "r"(c[1]), "r"(c[2])); break;
    case 4: REDUCE("4d", "%2, %3, %4, %5", "r"(c[0]), "r"(c[1]), "r"(c[2]), "r"(c[3])); break;
    case 5: REDUCE("5d", "%2, %3, %4, %5, %6", "r"(c[0]), "r"(c[1]), "r"(c[2]), "r"(c[3]), "r"(c[4])); break;
    }
}

// answer: the window's address.
extern "C" __global__ void run(const __grid_constant__ tensor_map map, const __grid_constant__ request r,
                               const unsigned char *source, unsigned *answer)
{
    unsigned base = shared_address(window);
    for (unsigned i = threadIdx.x; i < r.shared_bytes; i += blockDim.x) window[i] = source[i];
    proxy_fence();
    __syncthreads();
    if (threadIdx.x == 0) {
        answer[0] = base;
        reduce(&map, r, base + r.shared_address);
        finish_stores();
    }
}
