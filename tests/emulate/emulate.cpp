/*
 * Blocks and threads of kernels on the host; emulate.h describes them. A thread that waits has a stack of its own, made
 * once and used for every block. Threads switch by setjmp and longjmp, which, unlike swapcontext, make no system call.
 */
#undef _FORTIFY_SOURCE /* its longjmp refuses to go to another stack */
#include "emulate.h"
#include <algorithm>
#include <memory>
#include <setjmp.h>
#include <ucontext.h>
#include <vector>

size_t emulate_memory = SIZE_MAX, emulate_reads = SIZE_MAX;
int emulate_devices = 1, emulate_device = 0;
bool emulate_graphs = false, emulate_breaks = false, emulate_broken = false;
dim3 gridDim, blockDim;
thread_local dim3 blockIdx, threadIdx;

uint64_t emulate_random()
{
    static uint64_t state = 1;
    state = state * 6364136223846793005u + 1442695040888963407u;
    return state >> 33;
}

namespace
{

enum state { RUNNING, AT_WARP, AT_BLOCK, DONE };
enum { STACK = 64 << 10, WARP = 32, MOST = 1024 };

/* A copy that has not happened yet. */
struct copy {
    void *to;
    const void *from;
    size_t bytes;
    bool there;
    unsigned group;
};

struct fiber {
    std::unique_ptr<char[]> stack;
    ucontext_t beginning;
    jmp_buf place;
    dim3 thread;
    state at;
    uint64_t word;
    const uint32_t *given;
    std::vector<copy> copies; /* in their order */
    unsigned groups;          /* that ended */
};

fiber fibers[MOST];
size_t count; /* of them in the block */
jmp_buf scheduler;
const std::function<void()> *body;
fiber *current;

/* Back to the scheduler, until it goes on here. */
void wait_at(state at)
{
    fiber *self = current;
    self->at = at;
    if (!_setjmp(self->place)) _longjmp(scheduler, 1);
}

/* A fiber is one thread of every block. */
void live()
{
    for (;;) {
        (*body)();
        wait_at(DONE);
    }
}

void go_on(fiber *f)
{
    current = f;
    threadIdx = f->thread;
    if (_setjmp(scheduler)) return;
    if (f->stack) _longjmp(f->place, 1);
    f->stack.reset(new char[STACK]);
    getcontext(&f->beginning);
    f->beginning.uc_stack.ss_sp = f->stack.get();
    f->beginning.uc_stack.ss_size = STACK;
    f->beginning.uc_link = nullptr;
    makecontext(&f->beginning, live, 0);
    setcontext(&f->beginning);
}

/* The threads that may go on: at a barrier all others of the warp or block stand there too. */
void find_ready(std::vector<size_t> &next)
{
    size_t at_block = 0, at_warp[MOST / WARP] = {};
    next.clear();
    for (size_t i = 0; i < count; i++) {
        at_block += fibers[i].at == AT_BLOCK;
        at_warp[i / WARP] += fibers[i].at == AT_WARP;
    }
    for (size_t i = 0; i < count; i++) {
        const size_t warp = std::min<size_t>(WARP, count - i / WARP * WARP);
        const state at = fibers[i].at;
        if (at == RUNNING || (at == AT_BLOCK && at_block == count) || (at == AT_WARP && at_warp[i / WARP] == warp))
            next.push_back(i);
    }
}

void run_block()
{
    static std::vector<size_t> next;
    count = blockDim.x * blockDim.y * blockDim.z;
    for (size_t i = 0; i < count; i++) {
        fibers[i].at = RUNNING;
        fibers[i].thread = dim3(i % blockDim.x, i / blockDim.x % blockDim.y, i / blockDim.x / blockDim.y);
    }
    for (find_ready(next); !next.empty(); find_ready(next)) {
        for (size_t i = next.size(); i > 1; i--) std::swap(next[i - 1], next[emulate_random() % i]);
        for (size_t i : next) fibers[i].at = RUNNING;
        for (size_t i : next) go_on(fibers + i);
    }
    for (size_t i = 0; i < count; i++)
        if (fibers[i].at != DONE) fprintf(stderr, "emulate: a barrier that not all threads reach\n"), abort();
    for (size_t i = 0; i < count; i++)
        if (!fibers[i].copies.empty()) fprintf(stderr, "emulate: a copy that nobody waits for\n"), abort();
}

} // namespace

static void run_kernel(dim3 grid, dim3 block, bool waiting, const std::function<void()> &thread)
{
    gridDim = grid;
    blockDim = block;
    body = &thread;
    for (blockIdx.z = 0; blockIdx.z < grid.z; blockIdx.z++)
        for (blockIdx.y = 0; blockIdx.y < grid.y; blockIdx.y++)
            for (blockIdx.x = 0; blockIdx.x < grid.x; blockIdx.x++) {
                if (waiting) {
                    run_block();
                    continue;
                }
                current = nullptr;
                for (threadIdx.z = 0; threadIdx.z < block.z; threadIdx.z++)
                    for (threadIdx.y = 0; threadIdx.y < block.y; threadIdx.y++)
                        for (threadIdx.x = 0; threadIdx.x < block.x; threadIdx.x++) thread();
            }
}

void emulate_launch(void *stream, dim3 grid, dim3 block, bool waiting, const std::function<void()> &thread)
{
    if (!grid.x || !grid.y || !grid.z) fprintf(stderr, "emulate: a launch of no blocks\n"), abort();
    if (block.x * block.y * block.z > MOST) fprintf(stderr, "emulate: too many threads\n"), abort();
    emulate_later((cudaStream_t)stream, [=] { run_kernel(grid, block, waiting, thread); });
}

static void require_fiber()
{
    if (!current) fprintf(stderr, "emulate: threads wait in a kernel that was not launched for it\n"), abort();
}

void emulate_wait_block()
{
    require_fiber();
    wait_at(AT_BLOCK);
    threadIdx = current->thread;
}

unsigned emulate_lane()
{
    return (threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z)) % WARP;
}

uint64_t emulate_exchange(uint64_t word, unsigned lane)
{
    require_fiber();
    fiber *self = current;
    self->word = word;
    wait_at(AT_WARP);
    size_t first = (size_t)(self - fibers) / WARP * WARP;
    uint64_t other = fibers[first + lane].word;
    wait_at(AT_WARP);
    return other;
}

void emulate_gather(const uint32_t *mine, size_t words, uint32_t *all)
{
    require_fiber();
    fiber *self = current;
    self->given = mine;
    wait_at(AT_WARP);
    const size_t first = (size_t)(self - fibers) / WARP * WARP;
    for (size_t i = 0; i < WARP; i++) std::copy_n(fibers[first + i].given, words, all + i * words);
    wait_at(AT_WARP);
}

static void make(const copy &c)
{
    if (c.there)
        memcpy(c.to, c.from, c.bytes);
    else
        memset(c.to, 0, c.bytes);
}

void emulate_copy(void *to, const void *from, size_t bytes, bool there)
{
    require_fiber();
    const copy c = {to, from, bytes, there, current->groups};
    if ((uintptr_t)to % bytes || (there && (uintptr_t)from % bytes))
        fprintf(stderr, "emulate: a copy from or to an odd place\n"), abort();
    if (emulate_random() % 2)
        make(c);
    else
        current->copies.push_back(c);
}

void emulate_end_group()
{
    require_fiber();
    current->groups++;
}

void emulate_wait_groups(unsigned left)
{
    require_fiber();
    std::vector<copy> &copies = current->copies;
    size_t done = 0;
    for (; done < copies.size() && copies[done].group + left < current->groups; done++) make(copies[done]);
    copies.erase(copies.begin(), copies.begin() + (std::ptrdiff_t)done);
}
