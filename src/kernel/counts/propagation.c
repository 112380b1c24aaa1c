/*
 * The propagation kernel (Neumann, Garnett, Bauckhage, Kersting: Propagation kernels, Machine Learning 2016). A vertex
 * begins with the distribution of its own label, and with its attributes. In each round, every vertex takes the mean of
 * its neighbours, x_v <- sum over arcs vw of weight(vw) x_w / sum of |weights|; a vertex without neighbours gets 0. After
 * each round the vectors are hashed to bins, and the bins of a graph are counted.
 *
 * Diffusion is linear, so the projection of a diffused vector is the diffused projection. If hashes are bins of
 * projections (labels by total variation, attributes), only the projections of the rounds to come are diffused: one
 * column for each round. Square roots (Hellinger distance) and separate bins of columns need all columns. Labels that a
 * graph does not have are columns of zeros, which are left out.
 *
 * Time O(rounds (n + arcs) columns) and memory O(n columns) for a graph.
 */
#include "base/arguments.h"
#include "kernel/counts/binning.h"
#include "kernel/counts/directions.h"
#include "kernel/counts/tally.h"
#include "refine/adjacency.h"
#include "refine/variant.h"
#include <stdlib.h>

typedef struct setting {
    const leman_kernel *kernel;
    uint32_t binning;
    leman_projections given; /* of the caller; direction NULL: drawn from the seed */
} setting;

/* Vectors of all vertices of a graph. */
typedef struct field {
    size_t columns;
    double *now, *next; /* [n][columns]; NULL: the kernel does not have this field */
    bool projected;     /* column r is the projection for round r */
    uint64_t *item;     /* [columns] unless projected: the number of the column for directions */
} field;

typedef struct diffusion {
    const leman_graph *g;
    const setting *s;
    double *weight; /* [arcs] of the matrix of means */
    field labels, attributes;
} diffusion;

/* ---- Random numbers -------------------------------------------------------------------------- */

static double direction(const setting *s, bool labels, size_t round, uint64_t item)
{
    const leman_kernel *k = s->kernel;
    if (s->given.direction) return s->given.direction[round * s->given.columns + item];
    return lm_direction(lm_direction_key(k->hash_seed + !labels, s->binning, round), item, labels && !k->hellinger);
}

static double offset(const setting *s, bool labels, size_t round, size_t column)
{
    const leman_kernel *k = s->kernel;
    if (s->given.direction) return s->given.offset[s->given.separate ? round * s->given.columns + column : round];
    return lm_direction_offset(lm_direction_key(k->hash_seed + !labels, s->binning, round),
                               labels ? k->label_width : k->bin_width);
}

static int compare_labels(const void *a, const void *b)
{
    const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

/* Sets the number of the label of v: its hash, or its column in the caller's projections. */
static leman_status label_item(leman_context *ctx, const diffusion *d, size_t v, uint64_t *item)
{
    const leman_projections *given = &d->s->given;
    *item = lm_label_hash(d->g, v, &d->s->kernel->coloring);
    if (!given->direction) return LEMAN_OK;
    const int64_t *found =
        bsearch(d->g->vertex_label + v, given->label, given->columns, sizeof *given->label, compare_labels);
    if (!found)
        return lm_fail(ctx, LEMAN_ERROR_INPUT, "found the vertex label %lld, expected one that has a projection",
                       (long long)d->g->vertex_label[v]);
    *item = (uint64_t)(found - given->label);
    return LEMAN_OK;
}

/* ---- The vectors of round 0 ------------------------------------------------------------------ */

static leman_status new_field(leman_context *ctx, const diffusion *d, size_t columns, field *f)
{
    const size_t rounds = (size_t)d->s->kernel->coloring.rounds + 1;
    f->columns = f->projected ? rounds : columns;
    const size_t cells = (size_t)lm_saturating_multiply(d->g->vertices, f->columns);
    PASS_SCRATCH_ZERO(ctx, f->now, cells);
    PASS_SCRATCH(ctx, f->next, cells);
    return LEMAN_OK;
}

/* Distributions of labels: 1 in the column of the vertex's own label. */
static leman_status start_labels(leman_context *ctx, diffusion *d)
{
    const size_t n = d->g->vertices;
    field *f = &d->labels;
    size_t columns = 0;
    lm_pair *pair, *spare;
    f->projected = !d->s->kernel->hellinger;
    PASS_SCRATCH(ctx, pair, n);
    PASS_SCRATCH(ctx, spare, n);
    PASS_SCRATCH(ctx, f->item, n);
    for (size_t v = 0; v < n; v++) {
        pair[v].payload = v;
        PASS(label_item(ctx, d, v, &pair[v].key));
    }
    lm_sort_pairs(pair, spare, n, 1);
    for (size_t i = 0; i < n; i++)
        if (!i || pair[i].key != pair[i - 1].key) f->item[columns++] = pair[i].key;
    PASS(new_field(ctx, d, columns, f));
    for (size_t i = 0, column = 0; i < n; i++) {
        double *own = f->now + pair[i].payload * f->columns;
        const bool again = i && pair[i].key == pair[i - 1].key;
        const double *before = i ? f->now + pair[i - 1].payload * f->columns : own;
        if (!again && i) column++;
        if (!f->projected) own[column] = 1;
        for (size_t r = 0; f->projected && r < f->columns; r++)
            own[r] = again ? before[r] : direction(d->s, true, r, pair[i].key);
    }
    return LEMAN_OK;
}

static leman_status start_attributes(leman_context *ctx, diffusion *d)
{
    const leman_graph *g = d->g;
    field *f = &d->attributes;
    f->projected = !d->s->given.separate;
    PASS(new_field(ctx, d, g->vertex_attributes, f));
    PASS_SCRATCH(ctx, f->item, g->vertex_attributes);
    for (size_t j = 0; j < g->vertex_attributes; j++) f->item[j] = j;
    if (!f->projected) {
        if (g->vertices) memcpy(f->now, g->vertex_attribute, g->vertices * f->columns * sizeof *f->now);
        return LEMAN_OK;
    }
    for (size_t r = 0; r < f->columns; r++)
        for (size_t j = 0; j < g->vertex_attributes; j++) {
            const double along = direction(d->s, false, r, j);
            for (size_t v = 0; v < g->vertices; v++)
                f->now[v * f->columns + r] += along * g->vertex_attribute[v * g->vertex_attributes + j];
        }
    return LEMAN_OK;
}

static leman_status start(leman_context *ctx, const leman_graph *g, const setting *s, diffusion *d)
{
    const leman_kernel *k = s->kernel;
    *d = (diffusion){.g = g, .s = s};
    PASS_SCRATCH(ctx, d->weight, g->arcs);
    for (size_t v = 0; v < g->vertices; v++) {
        double sum = 0;
        for (uint64_t e = g->start[v]; e < g->start[v + 1]; e++)
            sum += k->weighted ? fabs(g->edge_attribute[e * g->edge_attributes]) : 1;
        for (uint64_t e = g->start[v]; e < g->start[v + 1]; e++)
            d->weight[e - g->start[0]] =
                sum > 0 ? (k->weighted ? g->edge_attribute[e * g->edge_attributes] : 1) / sum : 0;
    }
    const bool attributes_alone = k->binnings && (k->coloring.ignore_vertex_labels || s->given.direction);
    if (!attributes_alone) PASS(start_labels(ctx, d));
    return k->binnings ? start_attributes(ctx, d) : LEMAN_OK;
}

/* ---- Rounds ---------------------------------------------------------------------------------- */

/* One round; of projections only those of later rounds. */
static void diffuse(const diffusion *d, size_t round, field *f)
{
    const leman_graph *g = d->g;
    const size_t columns = f->columns, first = f->projected ? round : 0;
    if (!f->now) return;
    for (size_t v = 0; v < g->vertices; v++) {
        double *restrict sum = f->next + v * columns;
        for (size_t c = first; c < columns; c++) sum[c] = 0;
        for (uint64_t e = g->start[v]; e < g->start[v + 1]; e++) {
            const double *restrict other = f->now + g->head[e] * columns;
            const double weight = d->weight[e - g->start[0]];
            for (size_t c = first; c < columns; c++) sum[c] += weight * other[c];
        }
    }
    double *now = f->now;
    f->now = f->next;
    f->next = now;
}

/* Returns the hash of the bins of a vertex. */
static uint64_t field_hash(const setting *s, const field *f, bool labels, size_t round, size_t v)
{
    const double width = labels ? s->kernel->label_width : s->kernel->bin_width, *x = f->now + v * f->columns;
    uint64_t hash = lm_mix(s->binning + labels + lm_multiplier_of(LM_PROPAGATION, 0));
    if (!labels && !f->projected) {
        for (size_t j = 0; j < f->columns; j++)
            hash = lm_mix(hash + lm_bin(x[j] * direction(s, false, round, j) + offset(s, false, round, j), width) *
                                     lm_multiplier_of(LM_PROPAGATION, 1));
        return hash;
    }
    double sum = 0;
    for (size_t j = 0; !f->projected && j < f->columns; j++)
        sum += sqrt(x[j]) * direction(s, labels, round, f->item[j]);
    if (f->projected) sum = x[round];
    return lm_mix(hash + lm_bin(sum + offset(s, labels, round, 0), width) * lm_multiplier_of(LM_PROPAGATION, 1));
}

static leman_status count(lm_worker *worker, const leman_graph *g, const lm_counting *counting, lm_tally *tally)
{
    const setting *s = counting->table;
    const size_t last = s->kernel->coloring.rounds;
    diffusion d;
    PASS(start(worker->ctx, g, s, &d));
    for (size_t round = 0; round <= last; round++) {
        if (lm_cancellation_poll(&worker->cancellation)) return LEMAN_ERROR_CANCELLED;
        for (size_t v = 0; v < g->vertices; v++) {
            uint64_t key = s->kernel->coloring.seed;
            if (d.labels.now) key = lm_mix(key + field_hash(s, &d.labels, true, round, v));
            if (d.attributes.now) key = lm_mix(key + field_hash(s, &d.attributes, false, round, v));
            PASS(lm_tally_add(worker->ctx, tally + round, key, 1));
        }
        if (round < last) diffuse(&d, round + 1, &d.labels);
        if (round < last) diffuse(&d, round + 1, &d.attributes);
        PASS(lm_worker_advance(worker, g->vertices + g->arcs));
    }
    return LEMAN_OK;
}

static uint64_t cost(const leman_graph *g, const lm_counting *counting)
{
    return lm_saturating_multiply(g->vertices + g->arcs, (uint64_t)counting->kernel->coloring.rounds + 1);
}

/* ---- The kernel ------------------------------------------------------------------------------ */

/* Checks, before any work, that the data has what the kernel uses. */
static leman_status check_data(leman_context *ctx, const leman_dataset *data, const setting *s)
{
    const leman_projections *given = &s->given;
    const leman_columns *columns = &data->columns;
    if (s->kernel->weighted && data->arcs && !columns->edge_attributes)
        return lm_fail(ctx, LEMAN_ERROR_INPUT, "%s has no edge attributes, expected weights in the first of them",
                       data->name);
    if (!data->vertices || !given->direction) return LEMAN_OK;
    if (given->label && columns->vertex_labels != 1)
        return lm_fail(ctx, LEMAN_ERROR_INPUT, "%s: found %zu column%s of vertex labels, expected one", data->name,
                       columns->vertex_labels, lm_plural(columns->vertex_labels));
    if (!given->label && columns->vertex_attributes != given->columns)
        return lm_fail(ctx, LEMAN_ERROR_INPUT,
                       "%s: found %zu vertex attribute%s, expected %zu, as the projections have", data->name,
                       columns->vertex_attributes, lm_plural(columns->vertex_attributes), given->columns);
    return LEMAN_OK;
}

leman_status lm_triples_of_propagation(leman_context *ctx, const leman_dataset *data, const leman_kernel *kernel,
                                       uint32_t binning, size_t first_graph, lm_triples *triples)
{
    setting s = {kernel, binning, leman_projections_default()};
    const lm_counting counting = {"propagated labels", count, cost, kernel, &s};
    if (kernel->projections)
        PASS(lm_options_copy(ctx, "leman_projections", kernel->projections, &s.given, sizeof s.given));
    PASS(lm_attributes_check(ctx, data, kernel));
    PASS(check_data(ctx, data, &s));
    return lm_triples_count_blocks(ctx, data, &counting, first_graph, (size_t)kernel->coloring.rounds + 1, triples);
}
