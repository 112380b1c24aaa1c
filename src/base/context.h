/* The context: settings, allocator, scratch arena and the message of the last failure. */
#ifndef LM_CONTEXT_H
#define LM_CONTEXT_H

#include "base/arena.h"
#include "base/memory.h"
#include "base/meter.h"
#include "leman.h"
#include <locale.h>

enum { LM_SENTENCE = 1024 /* bytes of a sentence */, LM_BUDGET_TEXT = 80 };
enum { LM_TOLD_WORDS = 3, LM_RANK_WORDS = LM_TOLD_WORDS + 2 }; /* of lm_ranks, for each rank */

/* The ranks that a context is one of; base/ranks/ranks.h. */
typedef struct lm_ranks {
    leman_communicator communicator; /* ranks 1: alone */
    uint64_t *told;                  /* [ranks][LM_TOLD_WORDS] */
    size_t *bytes;                   /* [2 * ranks] */
    unsigned depth;                  /* calls of lm_ranks_begin() that have not ended */
    leman_status failed;             /* of a rank, and all know it; until the work of this depth ends: */
    unsigned failed_depth;
    leman_traffic traffic;
} lm_ranks;

struct leman_context {
    leman_settings settings; /* resolved: threads at least 1; memory without what the program holds, 0: what is free */
    lm_allocator allocator;  /* counts */
    lm_meter *meter;         /* behind it; NULL in a context that only frees */
    size_t budget;           /* as it was given; 0: what is free */
    lm_arena scratch;        /* short-lived arrays of one call; every function resets to the mark it took */
    locale_t c_locale;       /* numbers in files do not follow the caller's locale */
    struct {
        char task[128];
        uint64_t done, total;
        double began, shown; /* seconds, lm_now() */
    } progress;
    char message[LM_SENTENCE]; /* of the last failure */
    int error;                 /* its errno, 0 where the system had no part in it */
    bool over_budget;          /* why the last allocation that failed did: the budget, or the allocator */
    lm_ranks ranks;
};

/* Returns st, after the sentence of that failure was made to name the file: "name: found 3" becomes "path: found 3",
 * and other sentences without the path get it in front. name may be NULL. Being cancelled is nobody's fault. */
leman_status lm_fail_in(leman_context *ctx, leman_status st, const char *path, const char *name);
/* Does the sentence name this file? "found a graph" does not name the file a; "a: found 3" and "a/b.txt:1" do. */
bool lm_names_file(const char *sentence, const char *path);

/* For sentences with counts: "%zu graph%s" with lm_plural(n), "%zu %s" with lm_plural_of(n, "vertex", "vertices"). */
static inline const char *lm_plural_of(uint64_t count, const char *one, const char *many)
{
    return count == 1 ? one : many;
}
static inline const char *lm_plural(uint64_t count)
{
    return lm_plural_of(count, "", "s");
}

/* Sets the context's sentence and returns status, so that a failure is one statement: return lm_fail(ctx, ...). Without
 * a context it only returns status. */
__attribute__((format(printf, 3, 4))) leman_status lm_fail(leman_context *ctx, leman_status status, const char *format,
                                                           ...);
/* The system refused: "FORMAT: No such file or directory" and LEMAN_ERROR_FILE; TRY(lm_fail_errno(ctx, errno, ...)). */
__attribute__((format(printf, 3, 4))) leman_status lm_fail_errno(leman_context *ctx, int error, const char *format,
                                                                 ...);
/* A context for another thread: it shares allocator and budget, has a scratch of its own (lm_arena_free() it), and no
 * callbacks and no other ranks, which are for the caller's thread. */
void lm_context_for_worker(leman_context *ctx, leman_context *worker);
/* The failure of `other`, a context of one of the workers, becomes that of ctx. */
void lm_fail_as(leman_context *ctx, const leman_context *other);
/* One sentence to the caller's log callback. Only the caller's thread logs: contexts of workers have no callbacks. */
__attribute__((format(printf, 2, 3))) void lm_log(leman_context *ctx, const char *format, ...);

/* What is left of the memory budget in bytes, now: of the setting, or of what is free. Asked before the arrays that it
 * is compared with are there. */
size_t lm_budget(const leman_context *ctx);
/* "20.0 MiB", or "20.0 MiB (3.1 MiB of it left)": behind "the memory budget is". left: what lm_budget() said. */
const char *lm_budget_text(const leman_context *ctx, uint64_t left, char text[LM_BUDGET_TEXT]);
/* A budget, and how much of it others hold while the work goes on. */
typedef struct lm_memory_limit {
    uint64_t budget, held;
} lm_memory_limit;

/* Seconds of a clock that only goes forward. */
double lm_now(void);

/* Long work: begin once, then step often (cheap); step returns LEMAN_ERROR_CANCELLED when the caller cancels.
 * Only the caller's thread steps. */
__attribute__((format(printf, 3, 4))) void lm_progress_begin(leman_context *ctx, uint64_t total, const char *task, ...);
leman_status lm_progress_step(leman_context *ctx, uint64_t done);
/* The same work goes on under another name. */
__attribute__((format(printf, 2, 3))) void lm_progress_rename(leman_context *ctx, const char *task, ...);
/* The same at once, even if the caller has just been asked: before a wait that a signal may have to end. */
leman_status lm_progress_poll(leman_context *ctx);

/* The status of an allocation that failed. */
static inline leman_status lm_refusal(const leman_context *ctx)
{
    return ctx->over_budget ? LEMAN_ERROR_BUDGET : LEMAN_ERROR_MEMORY;
}

/* The shape of a function that can fail: `leman_status st = LEMAN_OK;` ... TRY(step) ... `done:` clean up, return st.
 */
#define TRY(call)                                                                                                      \
    do {                                                                                                               \
        if ((st = (call)) != LEMAN_OK) goto done;                                                                      \
    } while (0)
/* Sets st and the sentence, then goes to done. */
#define FAIL(ctx, ...)                                                                                                 \
    do {                                                                                                               \
        st = lm_fail((ctx), __VA_ARGS__);                                                                              \
        goto done;                                                                                                     \
    } while (0)
/* pointer = count elements from the context's allocator; not cleared. */
#define NEW(ctx, pointer, count)                                                                                       \
    do {                                                                                                               \
        if (!((pointer) = lm_alloc((ctx), (count), sizeof *(pointer)))) {                                              \
            st = lm_refusal(ctx);                                                                                      \
            goto done;                                                                                                 \
        }                                                                                                              \
    } while (0)
/* The same from the scratch arena: gone at the next reset. */
#define SCRATCH(ctx, pointer, count)                                                                                   \
    do {                                                                                                               \
        if (!((pointer) = lm_scratch((ctx), (count), sizeof *(pointer)))) {                                            \
            st = lm_refusal(ctx);                                                                                      \
            goto done;                                                                                                 \
        }                                                                                                              \
    } while (0)

/* NULL with the sentence set when size overflows or memory is short. Zero elements give a valid pointer. */
void *lm_alloc(leman_context *ctx, size_t count, size_t size);
void *lm_scratch(leman_context *ctx, size_t count, size_t size);
void lm_free(leman_context *ctx, void *pointer);
/* So many bytes could not be had: the sentence and the status, which lm_refusal() gives again. */
leman_status lm_refuse_bytes(leman_context *ctx, size_t bytes);
leman_status lm_refuse_size(leman_context *ctx, size_t count, size_t size);

#endif
