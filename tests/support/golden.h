/* The graphs of the golden values on docs/color_definition.md and docs/kernels.md. */
#ifndef TEST_GOLDEN_H
#define TEST_GOLDEN_H

#include "support/support.h"

/* Returns the graph that the pages call "edge", "kite", "wheel", "measured" and so on, as a data set of one. */
leman_dataset *test_golden_graph(leman_context *ctx, const char *name);

#endif
