/* Blocks and threads of kernels on the host; emulate.h describes them. */
#include "emulate.h"
#include <algorithm>
#include <mutex>
#include <ucontext.h>
#include <vector>

size_t emulate_memory = SIZE_MAX;
int emulate_devices = 1;
dim3 gridDim, blockDim;
thread_local dim3 blockIdx, threadIdx;

namespace
{

enum state { RUNNING, AT_WARP, AT_BLOCK, DONE };
enum { STACK = 64 << 10, WARP = 32 };

struct fiber {
    ucontext_t context;
    dim3 thread;
    state at;
    uint64_t word;
};

std::vector<fiber> fibers;
std::vector<char> stacks;
ucontext_t scheduler;
const std::function<void()> *body;
fiber *current;
uint64_t random_state = 1;

uint64_t random_word()
{
    random_state = random_state * 6364136223846793005u + 1442695040888963407u;
    return random_state >> 33;
}

void enter()
{
    (*body)();
    current->at = DONE;
    swapcontext(&current->context, &scheduler);
}

void wait_at(state at)
{
    fiber *self = current;
    self->at = at;
    swapcontext(&self->context, &scheduler);
}

/* May the thread go on? At a barrier all others of its warp or block stand there too. */
bool ready(size_t i)
{
    size_t first = 0, end = fibers.size();
    state at = fibers[i].at;
    if (at == DONE) return false;
    if (at == RUNNING) return true;
    if (at == AT_WARP) first = i / WARP * WARP, end = std::min(end, first + WARP);
    for (size_t k = first; k < end; k++)
        if (fibers[k].at != at) return false;
    return true;
}

void run_block()
{
    size_t count = blockDim.x * blockDim.y * blockDim.z;
    std::vector<size_t> order(count);
    fibers.resize(count);
    stacks.resize(count * STACK);
    for (size_t i = 0; i < count; i++) {
        fiber &f = fibers[i];
        f.at = RUNNING;
        f.thread = dim3(i % blockDim.x, i / blockDim.x % blockDim.y, i / blockDim.x / blockDim.y);
        getcontext(&f.context);
        f.context.uc_stack.ss_sp = stacks.data() + i * STACK;
        f.context.uc_stack.ss_size = STACK;
        f.context.uc_link = nullptr;
        makecontext(&f.context, enter, 0);
        order[i] = i;
    }
    for (;;) {
        std::vector<size_t> next;
        for (size_t i : order)
            if (ready(i)) next.push_back(i);
        if (next.empty()) break;
        for (size_t i = next.size(); i > 1; i--) std::swap(next[i - 1], next[random_word() % i]);
        for (size_t i : next) fibers[i].at = RUNNING;
        for (size_t i : next) {
            current = &fibers[i];
            threadIdx = current->thread;
            swapcontext(&scheduler, &current->context);
        }
    }
    for (const fiber &f : fibers)
        if (f.at != DONE) fprintf(stderr, "emulate: a barrier that not all threads reach\n"), abort();
}

} // namespace

void emulate_launch(dim3 grid, dim3 block, bool waiting, const std::function<void()> &thread)
{
    static std::mutex one; /* ranks are threads of the host */
    std::lock_guard<std::mutex> alone(one);
    if (!grid.x || !grid.y || !grid.z) fprintf(stderr, "emulate: a launch of no blocks\n"), abort();
    if (block.x * block.y * block.z > 1024) fprintf(stderr, "emulate: too many threads\n"), abort();
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
    size_t first = (size_t)(self - fibers.data()) / WARP * WARP;
    uint64_t other = fibers[first + lane].word;
    wait_at(AT_WARP);
    return other;
}
