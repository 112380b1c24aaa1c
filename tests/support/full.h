/* Random data sets that have every kind of column, names too: what must survive storing, selecting and building. */
#ifndef TEST_FULL_H
#define TEST_FULL_H

#include "support/support.h"

/* `graphs` graphs of up to `max` vertices, some empty, some with loops; the name is "full". */
leman_dataset *test_full_dataset(leman_context *ctx, uint64_t *state, size_t graphs, size_t max, bool directed);
/* The same, into a builder that the caller has made with test_full_columns(); stops at the first failure. */
leman_status test_full_build(leman_builder *builder, uint64_t *state, size_t graphs, size_t max);
leman_columns test_full_columns(void);

/* Same data set (test_same_dataset) and the same names; prints the first difference. */
bool test_same_all(const leman_dataset *a, const leman_dataset *b);

#endif
