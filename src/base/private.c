/*
 * Workspace for the library's private copy of a serial OpenBLAS.
 *
 * A serial OpenBLAS may only be called from one thread: it hands out workspace from a list without a lock, so that two
 * threads can get the same piece (tests/svm/test_blas.c sees this within seconds). If the system has no memory for a
 * piece, OpenBLAS asks for it for ever. So OpenBLAS must not allocate workspace itself. cmake/private.cmake redirects
 * its calls for workspace, and its calls of mmap(), malloc() and free(), to this file.
 *
 * A function that will call OpenBLAS from n threads first reserves n pieces, which can fail with a sentence. Each of
 * its products then finds a piece. Unused pieces wait in slots. A thread first looks into a few slots that depend on
 * its number, so that threads rarely compete, and takes or returns a piece with one atomic operation. Only if these
 * slots do not help, all slots are searched, under a lock. Pieces are address space: pages that no product touches take
 * no memory.
 *
 * OpenBLAS chooses its kernels by a list of processor models. A model that is younger than the list gets kernels for
 * SSE3, a third of the speed of those for AVX-512. Before the first product, such a choice is made again by what the
 * processor can do, unless the user has set OPENBLAS_CORETYPE.
 */
#include "base/private.h"
#include "base/context.h"

#ifdef LEMAN_PRIVATE_COPY

#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

void *lm_private_blas_memory_alloc(int position); /* OpenBLAS's own */
void *lm_private_work_alloc(int position);        /* called by OpenBLAS instead */
void lm_private_work_free(void *piece);
void *lm_private_map(void *address, size_t bytes, int protection, int flags, int file, off_t offset);
void *lm_private_malloc(size_t bytes);
void lm_private_free(void *block);
char *lm_private_getenv(const char *name);

/* OpenBLAS's own, missing where it was built for one kind of processor: its kernels, the choice of them unless there
 * are some, and the name of what was chosen. */
extern void *lm_private_blas_table __attribute__((weak));
extern void lm_private_blas_choose(void) __attribute__((weak));
extern char *lm_private_blas_core(void) __attribute__((weak));

enum { SLOTS = 64, NEAR = 4 /* slots that a thread tries first */, CACHE_LINE = 64 };

static struct {
    _Alignas(CACHE_LINE) _Atomic(void *) piece;
} slot[SLOTS];

static pthread_mutex_t work_lock = PTHREAD_MUTEX_INITIALIZER;

/* Protected by the lock, except that `learning` is read without it. */
static struct {
    void *spare;      /* pieces without a slot; the first word of each points to the next */
    size_t made;      /* pieces that exist */
    size_t reserved;  /* pieces that callers may need at the same time */
    size_t size;      /* bytes of a piece; 0: not known */
    const char *core; /* while OpenBLAS chooses kernels again; NULL: as the user wants them */
    jmp_buf escape;   /* leaves OpenBLAS as soon as it has asked for a number of bytes */
    atomic_bool learning;
} work;

/* ---- Kernels --------------------------------------------------------------------------------- */

/* Called by OpenBLAS instead of getenv(). */
char *lm_private_getenv(const char *name)
{
    return work.core && !strcmp(name, "OPENBLAS_CORETYPE") ? (char *)(uintptr_t)work.core : getenv(name);
}

/* The name in OpenBLAS of the kernels for this processor; NULL: those for SSE3. */
static const char *supported_core(void)
{
#ifdef __x86_64__
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512bw") &&
        __builtin_cpu_supports("avx512vl"))
        return "SkylakeX";
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return "Haswell";
#endif
    return NULL;
}

/* Must be called before the first product. */
static void choose_kernels(void)
{
    const char *user = getenv("OPENBLAS_CORETYPE");
    if (!&lm_private_blas_table || !lm_private_blas_choose || !lm_private_blas_core || (user && *user)) return;
    if (!lm_private_blas_table || strcmp(lm_private_blas_core(), "Prescott")) return; /* a processor that it knows */
    work.core = supported_core();
    if (!work.core) return;
    lm_private_blas_table = NULL;
    lm_private_blas_choose();
    work.core = NULL;
}

const char *lm_products_core(void)
{
    return lm_private_blas_core ? lm_private_blas_core() : "";
}

/* ---- Pieces ---------------------------------------------------------------------------------- */

/* Called by OpenBLAS instead of mmap(). */
void *lm_private_map(void *address, size_t bytes, int protection, int flags, int file, off_t offset)
{
    if (!atomic_load(&work.learning)) return mmap(address, bytes, protection, flags, file, offset);
    work.size = bytes;
    longjmp(work.escape, 1);
}

/* Finds the size of a piece, which depends on the processor and on the build of OpenBLAS: OpenBLAS is made to ask for a
 * piece, once, which also initialises it. OpenBLAS holds no lock when it maps memory. One entry of its list stays
 * unused. */
static void learn_size(void)
{
    atomic_store(&work.learning, true);
    if (!setjmp(work.escape)) (void)lm_private_blas_memory_alloc(0);
    atomic_store(&work.learning, false);
}

static void *new_piece(void)
{
    if (!work.size) learn_size();
    /* cppcheck-suppress invalidFunctionArg ; mmap() without a file */
    void *piece = mmap(NULL, work.size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (piece == MAP_FAILED) return NULL;
    work.made++;
    return piece;
}

static void put_spare(void *piece)
{
    *(void **)piece = work.spare;
    work.spare = piece;
}

/* Reserves pieces for up to `threads` threads. Returns how many could be reserved. */
static size_t reserve(size_t threads)
{
    pthread_mutex_lock(&work_lock);
    if (!work.size) choose_kernels();
    size_t missing = work.reserved + threads > work.made ? work.reserved + threads - work.made : 0;
    for (void *piece; missing && (piece = new_piece()); missing--) put_spare(piece);
    const size_t got = threads > missing ? threads - missing : 0;
    work.reserved += got;
    pthread_mutex_unlock(&work_lock);
    return got;
}

void lm_products_release(size_t threads)
{
    pthread_mutex_lock(&work_lock);
    work.reserved -= threads;
    pthread_mutex_unlock(&work_lock);
}

/* ---- Functions called by OpenBLAS ------------------------------------------------------------ */

/* Returns the slot at which this thread begins to search. */
static size_t first_slot(void)
{
    return (size_t)(((uintptr_t)pthread_self() * UINT64_C(0x9e3779b97f4a7c15)) >> 58) % SLOTS;
}

static void *take_near(size_t first, size_t slots)
{
    void *piece = NULL;
    for (size_t i = 0; i < slots && !piece; i++)
        piece = atomic_exchange_explicit(&slot[(first + i) % SLOTS].piece, NULL, memory_order_acq_rel);
    return piece;
}

void *lm_private_work_alloc(int position)
{
    enum { PATIENCE = 100 };
    const size_t first = first_slot();
    void *piece = take_near(first, NEAR);
    int tries = 0;
    (void)position;
    while (!piece) {
        pthread_mutex_lock(&work_lock);
        if (work.spare) {
            piece = work.spare;
            work.spare = *(void **)piece;
        }
        if (!piece) piece = take_near(first, SLOTS);
        if (!piece && (work.made < work.reserved || ++tries > PATIENCE))
            piece = new_piece(); /* for a caller without a reservation */
        pthread_mutex_unlock(&work_lock);
        if (!piece) sched_yield(); /* another thread is moving a piece between slots */
    }
    return piece;
}

void lm_private_work_free(void *piece)
{
    const size_t first = first_slot();
    for (size_t i = 0; i < NEAR; i++) {
        void *empty = NULL;
        if (atomic_compare_exchange_strong_explicit(&slot[(first + i) % SLOTS].piece, &empty, piece,
                                                    memory_order_acq_rel, memory_order_relaxed))
            return;
    }
    pthread_mutex_lock(&work_lock);
    put_spare(piece);
    pthread_mutex_unlock(&work_lock);
}

/* OpenBLAS's kernels for small matrices call malloc() for a little memory, do not check the result, and take no piece.
 * If the system has no memory, they get a piece. The word in front of a block says whether the block is a piece. */
typedef struct block {
    _Alignas(CACHE_LINE) void *piece; /* NULL: memory of the system */
} block;

void *lm_private_malloc(size_t bytes)
{
    const size_t lines = bytes / CACHE_LINE + 2; /* including the word in front */
    block *b = lines < SIZE_MAX / CACHE_LINE ? aligned_alloc(CACHE_LINE, lines * CACHE_LINE) : NULL;
    if (b) {
        b->piece = NULL;
        return b + 1;
    }
    if (atomic_load(&work.learning) || lines > work.size / CACHE_LINE) return NULL;
    b = lm_private_work_alloc(0);
    b->piece = b;
    return b + 1;
}

void lm_private_free(void *given)
{
    if (!given) return;
    block *b = (block *)given - 1;
    if (b->piece)
        lm_private_work_free(b);
    else
        free(b);
}

#else

const char *lm_products_core(void)
{
    return "";
}

static size_t reserve(size_t threads)
{
    return threads;
}

void lm_products_release(size_t threads)
{
    (void)threads;
}

#endif

leman_status lm_products_reserve(leman_context *ctx, size_t wanted, size_t *threads)
{
    const size_t got = reserve(wanted);
    if (!got)
        return lm_fail(ctx, LEMAN_ERROR_MEMORY,
                       "the work space of matrix products cannot be allocated: the system refuses more memory");
    *threads = got;
    return LEMAN_OK;
}
