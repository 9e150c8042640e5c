// One prefetch of a column of pixels into L2: no shared memory, no barrier, nothing to wait for.
#include "tma.cuh"
struct request { int rank, coordinate[5], offset[3]; };

#define PREFETCH(dims, coordinates, offsets, ...) \
    asm volatile("cp.async.bulk.prefetch.tensor." dims ".L2.global.im2col [%0, {" coordinates "}], {" offsets "};" \
                 :: "l"(map), __VA_ARGS__ : "memory")

__device__ void prefetch(const tensor_map *map, const request &r)
{
    const int *c = r.coordinate;
    unsigned short o[3] = {(unsigned short)r.offset[0], (unsigned short)r.offset[1], (unsigned short)r.offset[2]};
    switch (r.rank) {
    case 3: PREFETCH("3d", "%1, %2, %3", "%4", "r"(c[0]), "r"(c[1]), "r"(c[2]), "h"(o[0])); break;
    case 4: PREFETCH("4d", "%1, %2, %3, %4", "%5, %6",
                     "r"(c[0]), "r"(c[1]), "r"(c[2]), "r"(c[3]), "h"(o[0]), "h"(o[1])); break;
    case 5: PREFETCH("5d", "%1, %2, %3, %4, %5", "%6, %7, %8",
                     "r"(c[0]), "r"(c[1]), "r"(c[2]), "r"(c[3]), "r"(c[4]), "h"(o[0]), "h"(o[1]), "h"(o[2])); break;
    }
}

extern "C" __global__ void run(const __grid_constant__ tensor_map map, const __grid_constant__ request r)
{
    if (threadIdx.x == 0) prefetch(&map, r);
}
