// One bulk tensor store: shared memory to global memory. -DMODE="im2col_no_offs" stores pixels instead of a tile.
#include "tma.cuh"
#ifndef MODE
#define MODE "tile"
#endif
struct request { int rank, coordinate[5]; unsigned shared_address, shared_bytes; };

#define STORE(dims, coordinates, ...) \
    asm volatile("cp.async.bulk.tensor." dims ".global.shared::cta." MODE ".bulk_group [%0, {" coordinates "}], [%1];" \
                 :: "l"(map), "r"(from), __VA_ARGS__ : "memory")

__device__ void store(const tensor_map *map, const request &r, unsigned from)
{
    const int *c = r.coordinate;
    switch (r.rank) {
#ifndef IM2COL
    case 1: STORE("1d", "%2", "r"(c[0])); break;
    case 2: STORE("2d", "%2, %3", "r"(c[0]), "r"(c[1])); break;
#endif
    case 3: STORE("3d", "%2, %3, %4", "r"(c[0]), "r"(c[1]), "r"(c[2])); break;
    case 4: STORE("4d", "%2, %3, %4, %5", "r"(c[0]), "r"(c[1]), "r"(c[2]), "r"(c[3])); break;
    case 5: STORE("5d", "%2, %3, %4, %5, %6", "r"(c[0]), "r"(c[1]), "r"(c[2]), "r"(c[3]), "r"(c[4])); break;
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
        store(&map, r, base + r.shared_address);
        finish_stores();
    }
}
