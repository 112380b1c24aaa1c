/*
 * Instructions that CUDA C++ has no names for, as functions. In the emulation they are those of tests/emulate.
 *
 *   copy_async<BYTES>(to, from, there)   copies 4 or 16 aligned bytes from memory to shared memory; zeros
 *                                        if not `there`. The thread continues while the copy is under way.
 *   load_if(from, there)                 16 bytes from memory, or zeros: without a branch and without waiting for them
 *   copy_end_group()                     the copies of the thread since the last group form a group
 *   copy_wait<N>()                       waits until all groups of the thread but its last N are complete
 *   round_tf32(x)                        rounds to 10 bits behind the point, ties away from zero
 *   mma_tf32(c, a, b)                    C[16][8] += A[16][8] B[8][8], the numbers distributed over the lanes of a warp
 *   mma_bf16(c, a, b)                    mma_tf32() for bfloat16, two numbers in a word
 *
 * With g = lane / 4 and t = lane % 4, a lane has C[g + 8 (i / 2)][2 t + i % 2] in c[i]. In TF32 it has A[g + 8 (i %
 * 2)][t + 4 (i / 2)] in a[i] and B[t + 4 i][g] in b[i]. In bfloat16 it has A[g + 8 i][2 t] and [2 t + 1] in a[i], and
 * B[2 t][g] and B[2 t + 1][g] in b, the first number in the lower half.
 */
#ifndef LM_INSTRUCTIONS_H
#define LM_INSTRUCTIONS_H

#include "base/cuda/kernel.h"
#include <stdint.h>

#ifndef LM_EMULATE
static __device__ __forceinline__ uint4 load_if(const void *from, bool there)
{
    uint4 x;
    asm volatile("{.reg .pred p; setp.ne.u32 p, %5, 0; mov.u32 %0, 0; mov.u32 %1, 0; mov.u32 %2, 0; mov.u32 %3, 0; "
                 "@p ld.global.v4.u32 {%0, %1, %2, %3}, [%4];}"
                 : "=&r"(x.x), "=&r"(x.y), "=&r"(x.z), "=&r"(x.w)
                 : "l"(from), "r"((uint32_t)there)
                 : "memory");
    return x;
}

template <int BYTES> static __device__ __forceinline__ void copy_async(void *to, const void *from, bool there)
{
    const uint32_t place = (uint32_t)__cvta_generic_to_shared(to), bytes = there ? BYTES : 0;
    if (BYTES == 16)
        asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(place), "l"(from), "r"(bytes) : "memory");
    else
        asm volatile("cp.async.ca.shared.global [%0], [%1], 4, %2;" ::"r"(place), "l"(from), "r"(bytes) : "memory");
}

static __device__ __forceinline__ void copy_end_group()
{
    asm volatile("cp.async.commit_group;" ::: "memory");
}

template <int N> static __device__ __forceinline__ void copy_wait()
{
    asm volatile("cp.async.wait_group %0;" ::"n"(N) : "memory");
}

static __device__ __forceinline__ uint32_t round_tf32(float x)
{
    uint32_t rounded;
    asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(rounded) : "f"(x));
    return rounded;
}

static __device__ __forceinline__ void mma_tf32(float (&c)[4], const uint32_t (&a)[4], const uint32_t (&b)[2])
{
    asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
                 "{%0, %1, %2, %3};"
                 : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}

static __device__ __forceinline__ void mma_bf16(float (&c)[4], const uint32_t (&a)[2], uint32_t b)
{
    asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.bf16.bf16.f32 {%0, %1, %2, %3}, {%4, %5}, {%6}, "
                 "{%0, %1, %2, %3};"
                 : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
                 : "r"(a[0]), "r"(a[1]), "r"(b));
}
#endif

#endif
