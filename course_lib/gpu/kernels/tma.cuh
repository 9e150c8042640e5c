// What the kernels share: the tensor map, the barrier and its bounded waits, a fence, the copies that most of them make.
// Barriers and shared memory are named by their shared addresses. Source of each instruction: PTX ISA, the section in (…).
#pragma once
typedef unsigned long long u64;
struct alignas(64) tensor_map { u64 word[16]; };           // opaque, on a multiple of 64 bytes (tensor map)
extern __shared__ __align__(1024) unsigned char window[];  // as large as the launch asks for

// PTX takes shared addresses, 32 bits; a C pointer is generic, 64 bits (cvta).
__device__ inline unsigned shared_address(const void *there) { return __cvta_generic_to_shared(there); }

// Nanoseconds, and cycles of this SM (%globaltimer, %clock). No access to memory is moved across cycles().
__device__ inline u64 now() { u64 t; asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t)); return t; }
__device__ inline unsigned cycles() { unsigned t; asm volatile("mov.u32 %0, %%clock;" : "=r"(t) :: "memory"); return t; }

// Sets the barrier up: each phase will need so many arrivals (mbarrier.init).
__device__ inline void init(unsigned barrier, unsigned arrivals = 1)
{
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" :: "r"(barrier), "r"(arrivals) : "memory");
}

// What threads did to shared memory comes before what the engine does to it (membar, fence: proxy fence).
__device__ inline void proxy_fence() { asm volatile("fence.proxy.async.shared::cta;" ::: "memory"); }

// One arrival, and the bytes that will come in this phase (mbarrier.arrive).
__device__ inline void expect(unsigned barrier, unsigned bytes)
{
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" :: "r"(barrier), "r"(bytes) : "memory");
}

// Has the phase of this parity ended? The second may let the thread sleep for a while (mbarrier.test_wait, mbarrier.try_wait).
#define ASK(instruction) \
    asm volatile("{ .reg .pred p; " instruction ".parity.shared::cta.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }" \
                 : "=r"(yes) : "r"(barrier), "r"(parity) : "memory")
__device__ inline unsigned test_wait(unsigned barrier, unsigned parity) { unsigned yes; ASK("mbarrier.test_wait"); return yes; }
__device__ inline unsigned try_wait(unsigned barrier, unsigned parity) { unsigned yes; ASK("mbarrier.try_wait"); return yes; }
#undef ASK

// Three waits, none of them for ever. For phase 0, some nanoseconds: did it end?
__device__ inline unsigned wait_ns(unsigned barrier, unsigned patience_ns)
{
    unsigned done = 0;
    for (u64 start = now(); !done && now() - start < patience_ns;) done = test_wait(barrier, 0);
    return done;
}

// Ten million cycles: did the phase end?
__device__ inline unsigned wait_cycles(unsigned barrier, unsigned parity)
{
    unsigned done = 0;
    for (unsigned start = cycles(); !done && cycles() - start < 10000000;) done = test_wait(barrier, parity);
    return done;
}

// A phase that has not ended after some seconds never will: then the launch fails.
__device__ inline void wait_or_trap(unsigned barrier, unsigned parity)
{
    for (unsigned tries = 0, done = 0; !done; tries++) {
        done = try_wait(barrier, parity);
        if (tries > 1 << 22) asm volatile("trap;");
    }
}

// A box to shared memory, counted by the barrier (cp.async.bulk.tensor).
__device__ inline void load_2d(unsigned to, const tensor_map *map, int x, int y, unsigned barrier)
{
    asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {%3, %4}], [%2];"
                 :: "r"(to), "l"(map), "r"(barrier), "r"(x), "r"(y) : "memory");
}

// Bytes in a row: to shared memory, counted by the barrier, and back (cp.async.bulk).
__device__ inline void load_bytes(unsigned to, const void *from, unsigned bytes, unsigned barrier)
{
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];"
                 :: "r"(to), "l"(from), "r"(bytes), "r"(barrier) : "memory");
}
__device__ inline void store_bytes(void *to, unsigned from, unsigned bytes)
{
    asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" :: "l"(to), "r"(from), "r"(bytes) : "memory");
}

// Waits until all stores so far are complete, or until what they store has been read (cp.async.bulk.commit_group, wait_group).
__device__ inline void finish_stores() { asm volatile("cp.async.bulk.commit_group; cp.async.bulk.wait_group 0;" ::: "memory"); }
__device__ inline void finish_reads() { asm volatile("cp.async.bulk.commit_group; cp.async.bulk.wait_group.read 0;" ::: "memory"); }
