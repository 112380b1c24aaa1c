/*
 * Counting the features of one graph after the other: a tally is a hash table from keys to counts, and what it holds
 * when a graph is done becomes feature triples. Keys are hashes already, so a key's place is its last bits; the table
 * doubles when it is half full. O(1) an addition, 16 bytes and at most four times as many a feature.
 */
#ifndef LM_TALLY_H
#define LM_TALLY_H

#include "base/thread_pool.h"
#include "kernel/kernel.h"

typedef struct lm_tally {
    lm_pair *slot; /* [capacity] key, count; key 0 where free */
    size_t capacity, used;
} lm_tally;

/* An empty tally in the context's scratch. */
leman_status lm_tally_new(leman_context *ctx, lm_tally *tally);
/* Twice the capacity, in the same scratch. */
leman_status lm_tally_grow(leman_context *ctx, lm_tally *tally);

/* Adds to the count of a key. Counts wrap: what is added too much may be taken away as 0 - amount. */
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

/* A way of counting. */
typedef struct lm_counting {
    const char *what; /* "shortest paths" */
    /* Counts the features of a graph into the tally, and advances the worker by the graph's cost in all. Scratch of the
     * worker's context is its own, as long as it is not reset below the tally. */
    leman_status (*count)(lm_worker *worker, const leman_graph *graph, const struct lm_counting *counting,
                          lm_tally *tally);
    uint64_t (*cost)(const leman_graph *graph, const struct lm_counting *counting);
    const leman_kernel *kernel;
    const void *table; /* what all graphs need; NULL: nothing */
} lm_counting;

/* Every graph of the data into one block of the triples, as graphs first_graph ..; each is done by one thread. */
leman_status lm_triples_count(leman_context *ctx, const leman_dataset *data, const lm_counting *counting,
                              size_t first_graph, size_t block, lm_triples *triples);

#endif
