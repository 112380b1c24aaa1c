/* Attributes as labels: each real is rounded to a number of digits after the decimal point. O(size of the data). */
#include "base/arguments.h"
#include "base/drop.h"
#include "graph/dataset.h"
#include <math.h>
#include <string.h>

enum { MAX_DIGITS = 15 };

/* Rounds count rows of reals into the columns of labels after the first `before`. A product that is exactly between two
 * integers becomes the even one, on every machine. Returns the first real that is too large, or NULL. */
static const double *round_rows(const double *real, size_t reals, double scale, size_t count, size_t before,
                                int64_t *label)
{
    for (size_t i = 0; i < count; i++)
        for (size_t c = 0; c < reals; c++) {
            const double scaled = rint(real[i * reals + c] * scale);
            if (!(fabs(scaled) < 0x1p63)) return real + i * reals + c;
            label[i * (before + reals) + before + c] = (int64_t)scaled;
        }
    return NULL;
}

/* Copies count rows of labels into the first of the new columns. */
static void copy_rows(const int64_t *from, size_t columns, size_t count, size_t all, int64_t *to)
{
    for (size_t i = 0; i < count && columns; i++) memcpy(to + i * all, from + i * columns, columns * sizeof *to);
}

/* Missing labels of parallel edges, which end a row, move behind the attributes. */
static void close_gaps(size_t labels, size_t reals, size_t count, int64_t *label)
{
    const size_t all = labels + reals;
    for (size_t i = 0; i < count && labels && reals; i++, label += all) {
        size_t own = 0;
        while (own < labels && label[own] != LEMAN_EDGE_LABEL_NONE) own++;
        memmove(label + own, label + labels, reals * sizeof *label);
        for (size_t c = own + reals; c < all; c++) label[c] = LEMAN_EDGE_LABEL_NONE;
    }
}

/* Gives both arcs of each undirected edge the same labels: the row that comes first in lexicographic order. Tails come in
 * increasing order, so the reverse of an arc is the next arc of its head that has not been visited. next: [vertices] */
static void agree(const leman_graph *g, int64_t *label, uint64_t *next)
{
    const size_t columns = g->edge_labels;
    memcpy(next, g->start, g->vertices * sizeof *next);
    for (size_t v = 0; v < g->vertices; v++)
        for (uint64_t e = g->start[v]; e < g->start[v + 1]; e++) {
            int64_t *one = label + e * columns, *other = label + next[g->head[e]]++ * columns;
            size_t c = 0;
            while (c < columns && one[c] == other[c]) c++;
            if (c == columns) continue;
            if (one[c] < other[c])
                memcpy(other, one, columns * sizeof *one);
            else
                memcpy(one, other, columns * sizeof *one);
        }
}

static leman_status agree_all(leman_context *ctx, const leman_dataset *data)
{
    SCRATCH_SCOPE(ctx);
    size_t most = 0;
    uint64_t *next;
    for (size_t i = 0; i < data->graphs; i++) {
        const size_t vertices = leman_dataset_graph(data, i).vertices;
        if (vertices > most) most = vertices;
    }
    PASS_SCRATCH(ctx, next, most);
    for (size_t i = 0; i < data->graphs; i++) {
        const leman_graph g = leman_dataset_graph(data, i);
        agree(&g, LM_WRITABLE(int64_t, data->edge_label), next);
    }
    return LEMAN_OK;
}

leman_status leman_dataset_round_attributes(leman_context *ctx, const leman_dataset *data, unsigned digits,
                                            leman_dataset **out)
{
    AUTO(leman_dataset_drop) leman_dataset *made = NULL;
    double scale = 1; /* powers of ten up to 10^22 are exact */
    REQUIRE(ctx, data, out);
    if (digits > MAX_DIGITS)
        return lm_fail(ctx, LEMAN_ERROR_ARGUMENT, "digits: found %u, expected 0 to %d", digits, MAX_DIGITS);
    for (unsigned i = 0; i < digits; i++) scale *= 10;
    const leman_columns *from = &data->columns;
    leman_dataset shape = *data;
    shape.columns.vertex_labels += from->vertex_attributes;
    shape.columns.edge_labels += from->edge_attributes;
    shape.columns.vertex_attributes = shape.columns.edge_attributes = 0;
    PASS(lm_dataset_derive(ctx, data, &shape, &made));
    const size_t of_vertex = made->columns.vertex_labels, of_edge = made->columns.edge_labels;
    int64_t *vertex = LM_WRITABLE(int64_t, made->vertex_label), *edge = LM_WRITABLE(int64_t, made->edge_label);
    copy_rows(data->vertex_label, from->vertex_labels, data->vertices, of_vertex, vertex);
    copy_rows(data->edge_label, from->edge_labels, data->arcs, of_edge, edge);
    const double *large =
        round_rows(data->vertex_attribute, from->vertex_attributes, scale, data->vertices, from->vertex_labels, vertex);
    if (!large)
        large = round_rows(data->edge_attribute, from->edge_attributes, scale, data->arcs, from->edge_labels, edge);
    if (large)
        return lm_fail(ctx, LEMAN_ERROR_INPUT,
                       "%s: found the attribute %g, expected less than %g, to be rounded to %u digit%s", data->name,
                       *large, 0x1p63 / scale, digits, lm_plural(digits));
    close_gaps(from->edge_labels, from->edge_attributes, data->arcs, edge);
    if (from->edge_attributes && !data->directed) PASS(agree_all(ctx, made));
    return HAND_OVER(out, made);
}
