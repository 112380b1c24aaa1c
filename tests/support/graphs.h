/* Slow questions to a graph, straight from the definitions, and generated data sets to ask them of. */
#ifndef TEST_GRAPHS_H
#define TEST_GRAPHS_H

#include "support/support.h"

/* A generated data set that has passed leman_dataset_check(). */
leman_dataset *test_made(leman_context *ctx, leman_family family, const leman_family_options *options);
/* Generating must fail with a sentence that holds `words`, and leave no data set. */
void test_refused(leman_family family, const leman_family_options *options, const char *words);

size_t test_degree(const leman_graph *g, size_t v);
bool test_joined(const leman_graph *g, size_t u, size_t v);
size_t test_common_neighbours(const leman_graph *g, size_t u, size_t v);
/* How many vertices can be reached from v, with it. */
size_t test_reached(const leman_graph *g, size_t v);
/* walks[l] = closed walks of length l from v, for l = 1 .. max. */
void test_closed_walks(const leman_graph *g, size_t v, size_t max, double *walks);

void test_assert_regular(const leman_graph *g, size_t degree);
void test_assert_named(const leman_dataset *data, size_t graph, const char *name);

#endif
