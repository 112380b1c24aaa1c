/*
 * Feature triples (key, graph, value) in blocks: what all kernels are made of. A block is a round of a colouring, or
 * all there is of a shortest-path or graphlet kernel; keys of different blocks never meet. A triple has a multiplicity:
 * it stands for that many features of equal value, as the colours of an orbit do.
 *
 * Workers add at the same time, each to its own lists. 16 bytes a triple: an lm_pair, called an entry.
 *
 * Triples with a limit hold a slice of the keys at a time, low .. low + span. The first slice begins with all of them;
 * where the entries of a worker outgrow its part of the limit the span is halved, and what lies beyond is left out and
 * counted. When the slice has been used they go on to the next one, and are filled once more. Workers never wait for
 * each other: each narrows its own lists when it next needs a chunk, and lm_triples_finish() does the rest.
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

/* Multiplicities, by list. */
static const uint32_t LM_MULTIPLICITY[LM_TRIPLE_LISTS] = {1, 2, 3, 6};

/* What one worker keeps, and how much that is. */
typedef struct lm_triples_part {
    uint64_t span;      /* keys low .. low + span; not smaller than that of all */
    size_t bytes;       /* of its chunks */
    size_t largest;     /* of its lists, in bytes */
    uint64_t *left_out; /* [2^LM_TRIPLE_STRIPE_BITS] entries behind the slice, by their keys; NULL: no limit */
} lm_triples_part;

typedef struct lm_triples {
    size_t graphs;
    size_t blocks;
    int workers;
    bool expanded; /* every colour of an orbit is an entry of its own, with multiplicity 1 */
    bool shared;   /* they are filled with the graphs of this rank alone; kernel/ranks.h */
    /* [workers][blocks][LM_TRIPLE_LISTS] of lm_pair: key, graph << LM_TRIPLE_VALUE_BITS | value. */
    lm_chunks *list;

    lm_triples_part *part; /* [workers] */
    uint64_t low;
    _Atomic uint64_t span;
    size_t filled, sorted; /* bytes that a worker's chunks may have; and with what sorting them holds beside them */
    size_t slice;          /* number of this one */
    uint64_t fits;         /* entries that the next slice may have; after lm_triples_finish() */
    bool scarce;           /* the limit is near: freed memory should go back at once */
    lm_memory_limit limit; /* of all the work; budget 0: what is free, without limit */
} lm_triples;

/* Without a limit. */
leman_status lm_triples_new(leman_context *ctx, size_t graphs, size_t blocks, lm_triples *triples);
void lm_triples_free(leman_context *ctx, lm_triples *triples);
/* While there are no entries: the chunks will stay within `filled` bytes; with what sorting holds, within `sorted`
 * bytes. limit is for messages, and for the functions that fill the triples. */
leman_status lm_triples_limit(leman_context *ctx, lm_triples *triples, uint64_t filled, uint64_t sorted,
                              lm_memory_limit limit);
/* The smallest limit that works. */
uint64_t lm_triples_min_bytes(int workers, size_t blocks);
/* After filling: every worker's entries are those of the slice. */
void lm_triples_finish(leman_context *ctx, lm_triples *triples);
/* Does the first slice have all keys? */
static inline bool lm_triples_is_whole(const lm_triples *triples)
{
    return !triples->low && atomic_load(&triples->span) == UINT64_MAX;
}
/* Goes on to the next slice: *more is false after the last; otherwise the triples are empty, to be filled again.
 * LEMAN_ERROR_BUDGET where there would be more than LM_TRIPLE_SLICES. name is that of the data, for the log. */
leman_status lm_triples_next(leman_context *ctx, lm_triples *triples, const char *name, bool *more);
/* For lm_triples_add(): an entry behind the slice or before it; one that needs another chunk, or finds no memory. */
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

/* A value of 2^40 or more. */
leman_status lm_triples_refuse(leman_context *worker_ctx, size_t graph);
/* An entry to a list of the worker. */
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

/* value < 2^40; graph < 2^24 is checked by lm_triples_new(). multiplicity 1, 2, 3 or 6. */
static inline leman_status lm_triples_add(leman_context *worker_ctx, lm_triples *triples, int worker, size_t block,
                                          uint32_t multiplicity, uint64_t key, size_t graph, uint64_t value)
{
    size_t list =
        ((size_t)worker * triples->blocks + block) * LM_TRIPLE_LISTS + (multiplicity == 6 ? 3 : multiplicity - 1);
    lm_pair entry = {key, (uint64_t)graph << LM_TRIPLE_VALUE_BITS | value};
    if (value >> LM_TRIPLE_VALUE_BITS) return lm_triples_refuse(worker_ctx, graph);
    return lm_triples_add_entry(worker_ctx, triples, worker, list, entry);
}

/* The same for many entries of multiplicity 1, whose values are checked. */
leman_status lm_triples_add_entries(leman_context *worker_ctx, lm_triples *triples, int worker, size_t block,
                                    const lm_pair *entry, size_t count);

/* How many entries a list of a block has. */
size_t lm_triples_entries(const lm_triples *triples, size_t block, size_t list);
/* All entries of one list of a block, sorted by key, graphs increasing within a key; the list is empty afterwards. The
 * array belongs to the caller (lm_free). */
leman_status lm_triples_sort(leman_context *ctx, lm_triples *triples, size_t block, size_t list, lm_pair **entries,
                             size_t *count);

#endif
