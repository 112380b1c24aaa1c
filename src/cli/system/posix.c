/* Streams, signals, stack and memory. `interrupted` is a global variable because signal handlers can reach nothing
 * else. */
#include "base/memory.h"
#include "cli/process.h"
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

enum {
    MAPPED = 32 << 20,    /* the C library maps larger blocks separately; its upper limit for this value */
    HEAP_STEP = 32 << 20, /* step by which the heap grows if memory is plentiful */
    PLENTY = 1 << 30      /* memory is plentiful with no budget, or with at least this one */
};

/* A shared OpenBLAS (cmake/private.cmake) starts threads when it is loaded. They spin for a while and use processor
 * time that most commands need themselves. This function ends them. We call matrix products from our own threads;
 * OpenBLAS would start threads again if it needed them. */
#ifdef __APPLE__ /* its linker knows no symbol that may be missing */
static int (*const blas_thread_shutdown_)(void) = NULL;
#else
extern int blas_thread_shutdown_(void) __attribute__((weak));
#endif

static volatile sig_atomic_t interrupted;

/* A signal may arrive just before a read or write that then blocks. An alarm every second interrupts such calls too. */
static void again(int signal)
{
    (void)signal;
    alarm(1);
}

static void remember(int signal)
{
    interrupted = 1;
    again(signal);
}

void lm_process_prepare(void)
{
    if (blas_thread_shutdown_) blas_thread_shutdown_();
#ifdef __GLIBC__
    /* Freed pages are kept for the next step, so that they need not be cleared again. */
    mallopt(M_MMAP_THRESHOLD, MAPPED);
    mallopt(M_TRIM_THRESHOLD, 256 << 20);
    mallopt(M_TOP_PAD, 1 << 20);
    struct rlimit space; /* each arena of a thread takes 64 MiB of it */
    if (!getrlimit(RLIMIT_AS, &space) && space.rlim_cur != RLIM_INFINITY) mallopt(M_ARENA_MAX, 1);
#endif
    static const int WRONG_WAY[] = {O_WRONLY, O_RDONLY, O_WRONLY}; /* what is written to standard error is discarded */
    for (int stream = 0; stream < 3; stream++)
        if (fcntl(stream, F_GETFD) < 0 && errno == EBADF) (void)!open("/dev/null", WRONG_WAY[stream]);

    /* Without SA_RESTART a blocked read or write returns at once. With SA_RESETHAND the next signal kills the
     * process. */
    struct sigaction ask = {.sa_handler = remember, .sa_flags = (int)SA_RESETHAND};
    struct sigaction ring = {.sa_handler = again}, ignore = {.sa_handler = SIG_IGN};
    static const int SIGNALS[] = {SIGINT, SIGTERM, SIGHUP};
    for (size_t i = 0; i < sizeof SIGNALS / sizeof *SIGNALS; i++) {
        struct sigaction before;
        bool ignored = !sigaction(SIGNALS[i], NULL, &before) && before.sa_handler == SIG_IGN; /* respects nohup */
        if (!ignored) sigaction(SIGNALS[i], &ask, NULL);
    }
    sigaction(SIGALRM, &ring, NULL);
    sigaction(SIGPIPE, &ignore, NULL);
    sigaction(SIGXFSZ, &ignore, NULL);
}

/* ---- The stack ------------------------------------------------------------------------------- */

enum { SMALL_STACK = 1 << 20, STACK = 8 << 20 };

/* A call of `work` on another thread. */
typedef struct call {
    int (*work)(int count, char **arguments);
    int count, result;
    char **arguments;
} call;

static void *run_call(void *state)
{
    call *c = state;
    c->result = c->work(c->count, c->arguments);
    return NULL;
}

int lm_process_run(int (*work)(int count, char **arguments), int count, char **arguments)
{
    struct rlimit limit;
    pthread_attr_t attributes;
    pthread_t thread;
    call c = {.work = work, .count = count, .arguments = arguments};
    if (getrlimit(RLIMIT_STACK, &limit) || limit.rlim_cur >= SMALL_STACK) return work(count, arguments);
    if (pthread_attr_init(&attributes)) return work(count, arguments);
    (void)pthread_attr_setstacksize(&attributes, STACK);
#ifdef __GLIBC__
    (void)pthread_setattr_default_np(&attributes); /* also for OpenMP threads */
#endif
    const int refused = pthread_create(&thread, &attributes, run_call, &c);
    (void)pthread_attr_destroy(&attributes);
    if (refused) return work(count, arguments);
    sigset_t all; /* signals go to the thread that works */
    sigfillset(&all);
    (void)pthread_sigmask(SIG_BLOCK, &all, NULL);
    (void)pthread_join(thread, NULL);
    return c.result;
}

/* ---- Memory ---------------------------------------------------------------------------------- */

/* Returns the resident bytes that this process has allocated or written to. Pages of its code are not counted: how many
 * of them are mapped depends on how the kernel caches the file. */
static size_t resident(void)
{
    size_t pages = 0, of_files = 0;
    FILE *f = fopen("/proc/self/statm", "re");
    if (!f) return (size_t)1 << 20;
    if (fscanf(f, "%*u %zu %zu", &pages, &of_files) != 2) pages = of_files = 0;
    fclose(f);
    return (pages > of_files ? pages - of_files : 0) * (size_t)sysconf(_SC_PAGESIZE);
}

#ifdef __GLIBC__
static size_t between(size_t low, size_t value, size_t high)
{
    return value < low ? low : value > high ? high : value;
}
#endif

#if defined(__GLIBC__) && defined(MADV_HUGEPAGE)
enum { LARGE_PAGE = 1 << 21 };

/* End of the part of the heap for which large pages were requested. */
static _Atomic uintptr_t advised;

static uintptr_t heap_end(void)
{
    return (uintptr_t)sbrk(0) / LARGE_PAGE * LARGE_PAGE;
}

/* Requests large pages for the part by which the heap has grown since the last call, so that a page fault maps 2 MiB
 * instead of one small page. The heap grows by at least HEAP_STEP. It does no harm if two threads request the same
 * part. */
static void advise_heap(void)
{
    const uintptr_t end = heap_end(), from = atomic_load_explicit(&advised, memory_order_relaxed);
    if (end <= from) return;
    madvise((void *)from, end - from, MADV_HUGEPAGE);
    atomic_store_explicit(&advised, end, memory_order_relaxed);
}

static void *allocate(void *user, size_t size)
{
    (void)user;
    void *pointer = malloc(size);
    if (size >= MAPPED) lm_prefer_large_pages(pointer, size);
    advise_heap();
    return pointer;
}

static void *reallocate(void *user, void *pointer, size_t size)
{
    (void)user;
    pointer = realloc(pointer, size);
    if (pointer && size >= MAPPED) lm_prefer_large_pages(pointer, size);
    advise_heap();
    return pointer;
}

static void release(void *user, void *pointer)
{
    (void)user;
    free(pointer);
}
#endif

void lm_process_large_pages(leman_settings *settings)
{
#if defined(__GLIBC__) && defined(MADV_HUGEPAGE)
    if (settings->memory && settings->memory < PLENTY) return;
    mallopt(M_TOP_PAD, HEAP_STEP);
    atomic_store(&advised, heap_end());
    settings->allocate = allocate;
    settings->reallocate = reallocate;
    settings->release = release;
#else
    (void)settings;
#endif
}

size_t lm_process_budget(size_t budget, int threads)
{
    /* MORE: code and bookkeeping that no estimate covers. THREAD: stack and free lists of a thread. */
    enum { MORE = 8 << 20, THREAD = 64 << 10, MOST = 6 << 20 /* beyond: tables of a sanitizer */ };
    const size_t now = resident();
#ifdef __GLIBC__
    mallopt(M_MMAP_THRESHOLD, (int)between(64 << 10, budget / 256, MAPPED));
    mallopt(M_TRIM_THRESHOLD, (int)between(128 << 10, budget / 64, 256 << 20));
    mallopt(M_TOP_PAD, (int)between(64 << 10, budget / 256, 1 << 20));
    if (budget < (size_t)1 << 30) mallopt(M_ARENA_MAX, 1);
#else
    (void)budget;
#endif
    return (now < MOST ? now : MOST) + MORE + (size_t)threads * THREAD;
}

size_t lm_process_columns(void)
{
    struct winsize size;
    return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) || !size.ws_col ? 80 : size.ws_col;
}

bool lm_process_interrupted(void)
{
    return interrupted;
}
