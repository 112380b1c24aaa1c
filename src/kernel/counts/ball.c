/* Breadth-first searches of limited depth. */
#include "kernel/counts/ball.h"

leman_status lm_ball_new(leman_context *ctx, size_t n, const lm_adjacency *arcs, lm_ball *ball)
{
    *ball = (lm_ball){.arcs = arcs};
    PASS_SCRATCH(ctx, ball->order, n);
    PASS_SCRATCH(ctx, ball->depth, n);
    for (size_t v = 0; v < n; v++) ball->depth[v] = LM_FAR;
    return LEMAN_OK;
}

void lm_ball_search(lm_ball *b, uint32_t root, uint32_t radius, const uint32_t *within, uint32_t bound)
{
    for (size_t i = 0; i < b->size; i++) b->depth[b->order[i]] = LM_FAR;
    b->order[0] = root;
    b->depth[root] = 0;
    b->size = 1;
    for (size_t at = 0; at < b->size && b->depth[b->order[at]] < radius; at++) {
        const uint32_t v = b->order[at];
        for (uint64_t e = b->arcs->start[v]; e < b->arcs->start[v + 1]; e++) {
            const uint32_t w = b->arcs->head[e];
            if (b->depth[w] != LM_FAR || (within && within[w] > bound)) continue;
            b->depth[w] = b->depth[v] + 1;
            b->order[b->size++] = w;
        }
    }
}
