// A script of steps on one mbarrier; what each shows is at once visible to the host, for a step may trap.
#include "tma.cuh"
struct script { int count, steps; int step[64][2]; };
struct sight { u64 memory; unsigned token, ended; };
enum { ARRIVE, EXPECT, ARRIVE_EXPECT, COPY, SETTLE, ARRIVE_DROP, ARRIVE_COUNT, COMPLETE, INVAL, INIT };

#define ON(instruction) asm volatile(instruction " [%0], %1;" :: "r"(barrier), "r"(n) : "memory")
#define TOKEN_OF(instruction) asm volatile(instruction : "=l"(token) : "r"(barrier), "r"(n) : "memory")

// The token that an arrival returns: its upper half is that of the barrier's word before the arrival.
__device__ u64 perform(int what, int n, unsigned barrier, const tensor_map *map, unsigned to)
{
    u64 token = 0;
    switch (what) {
    case ARRIVE: TOKEN_OF("mbarrier.arrive.shared::cta.b64 %0, [%1];"); break;
    case ARRIVE_EXPECT: TOKEN_OF("mbarrier.arrive.expect_tx.shared::cta.b64 %0, [%1], %2;"); break;
    case ARRIVE_DROP:
        if (n) TOKEN_OF("mbarrier.arrive_drop.shared::cta.b64 %0, [%1], %2;");
        else TOKEN_OF("mbarrier.arrive_drop.shared::cta.b64 %0, [%1];");
        break;
    case ARRIVE_COUNT: TOKEN_OF("mbarrier.arrive.shared::cta.b64 %0, [%1], %2;"); break;
    case EXPECT: ON("mbarrier.expect_tx.relaxed.cta.shared::cta.b64"); break;
    case COMPLETE: ON("mbarrier.complete_tx.relaxed.cta.shared::cta.b64"); break;
    case INIT: init(barrier, n); break;
    case INVAL: asm volatile("mbarrier.inval.shared::cta.b64 [%0];" :: "r"(barrier) : "memory"); break;
    case SETTLE: for (u64 start = now(); now() - start < n;); break;  // nanoseconds
    case COPY: load_2d(to, map, n, 0, barrier);
    }
    return token;
}

// seen: one a step, the first after init. memory: the 8 bytes as a plain load sees them, set to 0x1111… before init.
extern "C" __global__ void run(const __grid_constant__ tensor_map map, const __grid_constant__ script s, volatile sight *seen)
{
    __shared__ __align__(8) u64 home;
    unsigned base = shared_address(window), barrier = shared_address(&home);
    *(volatile u64 *)&home = 0x1111111111111111;
    init(barrier, s.count);
    proxy_fence();
    for (int i = 0; i <= s.steps; i++) {
        u64 token = i ? perform(s.step[i - 1][0], s.step[i - 1][1], barrier, &map, base) : 0;
        seen[i].memory = *(volatile u64 *)&home;
        seen[i].token = token >> 32;
        seen[i].ended = test_wait(barrier, 0) | test_wait(barrier, 1) << 1;
        __threadfence_system();
    }
    for (u64 start = now(); now() - start < 20000;);  // let a copy that is still on its way land
}
