/* Data sets to train on, small and easy. */
#ifndef TEST_TRAINING_DATA_H
#define TEST_TRAINING_DATA_H

#include "support/support.h"

/* Graphs of `classes` families, one after the other in turn: stars, cycles, paths with a chord, complete graphs, of 5
 * to 9 vertices. Labels of classes are 10, 20, ...; label_of (may be NULL) replaces the class of a graph. One target:
 * the number of vertices. */
leman_dataset *test_families(leman_context *ctx, size_t graphs, unsigned classes, int64_t (*label_of)(size_t graph));

/* The same digits but for times. */
void test_same_results(const leman_evaluation *a, const leman_evaluation *b);

#endif
