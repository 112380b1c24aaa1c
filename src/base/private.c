/*
 * Work space for the library's copy of a serial OpenBLAS.
 *
 * Such an OpenBLAS may be called from one thread only: it hands out work space from a list without a lock, and two
 * threads can be given the same piece (tests/svm/test_blas.c sees it happen within seconds). cmake/private.cmake leads
 * its calls for work space here. Pieces that were used once wait in slots; a thread looks first where its number
 * leads it, so that threads rarely meet, and takes and leaves a piece by one atomic operation. Only where no slot
 * helps OpenBLAS itself is asked, under a lock.
 */
#ifdef LEMAN_PRIVATE_COPY

#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

void *lm_private_blas_memory_alloc(int position); /* OpenBLAS's own */
void lm_private_blas_memory_free(void *piece);
void *lm_private_work_alloc(int position); /* what it calls instead */
void lm_private_work_free(void *piece);

enum { SLOTS = 64, NEAR = 4 /* slots that a thread looks at */, CACHE_LINE = 64 };

static struct {
    _Alignas(CACHE_LINE) _Atomic(void *) piece;
} slot[SLOTS];
static pthread_mutex_t work_lock = PTHREAD_MUTEX_INITIALIZER;

/* Where this thread begins to look. */
static size_t first_slot(void)
{
    return (size_t)(((uintptr_t)pthread_self() * UINT64_C(0x9e3779b97f4a7c15)) >> 58) % SLOTS;
}

void *lm_private_work_alloc(int position)
{
    const size_t first = first_slot();
    for (size_t i = 0; i < NEAR; i++) {
        void *piece = atomic_exchange_explicit(&slot[(first + i) % SLOTS].piece, NULL, memory_order_acq_rel);
        if (piece) return piece;
    }
    pthread_mutex_lock(&work_lock);
    void *piece = lm_private_blas_memory_alloc(position);
    pthread_mutex_unlock(&work_lock);
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
    lm_private_blas_memory_free(piece);
    pthread_mutex_unlock(&work_lock);
}

#endif
