/*
 * What the engine says about a data set in every round, to be compared with the oracle or against another run.
 */
#ifndef TEST_ROUNDS_H
#define TEST_ROUNDS_H

#include "support/oracle.h"
#include "support/support.h"

enum { TEST_VARIANTS = 6 };
/* The five algorithms, local+ a second time with # in every round; rounds and k are the caller's business. */
leman_coloring test_variant(unsigned variant, unsigned k, uint32_t rounds);
/* "local+ (# in every round), k = 2, round 3", for messages. Static buffer. */
const char *test_coloring_text(const leman_coloring *coloring, uint32_t round);

/* leman_tuple_colors(), which must succeed; free() it. */
uint64_t *test_tuple_colors(leman_context *ctx, const leman_graph *graph, const leman_coloring *coloring,
                            uint32_t round);
/* leman_histogram_compute(), which must succeed. */
leman_histogram *test_histogram(leman_context *ctx, const leman_graph *graph, const leman_coloring *coloring);
leman_census *test_census(leman_context *ctx, const leman_dataset *data, const leman_coloring *coloring);

/* Is this round of the histogram what counting these colours one by one gives? */
bool test_counts_agree(const leman_histogram *histogram, uint32_t round, const uint64_t *colors, size_t tuples);
/* Bit by bit the same? */
bool test_same_histogram(const leman_histogram *a, const leman_histogram *b);
bool test_same_census(const leman_census *a, const leman_census *b);

#endif
