/*
 * A bag of features: entries (key, graph, value) in blocks, the common ground of all kernels. A block is a round of a
 * colouring, or all there is of a shortest-path or graphlet kernel; keys of different blocks never meet. An entry has a
 * multiplicity: it stands for that many features of equal value, as the colours of an orbit do.
 *
 * Workers add at the same time, each to its own lists. 16 bytes an entry.
 */
#ifndef LM_BAG_H
#define LM_BAG_H

#include "base/chunks.h"
#include "base/context.h"
#include "base/sort.h"

enum { LM_BAG_LISTS = 4, LM_BAG_VALUE_BITS = 40 };

/* Multiplicities, by list. */
static const uint32_t LM_MULTIPLICITY[LM_BAG_LISTS] = {1, 2, 3, 6};

typedef struct lm_bag {
    size_t graphs;
    size_t blocks;
    int workers;
    bool expanded;   /* every colour of an orbit is an entry of its own, with multiplicity 1 */
    lm_chunks *list; /* [workers][blocks][LM_BAG_LISTS], items are lm_pair: key, graph << LM_BAG_VALUE_BITS | value */
} lm_bag;

leman_status lm_bag_new(leman_context *ctx, size_t graphs, size_t blocks, lm_bag *bag);
void lm_bag_free(leman_context *ctx, lm_bag *bag);

static inline size_t lm_pair_graph(lm_pair entry)
{
    return (size_t)(entry.payload >> LM_BAG_VALUE_BITS);
}

static inline uint64_t lm_pair_value(lm_pair entry)
{
    return entry.payload & ((UINT64_C(1) << LM_BAG_VALUE_BITS) - 1);
}

/* value < 2^40; graph < 2^24 is checked by lm_bag_new(). multiplicity 1, 2, 3 or 6. */
static inline leman_status lm_bag_add(leman_context *worker_ctx, lm_bag *bag, int worker, size_t block,
                                      uint32_t multiplicity, uint64_t key, size_t graph, uint64_t value)
{
    size_t list = multiplicity == 6 ? 3 : multiplicity - 1;
    lm_pair entry = {key, (uint64_t)graph << LM_BAG_VALUE_BITS | value};
    if (value >> LM_BAG_VALUE_BITS)
        return lm_fail(worker_ctx, LEMAN_ERROR_BUDGET, "graph %zu has more than 2^%d tuples of one colour", graph + 1,
                       LM_BAG_VALUE_BITS);
    return lm_chunks_append(worker_ctx, bag->list + ((size_t)worker * bag->blocks + block) * LM_BAG_LISTS + list,
                            &entry, sizeof entry);
}

/* How many entries a list of a block has. */
size_t lm_bag_entries(const lm_bag *bag, size_t block, size_t list);
/* All entries of one list of a block, sorted by key, graphs increasing within a key; the list is empty afterwards. The
 * array belongs to the caller (lm_free). */
leman_status lm_bag_take(leman_context *ctx, lm_bag *bag, size_t block, size_t list, lm_pair **entries, size_t *count);

#endif
