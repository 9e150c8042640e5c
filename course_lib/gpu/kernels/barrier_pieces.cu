// One copy, and an mbarrier that expects some count of bytes: does a phase end when the copy's pieces pass that count on
// their way? -DBULK=1: a linear copy from the tensor's first row, 0: a box of two dimensions.
#include "tma.cuh"
#ifndef BULK
#define BULK 0
#endif
struct request { int x, y; unsigned bytes, expected, settle_ns; };

// One thread. answer: 1 where phase 0 had ended some time after the copy was asked for.
extern "C" __global__ void run(const __grid_constant__ tensor_map map, const __grid_constant__ request r,
                               const unsigned char *tensor, unsigned *answer)
{
    __shared__ __align__(8) u64 home;
    unsigned to = shared_address(window), barrier = shared_address(&home);
    init(barrier);
    proxy_fence();
    expect(barrier, r.expected);
#if BULK
    load_bytes(to, tensor + r.y * 256 + r.x, r.bytes, barrier);
#else
    load_2d(to, &map, r.x, r.y, barrier);
#endif
    for (u64 start = now(); now() - start < r.settle_ns;);
    answer[0] = test_wait(barrier, 0);
    for (u64 start = now(); now() - start < 20000;);  // let a copy that is still on its way land
}
