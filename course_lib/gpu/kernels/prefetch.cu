// One prefetch of a tile into L2: no shared memory, no barrier, nothing to wait for.
#include "tma.cuh"
struct request { int rank, coordinate[5]; };

#define PREFETCH(dims, coordinates, ...) \
    asm volatile("cp.async.bulk.prefetch.tensor." dims ".L2.global.tile [%0, {" coordinates "}];" \
                 :: "l"(map), __VA_ARGS__ : "memory")

__device__ void prefetch(const tensor_map *map, const int *c, int rank)
{
    switch (rank) {
    case 1: PREFETCH("1d", "%1", "r"(c[0])); break;
    case 2: PREFETCH("2d", "%1, %2", "r"(c[0]), "r"(c[1])); break;
    case 3: PREFETCH("3d", "%1, %2, %3", "r"(c[0]), "r"(c[1]), "r"(c[2])); break;
    case 4: PREFETCH("4d", "%1, %2, %3, %4", "r"(c[0]), "r"(c[1]), "r"(c[2]), "r"(c[3])); break;
    case 5: PREFETCH("5d", "%1, %2, %3, %4, %5", "r"(c[0]), "r"(c[1]), "r"(c[2]), "r"(c[3]), "r"(c[4])); break;
    }
}

extern "C" __global__ void run(const __grid_constant__ tensor_map map, const __grid_constant__ request r)
{
    if (threadIdx.x == 0) prefetch(&map, r.coordinate, r.rank);
}
