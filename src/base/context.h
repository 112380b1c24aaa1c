/* The context: settings, allocator, scratch arena and the message of the last failure. */
#ifndef LM_CONTEXT_H
#define LM_CONTEXT_H

#include "base/arena.h"
#include "base/memory.h"
#include "base/meter.h"
#include "leman.h"
#include <locale.h>
#ifdef __APPLE__
#include <xlocale.h> /* locale_t and strtod_l() */
#endif
#include <string.h>

enum { LM_SENTENCE = 1024 /* bytes of a sentence */, LM_BUDGET_TEXT = 80 };
enum { LM_TOLD_WORDS = 3, LM_RANK_WORDS = LM_TOLD_WORDS + 2 }; /* words for each rank in the arrays of lm_ranks */

/* The ranks that this context is one of; see base/ranks/ranks.h. */
typedef struct lm_ranks {
    leman_communicator communicator; /* ranks is 1 if the context is alone */
    uint64_t *told;                  /* [ranks][LM_TOLD_WORDS] */
    size_t *bytes;                   /* [2 * ranks] */
    unsigned depth;                  /* calls of lm_ranks_begin() that have not ended */
    leman_status failed; /* failure of a rank that all ranks know of; cleared when the work at failed_depth ends */
    unsigned failed_depth;
    leman_traffic traffic;
    bool
        *stopped; /* set once a rank has failed, if the ranks are threads (base/ranks/rank_threads.h); otherwise NULL */
} lm_ranks;

struct leman_context {
    leman_settings settings; /* resolved: at least 1 thread; memory is the budget minus memory_held, 0 if the budget is
                                what is free */
    lm_allocator allocator;  /* counts all bytes */
    lm_meter *meter;         /* counts for the allocator */
    size_t budget;           /* as the caller gave it; 0: what is free */
    lm_arena scratch;        /* short-lived arrays of one call; every function resets to the mark it took */
    locale_t c_locale;       /* numbers in files do not follow the caller's locale */
    struct {
        char task[128];
        uint64_t done, total;
        double began, shown; /* seconds, lm_now() */
    } progress;
    char message[LM_SENTENCE]; /* of the last failure */
    int error;                 /* errno of the last failure, 0 if the system was not involved */
    bool over_budget;          /* the last failed allocation failed because of the budget, not of the allocator */
    lm_ranks ranks;
};

/* Makes the sentence of the failure st name the file, and returns st: "NAME: found 3" becomes "PATH: found 3", and any
 * other sentence that does not contain the path gets "PATH: " in front. name may be NULL. The sentence stays as it is
 * if st is LEMAN_OK or LEMAN_ERROR_CANCELLED. */
leman_status lm_fail_in(leman_context *ctx, leman_status st, const char *path, const char *name);
/* Returns true if the sentence names this file. "found a graph" does not name the file a; "a: found 3" and "a/b.txt:1"
 * do. */
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

/* Sets the context's sentence and returns status, so that a failure is one statement: return lm_fail(ctx, ...). If ctx
 * is NULL, the function only returns status. */
__attribute__((format(printf, 3, 4))) leman_status lm_fail(leman_context *ctx, leman_status status, const char *format,
                                                           ...);
/* Sets the sentence for an errno, "FORMAT: No such file or directory", and returns LEMAN_ERROR_FILE. Use:
 * TRY(lm_fail_errno(ctx, errno, ...)). */
__attribute__((format(printf, 3, 4))) leman_status lm_fail_errno(leman_context *ctx, int error, const char *format,
                                                                 ...);
/* Makes *worker a context for another thread. It shares the allocator and the budget of ctx, and has its own scratch
 * arena, which the caller frees with lm_arena_free(). It has no callbacks and no other ranks, because only the caller's
 * thread may use them. */
void lm_context_for_worker(leman_context *ctx, leman_context *worker);
/* Copies the sentence and the errno of `other`, the context of a worker, to ctx. */
void lm_fail_as(leman_context *ctx, const leman_context *other);
/* Passes one sentence to the caller's log callback. Only the caller's thread logs: contexts of workers have no
 * callbacks. */
__attribute__((format(printf, 2, 3))) void lm_log(leman_context *ctx, const char *format, ...);

/* Returns how many bytes are left of the memory budget: of the setting, or of the free memory if there is no setting.
 * Call it before the arrays that are compared with the result are allocated. */
size_t lm_budget(const leman_context *ctx);
/* Writes "20.0 MiB", or "20.0 MiB (3.1 MiB of it left)", to follow "the memory budget is". left is the result of
 * lm_budget(). Returns text. */
const char *lm_budget_text(const leman_context *ctx, uint64_t left, char text[LM_BUDGET_TEXT]);
/* A memory budget in bytes, and how many bytes of it others hold during the work. */
typedef struct lm_memory_limit {
    uint64_t budget, held;
} lm_memory_limit;

/* Returns the seconds of a clock that never goes back. */
double lm_now(void);

/* Progress of long work: begin once, then step often (steps are cheap). A step returns LEMAN_ERROR_CANCELLED if the
 * caller cancels. Only the caller's thread steps. */
__attribute__((format(printf, 3, 4))) void lm_progress_begin(leman_context *ctx, uint64_t total, const char *task, ...);
leman_status lm_progress_step(leman_context *ctx, uint64_t done);
/* Changes the name of the task; the progress continues. */
__attribute__((format(printf, 2, 3))) void lm_progress_rename(leman_context *ctx, const char *task, ...);
/* Like lm_progress_step() without new progress, but calls the callback in any case, even if the last call was a moment
 * ago. For use before a wait that a signal may have to end. */
leman_status lm_progress_poll(leman_context *ctx);

/* Returns the status of the last allocation that failed. */
static inline leman_status lm_refusal(const leman_context *ctx)
{
    return ctx->over_budget ? LEMAN_ERROR_BUDGET : LEMAN_ERROR_MEMORY;
}

/*
 * A function that can fail has one of two shapes. The first returns at the first failure, by PASS(), PASS_NEW() and
 * PASS_SCRATCH(); the scopes of its variables release what it holds:
 *
 *   SCRATCH_SCOPE(ctx);
 *   AUTO(lm_output_abort) lm_output out = {0};
 *   PASS(lm_output_open(ctx, path, &out));
 *   PASS_SCRATCH(ctx, order, count);
 *   return lm_output_commit(&out);
 *
 * The second is for a function that must look at the failure: `leman_status st = LEMAN_OK;` ... TRY(step) ... `done:`
 * clean up, return st.
 */
#define PASS(call)                                                                                                     \
    do {                                                                                                               \
        const leman_status passed = (call);                                                                            \
        if (passed != LEMAN_OK) return passed;                                                                         \
    } while (0)
#define TRY(call)                                                                                                      \
    do {                                                                                                               \
        if ((st = (call)) != LEMAN_OK) goto done;                                                                      \
    } while (0)
/* In front of a declaration: calls release(&variable) when the scope of the variable ends, on every path. The variable
 * must be initialised where it is declared. */
#define AUTO(release) __attribute__((unused, cleanup(release)))
/* Gives a struct, or the object that a pointer points to, to the caller: *out = variable. The variable is cleared, so
 * that the end of its scope releases nothing. Is LEMAN_OK. */
#define HAND_OVER(out, variable) (*(out) = (variable), memset(&(variable), 0, sizeof(variable)), LEMAN_OK)
/* Resets the scratch arena to its present state when the enclosing block ends. */
#define SCRATCH_SCOPE(ctx)                                                                                             \
    AUTO(lm_scratch_scope_end) lm_scratch_scope scratch_scope = {&(ctx)->scratch, lm_arena_now(&(ctx)->scratch)}
typedef struct lm_scratch_scope {
    lm_arena *arena;
    lm_arena_mark mark;
} lm_scratch_scope;
static inline void lm_scratch_scope_end(const lm_scratch_scope *scope)
{
    lm_arena_reset(scope->arena, scope->mark);
}
/* Sets st and the sentence, then goes to done. */
#define FAIL(ctx, ...)                                                                                                 \
    do {                                                                                                               \
        st = lm_fail((ctx), __VA_ARGS__);                                                                              \
        goto done;                                                                                                     \
    } while (0)
/* Set pointer to `count` elements of the context's allocator, which are not cleared. */
#define NEW(ctx, pointer, count) TRY(LM_SET(ctx, pointer, lm_alloc, count))
#define PASS_NEW(ctx, pointer, count) PASS(LM_SET(ctx, pointer, lm_alloc, count))
/* Like NEW() and PASS_NEW(), from the scratch arena: the elements are freed by the next reset. */
#define SCRATCH(ctx, pointer, count) TRY(LM_SET(ctx, pointer, lm_scratch, count))
#define PASS_SCRATCH(ctx, pointer, count) PASS(LM_SET(ctx, pointer, lm_scratch, count))
/* The four macros above with elements that are 0. */
#define NEW_ZERO(ctx, pointer, count) TRY(LM_SET(ctx, pointer, lm_alloc_zero, count))
#define PASS_NEW_ZERO(ctx, pointer, count) PASS(LM_SET(ctx, pointer, lm_alloc_zero, count))
#define SCRATCH_ZERO(ctx, pointer, count) TRY(LM_SET(ctx, pointer, lm_scratch_zero, count))
#define PASS_SCRATCH_ZERO(ctx, pointer, count) PASS(LM_SET(ctx, pointer, lm_scratch_zero, count))
#define LM_SET(ctx, pointer, allocate, count)                                                                          \
    (((pointer) = allocate((ctx), (count), sizeof *(pointer))) ? LEMAN_OK : lm_refusal(ctx))

/* Allocate count elements of `size` bytes. Return NULL and set the sentence if count * size overflows or memory is
 * short. For zero elements they return a valid pointer. */
void *lm_alloc(leman_context *ctx, size_t count, size_t size);
void *lm_scratch(leman_context *ctx, size_t count, size_t size);
/* Like lm_alloc() and lm_scratch(); all bytes are 0. */
static inline void *lm_alloc_zero(leman_context *ctx, size_t count, size_t size)
{
    void *pointer = lm_alloc(ctx, count, size);
    return pointer ? memset(pointer, 0, count * size) : NULL;
}
static inline void *lm_scratch_zero(leman_context *ctx, size_t count, size_t size)
{
    void *pointer = lm_scratch(ctx, count, size);
    return pointer ? memset(pointer, 0, count * size) : NULL;
}
/* Set the sentence for an allocation that failed, of `bytes` bytes or of count * size bytes (which overflows), and
 * return its status. lm_refusal() returns that status again. */
leman_status lm_refuse_bytes(leman_context *ctx, size_t bytes);
leman_status lm_refuse_size(leman_context *ctx, size_t count, size_t size);

#endif
