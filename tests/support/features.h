/*
 * Features of graphs as an oracle sees them, compared with feature triples.
 *
 * The oracle writes a feature's meaning down as words and adds it once for every time a graph shows it. The triples
 * have a key instead. Both say how often each graph shows each feature: the rows of two tables, which must be the same
 * rows. Two meanings under one key, or one meaning under two keys, give other rows.
 */
#ifndef TEST_FEATURES_H
#define TEST_FEATURES_H

#include "kernel/kernel.h"
#include "support/support.h"

enum { FEATURE_WORDS = 24 };

typedef struct test_feature {
    int64_t word[FEATURE_WORDS];
    size_t graph;
} test_feature;

typedef struct test_features {
    test_feature *item;
    size_t count, capacity;
} test_features;

void test_features_add(test_features *features, const test_feature *feature);
void test_features_free(test_features *features);

/* What lm_kernel_fill() gives for a kernel of one block, by key and graph; the call must succeed. free() it. */
lm_pair *test_entries(leman_context *ctx, const leman_dataset *data, const leman_kernel *kernel, size_t *count);
/* Entries of one graph alone, its number replaced by 0. free() it. */
lm_pair *test_entries_of(const lm_pair *entry, size_t count, size_t graph, size_t *own);

/* Prints the first difference. */
bool test_features_match(const test_features *features, const lm_pair *entry, size_t count);
/* The values of one graph's entries, increasing, are exactly these. */
bool test_values_are(const lm_pair *entry, size_t count, size_t graph, const uint64_t *value, size_t values);

/* A star: one centre, vertex 0, and leaves, all labels different if asked for. */
leman_dataset *test_star(leman_context *ctx, size_t leaves, bool labelled);

/* Runs the kernel over the data with a caller that cancels when first asked. */
void test_stops(const leman_dataset *data, const leman_kernel *kernel);

#endif
