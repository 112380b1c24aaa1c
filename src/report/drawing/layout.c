/*
 * Stress majorisation (SMACOF). Each step moves every vertex u, one after the other, to
 *
 *   p_u = sum_v w_uv (p_v + d_uv (p_u - p_v) / |p_u - p_v|) / sum_v w_uv,  w_uv = 1 / d_uv^2.
 *
 * The stress never increases. The starts are a circle in the order of the vertices, a circle in breadth-first order,
 * and random positions.
 */
#include "report/drawing/layout.h"
#include "base/context.h"
#include "base/random.h"
#include <math.h>
#include <string.h>

enum { STARTS = 6, STEPS = 2000, LOOK = 20 /* steps between two computations of the stress */, PUSHES = 60 };
#define PURPOSE UINT64_C(0x6c61796f) /* of the random stream */
static const double APART = 1.6; /* added to the longest distance (at most 4) for vertices of different components */

/* ---- Distances ------------------------------------------------------------------------------- */

/* Computes distance[n] from a vertex by breadth-first search, ignoring directions; -1 for other components. queue[n] is
 * a workspace. */
static void search(const unsigned char *joined, size_t n, size_t from, double *distance, uint32_t *queue)
{
    size_t head = 0, tail = 0;
    for (size_t v = 0; v < n; v++) distance[v] = -1;
    distance[from] = 0;
    queue[tail++] = (uint32_t)from;
    while (head < tail) {
        size_t u = queue[head++];
        for (size_t v = 0; v < n; v++)
            if (joined[u * n + v] && distance[v] < 0) {
                distance[v] = distance[u] + 1;
                queue[tail++] = (uint32_t)v;
            }
    }
}

static leman_status distances(leman_context *ctx, const leman_graph *g, double *distance)
{
    SCRATCH_SCOPE(ctx);
    size_t n = g->vertices;
    unsigned char *joined;
    uint32_t *queue;
    double longest = 0;
    PASS_SCRATCH_ZERO(ctx, joined, n * n);
    PASS_SCRATCH(ctx, queue, n);
    for (size_t u = 0; u < n; u++)
        for (uint64_t e = g->start[u]; e < g->start[u + 1]; e++)
            joined[u * n + g->head[e]] = joined[(size_t)g->head[e] * n + u] = 1;
    for (size_t u = 0; u < n; u++) search(joined, n, u, distance + u * n, queue);
    for (size_t i = 0; i < n * n; i++) longest = fmax(longest, distance[i]);
    for (size_t i = 0; i < n * n; i++)
        if (distance[i] < 0) distance[i] = fmin(longest, 4) + APART;
    return LEMAN_OK;
}

/* ---- Stress ---------------------------------------------------------------------------------- */

static double stress(const double *distance, const lm_point *p, size_t n)
{
    double sum = 0;
    for (size_t u = 0; u < n; u++)
        for (size_t v = u + 1; v < n; v++) {
            double d = distance[u * n + v], off = hypot(p[u].x - p[v].x, p[u].y - p[v].y) - d;
            sum += off * off / (d * d);
        }
    return sum;
}

static void step(const double *distance, lm_point *p, size_t n)
{
    for (size_t u = 0; u < n; u++) {
        double x = 0, y = 0, weights = 0;
        for (size_t v = 0; v < n; v++) {
            if (v == u) continue;
            double d = distance[u * n + v], w = 1 / (d * d);
            double dx = p[u].x - p[v].x, dy = p[u].y - p[v].y, length = hypot(dx, dy);
            if (length < 1e-9) { /* at the same position: separate them in a fixed direction */
                dx = cos((double)(u * n + v)), dy = sin((double)(u * n + v));
                length = 1;
            }
            x += w * (p[v].x + d * dx / length);
            y += w * (p[v].y + d * dy / length);
            weights += w;
        }
        if (weights > 0) p[u].x = x / weights, p[u].y = y / weights;
    }
}

/* Makes steps until the stress converges; returns the stress. */
static double converge(const double *distance, lm_point *p, size_t n)
{
    double before = INFINITY, now = stress(distance, p, n);
    for (int i = 0; i < STEPS && now < before * (1 - 1e-3) && now > 1e-6; i += LOOK) {
        for (int j = 0; j < LOOK; j++) step(distance, p, n);
        before = now;
        now = stress(distance, p, n);
    }
    return now;
}

/* Sets the start: a circle (0: in vertex order, 1: by distance from the first vertex), or random positions. */
static void begin(uint64_t start, const double *distance, lm_point *p, size_t n)
{
    lm_random random = lm_random_stream(0, PURPOSE, start);
    double size = sqrt((double)n);
    for (size_t v = 0; v < n; v++) {
        size_t rank = 0;
        for (size_t u = 0; u < n; u++) rank += distance[u] < distance[v] || (u < v && distance[u] <= distance[v]);
        double turn = 2 * LM_PI * (double)(start == 0 ? v : rank) / (double)n;
        p[v].x = start < 2 ? size * cos(turn) : size * (lm_random_real(&random) - 0.5);
        p[v].y = start < 2 ? size * sin(turn) : size * (lm_random_real(&random) - 0.5);
    }
}

/* Moves the mean to 0 and makes the direction of the greatest variance horizontal. */
static void straighten(lm_point *p, size_t n)
{
    double mx = 0, my = 0, xx = 0, xy = 0, yy = 0;
    for (size_t v = 0; v < n; v++) mx += p[v].x / (double)n, my += p[v].y / (double)n;
    for (size_t v = 0; v < n; v++) {
        double x = p[v].x -= mx, y = p[v].y -= my;
        xx += x * x, xy += x * y, yy += y * y;
    }
    double angle = 0.5 * atan2(2 * xy, xx - yy), c = cos(angle), s = sin(angle);
    for (size_t v = 0; v < n; v++) {
        double x = p[v].x, y = p[v].y;
        p[v].x = c * x + s * y;
        p[v].y = c * y - s * x;
    }
}

void lm_layout_separate(lm_point *p, size_t n, double min)
{
    for (int i = 0; i < PUSHES; i++)
        for (size_t u = 0; u < n; u++)
            for (size_t v = 0; v < u; v++) {
                double dx = p[u].x - p[v].x, dy = p[u].y - p[v].y, length = hypot(dx, dy);
                if (length >= min) continue;
                if (length < 1e-9 * min) dx = cos((double)(u * n + v)), dy = sin((double)(u * n + v)), length = 1;
                double push = (min - hypot(p[u].x - p[v].x, p[u].y - p[v].y)) / 2;
                p[u].x += push * dx / length, p[u].y += push * dy / length;
                p[v].x -= push * dx / length, p[v].y -= push * dy / length;
            }
}

leman_status lm_layout_compute(leman_context *ctx, const leman_graph *graph, lm_point *place)
{
    SCRATCH_SCOPE(ctx);
    size_t n = graph->vertices;
    double *distance, min = INFINITY;
    lm_point *p;
    if (n > LM_LAYOUT_VERTICES)
        return lm_fail(ctx, LEMAN_ERROR_ARGUMENT, "a drawing of %zu %s, expected at most %d", n,
                       lm_plural_of(n, "vertex", "vertices"), (int)LM_LAYOUT_VERTICES);
    PASS_SCRATCH(ctx, distance, n * n);
    PASS_SCRATCH(ctx, p, n);
    PASS(distances(ctx, graph, distance));
    for (uint64_t start = 0; start < STARTS; start++) {
        begin(start, distance, p, n);
        double reached = converge(distance, p, n);
        if (reached < min - 1e-9) {
            min = reached;
            memcpy(place, p, n * sizeof *p);
        }
    }
    if (n) straighten(place, n);
    return LEMAN_OK;
}
