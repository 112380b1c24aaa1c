/*
 * Kernels on the host: .cu files compiled as C++, their blocks run one after the other. A thread of a kernel whose
 * threads wait for each other is a context of its own (ucontext), and a barrier goes on when all that it waits for have
 * come; a barrier that some threads of a block never reach ends the test. Between barriers threads run in a random
 * order, so a kernel that only works in the order of a loop fails.
 */
#ifndef EMULATE_H
#define EMULATE_H

#include "cuda_runtime_api.h"
#include <functional>
#include <math.h>
#include <stdio.h>
#include <tuple>

struct dim3 {
    unsigned x, y, z;
    dim3(unsigned x_ = 1, unsigned y_ = 1, unsigned z_ = 1) : x(x_), y(y_), z(z_) {}
};
struct uint2 {
    unsigned x, y;
};
struct alignas(16) uint4 {
    unsigned x, y, z, w;
};
struct alignas(16) float4 {
    float x, y, z, w;
};

static inline float4 make_float4(float x, float y, float z, float w)
{
    return {x, y, z, w};
}

extern dim3 gridDim, blockDim;
extern thread_local dim3 blockIdx, threadIdx;

#define __global__
#define __device__
#define __host__
#define __forceinline__ inline
#define __restrict__ __restrict
#define __launch_bounds__(...)
#define __shared__ static
#define LM_SHARED(type, name, count) static type name[count]
#define LM_GRID_CONSTANT

/* In their order, at once or later: streams.cpp. */
void emulate_later(cudaStream_t stream, std::function<void()> work);
void emulate_launch(void *stream, dim3 grid, dim3 block, bool waiting, const std::function<void()> &thread);
uint64_t emulate_random();
void emulate_wait_block();
/* The word that thread `lane ^ mask` (xor) or `lane + offset` of the warp gave. */
uint64_t emulate_exchange(uint64_t word, unsigned lane);
unsigned emulate_lane();

/* Arguments are what they are when the kernel is launched. */
template <class Kernel, class... Arguments>
static inline std::function<void()> emulate_call(Kernel kernel, const Arguments &...arguments)
{
    return [kernel, given = std::make_tuple(arguments...)] { std::apply(kernel, given); };
}
#define EMULATE_CALL(kernel, ...) emulate_call([](auto... given) { kernel(given...); }, __VA_ARGS__)
#define LM_LAUNCH(kernel, blocks, threads, stream, ...)                                                                \
    emulate_launch((stream), (blocks), (threads), false, EMULATE_CALL(kernel, __VA_ARGS__))
#define LM_LAUNCH_WAITING(kernel, blocks, threads, stream, ...)                                                        \
    emulate_launch((stream), (blocks), (threads), true, EMULATE_CALL(kernel, __VA_ARGS__))
#define LM_LAUNCH_EARLY(kernel, blocks, threads, device, ...)                                                          \
    LM_LAUNCH(kernel, blocks, threads, (device)->stream, __VA_ARGS__)
#define LM_LAUNCH_EARLY_WAITING(kernel, blocks, threads, device, ...)                                                  \
    LM_LAUNCH_WAITING(kernel, blocks, threads, (device)->stream, __VA_ARGS__)
static inline void lm_after_previous() {}

static inline void __syncthreads()
{
    emulate_wait_block();
}
static inline void __threadfence() {}
static inline void __syncwarp()
{
    (void)emulate_exchange(0, emulate_lane());
}

template <class T> static inline T __shfl_xor_sync(unsigned, T value, int mask)
{
    uint64_t word = 0;
    memcpy(&word, &value, sizeof value);
    word = emulate_exchange(word, emulate_lane() ^ (unsigned)mask);
    memcpy(&value, &word, sizeof value);
    return value;
}
template <class T> static inline T __shfl_sync(unsigned, T value, int lane)
{
    uint64_t word = 0;
    memcpy(&word, &value, sizeof value);
    word = emulate_exchange(word, (unsigned)lane);
    memcpy(&value, &word, sizeof value);
    return value;
}
template <class T> static inline T __shfl_up_sync(unsigned, T value, unsigned by)
{
    uint64_t word = 0;
    memcpy(&word, &value, sizeof value);
    word = emulate_exchange(word, emulate_lane() >= by ? emulate_lane() - by : emulate_lane());
    memcpy(&value, &word, sizeof value);
    return value;
}
template <class T> static inline T __ldg(const T *p)
{
    return *p;
}
/* Threads of the emulation never run at the same time. */
template <class T> static inline T atomicAdd(T *at, T value)
{
    T old = *at;
    *at = old + value;
    return old;
}

/* ---- nn/cuda/instructions.h ------------------------------------------------------------------ */

/* Copies happen at once or when they are waited for, by chance: a kernel that reads too early or writes over what is
 * still read fails. */
void emulate_copy(void *to, const void *from, size_t bytes, bool there);
void emulate_end_group();
void emulate_wait_groups(unsigned left);
/* What every lane of the warp gave: all[lane][words]. */
void emulate_gather(const uint32_t *mine, size_t words, uint32_t *all);

static inline uint4 load_if(const void *from, bool there)
{
    uint4 x = {0, 0, 0, 0};
    if (there) memcpy(&x, from, sizeof x);
    return x;
}
template <int BYTES> static inline void copy_async(void *to, const void *from, bool there)
{
    emulate_copy(to, from, BYTES, there);
}
static inline void copy_end_group()
{
    emulate_end_group();
}
template <int N> static inline void copy_wait()
{
    emulate_wait_groups(N);
}

/* The sign is apart: half of the last place goes to the magnitude. NaN stays what it is. */
static inline uint32_t round_tf32(float x)
{
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    return (bits & 0x7fffffffu) > 0x7f800000u ? 0x7fffffffu : (bits + 0x1000u) & ~0x1fffu;
}
/* Tensor cores do not read the last 13 bits. */
static inline double emulate_tf32(uint32_t bits)
{
    float x;
    bits &= ~0x1fffu;
    memcpy(&x, &bits, sizeof x);
    return (double)x;
}
/* C[16][8] += A[16][8] B[8][8] from what the lanes of a warp gave: left(all, row, k) is A[row][k], right(all, column,
 * k) is B[k][column]. */
template <int WORDS, class Left, class Right>
static inline void emulate_mma(float (&c)[4], const uint32_t (&mine)[WORDS], Left left, Right right)
{
    uint32_t all[32][WORDS];
    emulate_gather(mine, WORDS, all[0]);
    for (unsigned i = 0; i < 4; i++) {
        const unsigned row = emulate_lane() / 4 + i / 2 * 8, column = emulate_lane() % 4 * 2 + i % 2;
        double sum = 0;
        for (unsigned k = 0; k < 8; k++) sum += left(all, row, k) * right(all, column, k);
        c[i] += (float)sum;
    }
}
static inline void mma_tf32(float (&c)[4], const uint32_t (&a)[4], const uint32_t (&b)[2])
{
    typedef const uint32_t(&lanes)[32][6];
    const uint32_t mine[6] = {a[0], a[1], a[2], a[3], b[0], b[1]};
    emulate_mma(
        c, mine,
        [](lanes all, unsigned row, unsigned k) { return emulate_tf32(all[row % 8 * 4 + k % 4][row / 8 + k / 4 * 2]); },
        [](lanes all, unsigned column, unsigned k) { return emulate_tf32(all[column * 4 + k % 4][4 + k / 4]); });
}
/* The lower half of a word, and the upper one. */
static inline double emulate_bf16(uint32_t word, unsigned upper)
{
    const uint32_t bits = upper ? word & 0xffff0000u : word << 16;
    float x;
    memcpy(&x, &bits, sizeof x);
    return (double)x;
}
static inline void mma_bf16(float (&c)[4], const uint32_t (&a)[2], uint32_t b)
{
    typedef const uint32_t(&lanes)[32][3];
    const uint32_t mine[3] = {a[0], a[1], b};
    emulate_mma(
        c, mine,
        [](lanes all, unsigned row, unsigned k) { return emulate_bf16(all[row % 8 * 4 + k / 2][row / 8], k % 2); },
        [](lanes all, unsigned column, unsigned k) { return emulate_bf16(all[column * 4 + k / 2][2], k % 2); });
}

/* ---- Numbers --------------------------------------------------------------------------------- */

/* bfloat16: the upper half of a float, rounded to nearest even. */
struct __nv_bfloat16 {
    uint16_t bits;
};
static inline float __bfloat162float(__nv_bfloat16 x)
{
    uint32_t bits = (uint32_t)x.bits << 16;
    float f;
    memcpy(&f, &bits, sizeof f);
    return f;
}
static inline __nv_bfloat16 __float2bfloat16(float f)
{
    uint32_t bits;
    memcpy(&bits, &f, sizeof f);
    if ((bits & 0x7fffffffu) > 0x7f800000u) return {0x7fff};
    bits += 0x7fffu + (bits >> 16 & 1);
    return {(uint16_t)(bits >> 16)};
}

#endif
