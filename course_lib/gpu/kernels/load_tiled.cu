// One bulk tensor load in tiled mode: global memory to shared memory, counted by one mbarrier.
#include "tma.cuh"
struct request {
    int rank, coordinate[5], offset[3];
    unsigned shared_address, window_bytes, transaction_bytes, patience_ns, barrier_offset;
    int short_bytes;
};

#define LOAD(dims, coordinates, ...) \
    asm volatile("cp.async.bulk.tensor." dims ".shared::cluster.global.tile.mbarrier::complete_tx::bytes " \
                 "[%0], [%1, {" coordinates "}], [%2];" :: "r"(to), "l"(map), "r"(barrier), __VA_ARGS__ : "memory")

__device__ void load(const tensor_map *map, const request &r, unsigned to, unsigned barrier)
{
    const int *c = r.coordinate;
    switch (r.rank) {
    case 1: LOAD("1d", "%3", "r"(c[0])); break;
    case 2: LOAD("2d", "%3, %4", "r"(c[0]), "r"(c[1])); break;
    case 3: LOAD("3d", "%3, %4, %5", "r"(c[0]), "r"(c[1]), "r"(c[2])); break;
    case 4: LOAD("4d", "%3, %4, %5, %6", "r"(c[0]), "r"(c[1]), "r"(c[2]), "r"(c[3])); break;
    case 5: LOAD("5d", "%3, %4, %5, %6, %7", "r"(c[0]), "r"(c[1]), "r"(c[2]), "r"(c[3]), "r"(c[4])); break;
    }
}

// What a barrier that never completed still waits for, tried: does the phase end once these bytes are made up by hand?
__device__ unsigned made_up(unsigned barrier, int bytes, unsigned patience_ns)
{
    if (bytes > 0) asm volatile("mbarrier.complete_tx.relaxed.cta.shared::cta.b64 [%0], %1;" :: "r"(barrier), "r"(bytes) : "memory");
    if (bytes < 0) asm volatile("mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [%0], %1;" :: "r"(barrier), "r"(-bytes) : "memory");
    return wait_ns(barrier, patience_ns);
}

// answer: the wait's outcome, the window's address, and where it did not complete, the outcome of making up for it.
extern "C" __global__ void run(const __grid_constant__ tensor_map map, const __grid_constant__ request r,
                               unsigned char *copied, unsigned *answer)
{
    __shared__ __align__(64) u64 home[2];
    unsigned base = shared_address(window), barrier = shared_address(home);
    for (unsigned i = threadIdx.x; i < r.window_bytes; i += blockDim.x) window[i] = 0xCD;
    if (threadIdx.x == 0) init(barrier);
    proxy_fence();
    __syncthreads();
    if (threadIdx.x == 0) {
        expect(barrier, r.transaction_bytes);
        load(&map, r, base + r.shared_address, barrier + r.barrier_offset);
        answer[0] = wait_ns(barrier, r.patience_ns);
        answer[1] = base;
        answer[2] = !answer[0] && r.short_bytes ? made_up(barrier, r.short_bytes, r.patience_ns) : 0;
    }
    __syncthreads();
    for (unsigned i = threadIdx.x; i < r.window_bytes; i += blockDim.x) copied[i] = window[i];
}
