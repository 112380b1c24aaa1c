/*
 * Counts the features of one graph after the other. A tally is a hash table from keys to counts; after each graph its
 * contents become feature triples. Keys are hashes, so a slot is found by the low bits of the key. The table doubles
 * when it is half full. O(1) for an addition; 16 bytes a slot, and at most four slots a feature.
 */
#ifndef LM_TALLY_H
#define LM_TALLY_H

#include "base/thread_pool.h"
#include "kernel/kernel.h"

typedef struct lm_tally {
    lm_pair *slot; /* [capacity] key, count; key 0: free */
    size_t capacity, used;
} lm_tally;

/* Makes an empty tally in the context's scratch. */
leman_status lm_tally_new(leman_context *ctx, lm_tally *tally);
/* Doubles the capacity, in the same scratch. */
leman_status lm_tally_grow(leman_context *ctx, lm_tally *tally);

/* Adds `amount` to the count of a key. Counts wrap, so that 0 - amount subtracts. */
static inline leman_status lm_tally_add(leman_context *ctx, lm_tally *tally, uint64_t key, uint64_t amount)
{
    key += !key;
    size_t at = key & (tally->capacity - 1);
    while (tally->slot[at].key && tally->slot[at].key != key) at = (at + 1) & (tally->capacity - 1);
    if (!tally->slot[at].key) {
        tally->slot[at] = (lm_pair){key, 0};
        tally->used++;
    }
    tally->slot[at].payload += amount;
    return 2 * tally->used > tally->capacity ? lm_tally_grow(ctx, tally) : LEMAN_OK;
}

/* How the features of a kernel are counted. */
typedef struct lm_counting {
    const char *what; /* "shortest paths" */
    /* Counts the features of a graph into the tally, and advances the worker by the cost of the graph. It may use the
     * scratch of the worker's context, but must not reset it below the tally. */
    leman_status (*count)(lm_worker *worker, const leman_graph *graph, const struct lm_counting *counting,
                          lm_tally *tally);
    uint64_t (*cost)(const leman_graph *graph, const struct lm_counting *counting);
    const leman_kernel *kernel;
    const void *table; /* shared by all graphs; NULL: none */
} lm_counting;

/* Adds the features of every graph of the data to one block. Graphs are numbered from first_graph on; each is counted
 * by one thread. */
leman_status lm_triples_count(leman_context *ctx, const leman_dataset *data, const lm_counting *counting,
                              size_t first_graph, size_t block, lm_triples *triples);
/* Like lm_triples_count() for blocks 0 .. blocks - 1: `count` gets an array of tallies, one for each block. */
leman_status lm_triples_count_blocks(leman_context *ctx, const leman_dataset *data, const lm_counting *counting,
                                     size_t first_graph, size_t blocks, lm_triples *triples);

#endif
