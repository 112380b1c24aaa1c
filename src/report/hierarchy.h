/* The diagram of a hierarchy of tests. */
#ifndef LM_HIERARCHY_H
#define LM_HIERARCHY_H

#include "base/context.h"
#include "report/page.h"

enum { LM_TEST_NAME = 64 };
#define LM_WITNESS_WIDTH 170.0
#define LM_WITNESS_HEIGHT 150.0
#define LM_WITNESS_GAP 20.0

/* Tests that tell apart the same pairs are one node, named by the first of them. */
typedef struct lm_diagram {
    size_t tests, levels;
    size_t *node;  /* [tests] the first test that tells apart the same pairs */
    size_t *level; /* [tests] of a node: the steps of the longest chain below it */
    bool *step;    /* [tests][tests] of nodes a, b: b tells apart more than a, and no node lies between them */
} lm_diagram;

/* Writes the name of a test as it is printed. Returns text. */
const char *lm_hierarchy_name(const leman_hierarchy *hierarchy, size_t test, char text[LM_TEST_NAME]);
/* Finds nodes, levels and steps, in the context's scratch. O(tests^3). */
leman_status lm_diagram_new(leman_context *ctx, const leman_hierarchy *hierarchy, lm_diagram *diagram);
/* Draws the diagram as a section of a page: stronger tests above, a line for each step. */
void lm_diagram_draw(lm_output *out, const leman_hierarchy *hierarchy, const lm_diagram *diagram);

#endif
