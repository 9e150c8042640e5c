// A descriptor's address edited on the device, and a copy through it, again and again: does the copy see the edit?
// -DRELEASE: 1 tensormap.cp_fenceproxy, 0 ordinary stores and __threadfence. -DACQUIRE: 1 a proxy fence before the copy, 0 none.
// The addresses take turns; each memory begins with its own number. Needs the architecture's own features (sm_90a).
#ifndef RELEASE
#define RELEASE 1
#endif
#ifndef ACQUIRE
#define ACQUIRE 1
#endif
#define MEMORIES 4
struct alignas(128) tensor_map { unsigned long long word[16]; };
struct request { unsigned long long memory[MEMORIES]; unsigned edits, tile_bytes; };
typedef unsigned long long u64;
extern __shared__ __align__(1024) unsigned char window[];

__device__ unsigned wait(unsigned barrier, unsigned parity)
{
    unsigned done = 0;
    for (unsigned tries = 0; !done && tries < 1 << 20; tries++)
        asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }"
                     : "=r"(done) : "r"(barrier), "r"(parity) : "memory");
    return done;
}

#if defined(__CUDA_ARCH_SPECIFIC__) || defined(__CUDA_ARCH_FEAT_SM90_ALL)
// One warp: edits the copy of the descriptor in shared memory and publishes it.
__device__ void edit(tensor_map *work, tensor_map *place, u64 address)
{
    unsigned lane = threadIdx.x, at = __cvta_generic_to_shared(work);
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
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" :: "r"(barrier), "r"(bytes) : "memory");
    asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {%3, %3}], [%2];"
                 :: "r"(to), "l"(map), "r"(barrier), "r"(0) : "memory");
}
#endif

// arrived: for each edit, the number that the copied tile begins with. place: where the edited descriptor lies.
extern "C" __global__ void run(const __grid_constant__ tensor_map map, const __grid_constant__ request r, tensor_map *place, unsigned *arrived)
{
#if defined(__CUDA_ARCH_SPECIFIC__) || defined(__CUDA_ARCH_FEAT_SM90_ALL)
    __shared__ tensor_map work;
    __shared__ __align__(8) u64 home;
    unsigned barrier = __cvta_generic_to_shared(&home), to = __cvta_generic_to_shared(window);
    if (threadIdx.x < 16) work.word[threadIdx.x] = map.word[threadIdx.x];
    if (threadIdx.x == 0) asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" :: "r"(barrier) : "memory");
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    __syncwarp();
    for (unsigned k = 0; k < r.edits; k++) {
        edit(&work, place, r.memory[k % MEMORIES]);
        if (threadIdx.x == 0) {
            copy(place, to, barrier, r.tile_bytes);
            arrived[k] = wait(barrier, k & 1) ? *(volatile unsigned *)window : 0xFFFFFFFF;
        }
        asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
        __syncwarp();
    }
#endif
}
