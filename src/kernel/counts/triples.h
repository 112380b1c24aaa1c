/*
 * Feature triples (key, graph, value) in blocks: the common form of all kernels. A block holds one round of a
 * colouring, or all features of a shortest-path or graphlet kernel. Keys of different blocks are unrelated. A triple
 * has a multiplicity: it stands for so many features of equal value, like the colours of an orbit.
 *
 * Workers add triples in parallel, each to its own lists. A triple takes 16 bytes: an lm_pair, called an entry.
 *
 * Triples with a limit hold one slice of the keys at a time, low .. low + span. The first slice begins with all keys.
 * If the entries of a worker exceed its part of the limit, the span is halved; entries beyond the slice are left out
 * and counted. After a slice has been used, the triples are filled again with the next one. Workers never wait for each
 * other: each narrows its own lists when it next needs a chunk, and lm_triples_finish() narrows the remaining ones.
 */
#ifndef LM_TRIPLES_H
#define LM_TRIPLES_H

#include "base/chunks.h"
#include "base/context.h"
#include "base/sort.h"
#include <stdatomic.h>

enum {
    LM_TRIPLE_LISTS = 4,
    LM_TRIPLE_VALUE_BITS = 40,
    LM_TRIPLE_STRIPE_BITS = 10,
    LM_TRIPLE_SLICES = 4096 /* at most */
};

/* The multiplicity of each list. */
static const uint32_t LM_MULTIPLICITY[LM_TRIPLE_LISTS] = {1, 2, 3, 6};

/* The keys that one worker keeps, and the memory of their entries. */
typedef struct lm_triples_part {
    uint64_t span;      /* the worker keeps keys low .. low + span; at least lm_triples.span */
    size_t bytes;       /* of all chunks */
    size_t largest;     /* bytes of the largest list */
    uint64_t *left_out; /* [2^LM_TRIPLE_STRIPE_BITS] left-out entries by the top bits of the key; NULL: no limit */
} lm_triples_part;

typedef struct lm_triples {
    size_t graphs;
    size_t blocks;
    int workers;
    bool expanded; /* every colour of an orbit is its own entry, with multiplicity 1 */
    bool shared;   /* filled only with the graphs of this rank; kernel/gram/gram_ranks.h */
    /* [workers][blocks][LM_TRIPLE_LISTS] of lm_pair: key, graph << LM_TRIPLE_VALUE_BITS | value. */
    lm_chunks *list;

    lm_triples_part *part; /* [workers] */
    uint64_t low;
    _Atomic uint64_t span;
    size_t filled, sorted; /* limits for each worker: bytes of its chunks; bytes of its chunks and of sorting them */
    size_t slice;          /* number of this slice */
    uint64_t fits;         /* entries that the next slice may have; set by lm_triples_finish() */
    bool scarce;           /* the limit is near: freed memory should be returned to the system at once */
    lm_memory_limit limit; /* of the whole computation; budget 0: no limit */
} lm_triples;

/* Makes empty triples without a limit. Fails if there are 2^24 graphs or more. */
leman_status lm_triples_new(leman_context *ctx, size_t graphs, size_t blocks, lm_triples *triples);
void lm_triples_free(lm_triples *triples);
/* Limits empty triples: the chunks take at most `filled` bytes; the chunks and the memory of sorting them take at most
 * `sorted` bytes. limit is used in messages and by the functions that fill the triples. */
leman_status lm_triples_limit(leman_context *ctx, lm_triples *triples, uint64_t filled, uint64_t sorted,
                              lm_memory_limit limit);
/* Returns the smallest limit that works. */
uint64_t lm_triples_min_bytes(int workers, size_t blocks);
/* To be called after filling: removes entries outside the slice from all lists. */
void lm_triples_finish(lm_triples *triples);
/* Returns true if the first slice contains all keys. */
static inline bool lm_triples_is_whole(const lm_triples *triples)
{
    return !triples->low && atomic_load(&triples->span) == UINT64_MAX;
}
/* Proceeds to the next slice. *more is false after the last slice; otherwise the triples are empty and must be filled
 * again. Fails with LEMAN_ERROR_BUDGET if more than LM_TRIPLE_SLICES slices would be needed. name is that of the data,
 * for the log. */
leman_status lm_triples_next(leman_context *ctx, lm_triples *triples, const char *name, bool *more);
/* Parts of lm_triples_add(). lm_triples_leave_out() counts an entry outside the slice; lm_triples_grow() adds an entry
 * that needs another chunk, after narrowing the slice if the limit requires it. */
void lm_triples_leave_out(lm_triples *triples, int worker, uint64_t key);
leman_status lm_triples_grow(leman_context *worker_ctx, lm_triples *triples, int worker, size_t list, lm_pair entry);

static inline size_t lm_pair_graph(lm_pair entry)
{
    return (size_t)(entry.payload >> LM_TRIPLE_VALUE_BITS);
}

static inline uint64_t lm_pair_value(lm_pair entry)
{
    return entry.payload & ((UINT64_C(1) << LM_TRIPLE_VALUE_BITS) - 1);
}

/* Fails because a value of the graph is 2^40 or more. */
leman_status lm_triples_refuse(leman_context *worker_ctx, size_t graph);
/* Adds an entry to a list of the worker; counts it as left out if its key is outside the slice. */
static inline leman_status lm_triples_add_entry(leman_context *worker_ctx, lm_triples *triples, int worker, size_t list,
                                                lm_pair entry)
{
    if (entry.key - triples->low > triples->part[worker].span) {
        lm_triples_leave_out(triples, worker, entry.key);
        return LEMAN_OK;
    }
    if (!lm_chunks_has_room(triples->list + list, sizeof entry))
        return lm_triples_grow(worker_ctx, triples, worker, list, entry);
    lm_chunks_put(triples->list + list, &entry, sizeof entry);
    return LEMAN_OK;
}

/* Adds a triple. value must be below 2^40, otherwise the function fails; multiplicity must be 1, 2, 3 or 6. */
static inline leman_status lm_triples_add(leman_context *worker_ctx, lm_triples *triples, int worker, size_t block,
                                          uint32_t multiplicity, uint64_t key, size_t graph, uint64_t value)
{
    size_t list =
        ((size_t)worker * triples->blocks + block) * LM_TRIPLE_LISTS + (multiplicity == 6 ? 3 : multiplicity - 1);
    lm_pair entry = {key, (uint64_t)graph << LM_TRIPLE_VALUE_BITS | value};
    if (value >> LM_TRIPLE_VALUE_BITS) return lm_triples_refuse(worker_ctx, graph);
    return lm_triples_add_entry(worker_ctx, triples, worker, list, entry);
}

/* Adds `count` entries of multiplicity 1. The values must be below 2^40. */
leman_status lm_triples_add_entries(leman_context *worker_ctx, lm_triples *triples, int worker, size_t block,
                                    const lm_pair *entry, size_t count);

/* Returns the number of entries of a list of a block, over all workers. */
size_t lm_triples_entries(const lm_triples *triples, size_t block, size_t list);
/* Returns all entries of one list of a block, sorted by key and, within a key, by graph. The list is empty afterwards.
 * The caller frees the array with lm_release(). */
leman_status lm_triples_sort(leman_context *ctx, lm_triples *triples, size_t block, size_t list, lm_pair **entries,
                             size_t *count);

#endif
