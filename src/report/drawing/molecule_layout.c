/*
 * Lays out a molecule. Its connected components are laid out one by one and rotated by a multiple of 30 degrees so that
 * their height is smallest. Then they are arranged side by side, in several rows if there are many.
 */
#include "report/drawing/molecule_layout.h"
#include "base/sort.h"
#include <stdlib.h>
#include <string.h>

enum { ROTATIONS = 12 };
static const double GAP = 1.3 /* between components */, WIDE = 1.7 /* row, relative to the root of all area */;
static const double SHORTEST = 0.5, LONGEST = 1.6; /* bonds of given coordinates, relative to their median */

typedef struct box {
    double left, right, low, high;
} box;

/* Returns the box of a component after a rotation; part NULL: of all atoms. */
static box box_of(const lm_point *place, const uint32_t *part, uint32_t number, size_t atoms, double turn)
{
    box b = {INFINITY, -INFINITY, INFINITY, -INFINITY};
    for (size_t a = 0; a < atoms; a++) {
        if (part && part[a] != number) continue;
        const lm_point p = lm_rotate(place[a], turn);
        b = (box){fmin(b.left, p.x), fmax(b.right, p.x), fmin(b.low, p.y), fmax(b.high, p.y)};
    }
    return b;
}

/* ---- Parts ----------------------------------------------------------------------------------- */

/* Rotates a component to its smallest height, by the smallest such angle. */
static void lay_level(lm_point *place, const uint32_t *part, uint32_t number, size_t atoms)
{
    double least = INFINITY, turn = 0;
    for (int i = 0; i < ROTATIONS; i++) {
        const double angle = 2 * LM_PI * i / (double)ROTATIONS;
        const box b = box_of(place, part, number, atoms, angle);
        if (b.high - b.low < least - 1e-6) least = b.high - b.low, turn = angle;
    }
    for (size_t a = 0; a < atoms; a++)
        if (part[a] == number) place[a] = lm_rotate(place[a], turn);
}

/* Arranges components in rows from left to right, and rows from top to bottom; each component is centred in the height
 * of its row. */
static void arrange(lm_point *place, const uint32_t *part, uint32_t parts, size_t atoms)
{
    double area = 0, widest = 0, x = 0, top = 0, height = 0;
    for (uint32_t i = 0; i < parts; i++) {
        const box b = box_of(place, part, i, atoms, 0);
        area += (b.right - b.left + GAP) * (b.high - b.low + GAP);
        widest = fmax(widest, b.right - b.left);
    }
    const double width = fmax(widest, WIDE * sqrt(area));
    for (uint32_t first = 0, i = 0; i < parts; first = i) {
        for (x = 0, height = 0; i < parts; i++) {
            const box b = box_of(place, part, i, atoms, 0);
            if (i > first && x + b.right - b.left > width) break;
            x += b.right - b.left + GAP;
            height = fmax(height, b.high - b.low);
        }
        x = 0;
        for (uint32_t k = first; k < i; k++) {
            const box b = box_of(place, part, k, atoms, 0);
            const lm_point move = {x - b.left, top - height / 2 - (b.low + b.high) / 2};
            for (size_t a = 0; a < atoms; a++)
                if (part[a] == k) place[a] = lm_point_add(place[a], move);
            x += b.right - b.left + GAP;
        }
        top -= height + GAP;
    }
}

static void center(lm_point *place, size_t atoms)
{
    const box b = box_of(place, NULL, 0, atoms, 0);
    for (size_t a = 0; a < atoms; a++)
        place[a] = lm_point_subtract(place[a], (lm_point){(b.left + b.right) / 2, (b.low + b.high) / 2});
}

leman_status lm_molecule_layout(leman_context *ctx, const leman_graph *graph, const uint8_t *order, const bool *small,
                                lm_point *place, bool *clean)
{
    SCRATCH_SCOPE(ctx);
    lm_skeleton s;
    uint32_t *part, *stack, parts = 0;
    PASS(lm_skeleton_new(ctx, graph, order, &s));
    s.small = small;
    PASS(lm_double_bonds_find(ctx, graph, &s));
    PASS_SCRATCH(ctx, part, s.atoms + 1);
    PASS_SCRATCH(ctx, stack, s.atoms + 1);
    memset(part, 0xff, s.atoms * sizeof *part);
    for (uint32_t a = 0; a < s.atoms; a++)
        if (part[a] == UINT32_MAX) lm_skeleton_reach(&s, a, parts++, part, stack);
    for (uint32_t i = 0; i < parts; i++) {
        PASS(lm_substituents_layout(ctx, &s, part, i, place));
        for (size_t a = 0; a < s.atoms; a++) /* away from the other components */
            if (part[a] == i) place[a].y += 1000.0 * i;
    }
    PASS(lm_double_bonds_turn(ctx, &s, place));
    PASS(lm_clashes_resolve(ctx, &s, place));
    for (uint32_t i = 0; i < parts; i++) lay_level(place, part, i, s.atoms);
    arrange(place, part, parts, s.atoms);
    center(place, s.atoms);
    const lm_clash_count count = lm_clashes_count(&s, place);
    *clean = !count.atoms && !count.crossings;
    return LEMAN_OK;
}

/* ---- Given coordinates ----------------------------------------------------------------------- */

/* Returns the median length of the bonds; 0 if there are none. */
static double median_bond(const leman_graph *g, const lm_point *place)
{
    double length[LM_SKELETON_BONDS];
    size_t count = 0;
    for (size_t a = 0; a < g->vertices; a++)
        for (uint64_t e = g->start[a]; e < g->start[a + 1]; e++)
            if (g->head[e] > a && count < LM_SKELETON_BONDS) length[count++] = lm_distance(place[a], place[g->head[e]]);
    if (!count) return 0;
    qsort(length, count, sizeof *length, lm_compare_double);
    return length[count / 2];
}

static bool is_apart(const leman_graph *g, const lm_point *place)
{
    for (size_t a = 0; a < g->vertices; a++)
        for (size_t b = 0; b < a; b++)
            if (lm_point_square(lm_point_subtract(place[a], place[b])) < SHORTEST * SHORTEST) return false;
    for (size_t a = 0; a < g->vertices; a++)
        for (uint64_t e = g->start[a]; e < g->start[a + 1]; e++)
            if (lm_point_square(lm_point_subtract(place[a], place[g->head[e]])) > LONGEST * LONGEST) return false;
    return true;
}

static bool has_crossing(const leman_graph *g, const lm_point *p)
{
    for (size_t a = 0; a < g->vertices; a++)
        for (uint64_t e = g->start[a]; e < g->start[a + 1]; e++)
            for (size_t c = a + 1; c < g->vertices; c++)
                for (uint64_t f = g->start[c]; f < g->start[c + 1]; f++) {
                    const size_t b = g->head[e], d = g->head[f];
                    if (b > a && d > c && c != b && d != b && lm_cross(p[a], p[b], p[c], p[d])) return true;
                }
    return false;
}

bool lm_molecule_layout_given(const leman_graph *g, lm_point *place)
{
    const size_t columns = g->vertex_attributes;
    bool flat = true;
    if ((columns != 2 && columns != 3) || !g->vertices) return false;
    for (size_t a = 0; a < g->vertices; a++) {
        const double *at = g->vertex_attribute + columns * a;
        if (!isfinite(at[0]) || !isfinite(at[1]) || fabs(at[0]) > 1e6 || fabs(at[1]) > 1e6) return false;
        place[a] = (lm_point){at[0], at[1]};
        flat &= columns == 2 || fabs(at[2]) < 1e-6;
    }
    const double bond = median_bond(g, place);
    if (!(bond > 1e-6)) return false;
    for (size_t a = 0; a < g->vertices; a++) place[a] = (lm_point){place[a].x / bond, place[a].y / bond};
    if (!is_apart(g, place) || (!flat && has_crossing(g, place))) return false;
    center(place, g->vertices);
    return true;
}
