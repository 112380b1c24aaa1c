/*
 * Graphs whose degrees follow a power law: preferential attachment (Barabási and Albert 1999). The first `degree` + 1
 * vertices are joined with each other. Each later vertex is joined with `degree` different earlier vertices, chosen
 * with probability proportional to their degrees: a uniform end of an edge is drawn, and drawn again if it was chosen
 * before. Degree d has a frequency of about d^-3. Time and memory O(edges).
 */
#include "graph/families.h"

leman_status lm_power_law_plan(leman_context *ctx, const leman_family_options *o, lm_family_plan *plan)
{
    if (o->degree < 1 || o->degree >= o->vertices)
        return lm_fail(ctx, LEMAN_ERROR_ARGUMENT,
                       "power-law: found degree %zu with %zu %s, expected 1 or more, and less than that", o->degree,
                       o->vertices, lm_plural_of(o->vertices, "vertex", "vertices"));
    const uint64_t first = o->degree + 1, rest = o->vertices - first;
    plan->edges = lm_saturating_add(first * o->degree / 2, lm_saturating_multiply(rest, o->degree));
    return LEMAN_OK;
}

/* Adds an edge, and its two ends to the list. */
static leman_status add_edge(lm_family_builder *builder, uint32_t *end, size_t *ends, uint32_t u, uint32_t v)
{
    end[(*ends)++] = u;
    end[(*ends)++] = v;
    return lm_family_edge(builder, u, v);
}

leman_status lm_power_law_draw(lm_family_builder *builder)
{
    const size_t n = builder->options->vertices, degree = builder->options->degree;
    uint32_t *end, *drawn_by; /* drawn_by: 1 + the last vertex that drew this one */
    size_t ends = 0;
    PASS(lm_family_graph(builder, n, "power-law"));
    PASS_SCRATCH(builder->ctx, end, 2 * n * degree);
    PASS_SCRATCH(builder->ctx, drawn_by, n);
    for (uint32_t u = 0; u <= degree; u++)
        for (uint32_t v = u + 1; v <= degree; v++) PASS(add_edge(builder, end, &ends, u, v));
    for (uint32_t v = 0; v < n; v++) drawn_by[v] = 0;
    for (uint32_t v = (uint32_t)degree + 1; v < n; v++) {
        const size_t earlier = ends; /* edges of v itself are not drawn from */
        for (size_t i = 0; i < degree;) {
            const uint32_t u = end[lm_random_below(&builder->random, earlier)];
            if (drawn_by[u] == v + 1) continue;
            drawn_by[u] = v + 1;
            PASS(add_edge(builder, end, &ends, u, v));
            i++;
        }
    }
    return LEMAN_OK;
}
