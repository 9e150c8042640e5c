// A descriptor's address edited on the device, and a copy through it, again and again: does the copy see the edit?
// -DRELEASE: 1 tensormap.cp_fenceproxy, 0 ordinary stores and __threadfence. -DACQUIRE: 1 a proxy fence before the copy, 0 none.
// The addresses take turns; each memory begins with its own number. Needs the architecture's own features (sm_90a).
#include "tma.cuh"
#ifndef RELEASE
#define RELEASE 1
#endif
#ifndef ACQUIRE
#define ACQUIRE 1
#endif
#define MEMORIES 4
struct alignas(128) edited_map : tensor_map {};  // on multiples of 128, in shared memory too
struct request { u64 memory[MEMORIES]; unsigned edits, tile_bytes; };

__device__ unsigned wait(unsigned barrier, unsigned parity)
{
    unsigned done = 0;
    for (unsigned tries = 0; !done && tries < 1 << 20; tries++) done = try_wait(barrier, parity);
    return done;
}

#if defined(__CUDA_ARCH_SPECIFIC__) || defined(__CUDA_ARCH_FEAT_SM90_ALL)
// One warp: edits the copy of the descriptor in shared memory and publishes it.
__device__ void edit(edited_map *work, edited_map *place, u64 address)
{
    unsigned lane = threadIdx.x, at = shared_address(work);
    if (lane == 0)
        asm volatile("tensormap.replace.tile.global_address.shared::cta.b1024.b64 [%0], %1;" :: "r"(at), "l"(address) : "memory");
    __syncwarp();
#if RELEASE
    asm volatile("tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.gpu.sync.aligned [%0], [%1], 128;" :: "l"(place), "r"(at) : "memory");
#else
    if (lane < 16) ((volatile u64 *)place)[lane] = work->word[lane];
    __threadfence();
    __syncwarp();
#endif
}

__device__ void copy(const tensor_map *map, unsigned to, unsigned barrier, unsigned bytes)
{
#if ACQUIRE
    asm volatile("fence.proxy.tensormap::generic.acquire.gpu [%0], 128;" :: "l"(map) : "memory");
#endif
    expect(barrier, bytes);
    load_2d(to, map, 0, 0, barrier);
}
#endif

// arrived: for each edit, the number that the copied tile begins with. place: where the edited descriptor lies.
extern "C" __global__ void run(const __grid_constant__ edited_map map, const __grid_constant__ request r, edited_map *place, unsigned *arrived)
{
#if defined(__CUDA_ARCH_SPECIFIC__) || defined(__CUDA_ARCH_FEAT_SM90_ALL)
    __shared__ edited_map work;
    __shared__ __align__(8) u64 home;
    unsigned barrier = shared_address(&home), to = shared_address(window);
    if (threadIdx.x < 16) work.word[threadIdx.x] = map.word[threadIdx.x];
    if (threadIdx.x == 0) init(barrier);
    proxy_fence();
    __syncwarp();
    for (unsigned k = 0; k < r.edits; k++) {
        edit(&work, place, r.memory[k % MEMORIES]);
        if (threadIdx.x == 0) {
            copy(place, to, barrier, r.tile_bytes);
            arrived[k] = wait(barrier, k & 1) ? *(volatile unsigned *)window : 0xFFFFFFFF;
        }
        proxy_fence();
        __syncwarp();
    }
#endif
}
