/*
 * Gives the columns of an edge list their meaning after all lines were read.
 *
 *   vertices   ordered by value in each graph if all ids are integers; otherwise in the order of first appearance
 *   label      integers are kept; other numbers become an attribute; words become 0, 1, ... in the order of their bytes
 *   others     numbers become an edge attribute; any other column is left out
 */
#include "base/sort.h"
#include "io/edge_list.h"
#include <string.h>

/* ---- Vertices -------------------------------------------------------------------------------- */

/* Copies the texts in the order of[0..count) to bytes and end; of = NULL keeps their order. */
static leman_status copy_names(leman_context *ctx, const lm_intern *texts, const uint32_t *of, lm_vector *bytes,
                               lm_vector *end)
{
    size_t count = lm_intern_count(texts);
    PASS(lm_vector_reserve(ctx, end, count, sizeof(uint64_t)));
    PASS(lm_vector_reserve(ctx, bytes, texts->bytes.count, 1));
    for (size_t i = 0; i < count; i++) {
        size_t length;
        const char *text = lm_intern_text(texts, of ? of[i] : i, &length);
        PASS(lm_append_text(ctx, bytes, end, text, length));
    }
    return LEMAN_OK;
}

/* Sets of[new] = old and place[old] = new. Vertices are ordered by graph, then by id or first appearance. */
static leman_status find_order(const lm_edge_list *list, uint32_t *of, uint32_t *place)
{
    leman_context *ctx = list->csv.text.ctx;
    const size_t count = list->raw.vertex_graph.count;
    const uint32_t *graph = list->raw.vertex_graph.items;
    const int64_t *id = list->id.items;
    lm_pair *pairs, *spare;
    PASS_SCRATCH(ctx, pairs, count);
    PASS_SCRATCH(ctx, spare, count);
    for (size_t v = 0; v < count; v++) /* with the sign bit flipped, signed numbers sort as unsigned ones */
        pairs[v] = (lm_pair){list->integers ? (uint64_t)id[v] ^ UINT64_C(1) << 63 : v, v};
    lm_sort_pairs(pairs, spare, count, ctx->settings.threads);
    for (size_t i = 0; i < count; i++) pairs[i].key = graph[pairs[i].payload];
    lm_sort_pairs(pairs, spare, count, ctx->settings.threads);
    for (size_t i = 0; i < count; i++) {
        of[i] = (uint32_t)pairs[i].payload;
        place[of[i]] = (uint32_t)i;
    }
    return LEMAN_OK;
}

leman_status lm_edge_list_order(lm_edge_list *list)
{
    leman_context *ctx = list->csv.text.ctx;
    lm_raw *raw = &list->raw;
    SCRATCH_SCOPE(ctx);
    const size_t count = raw->vertex_graph.count;
    uint32_t *of, *place, *graph = raw->vertex_graph.items, *tail = raw->tail.items, *head = raw->head.items;
    PASS_SCRATCH(ctx, of, count);
    PASS_SCRATCH(ctx, place, count);
    PASS(find_order(list, of, place));
    const uint32_t *space = list->vertices.space.items; /* the graph of each vertex, in the old order */
    for (size_t i = 0; i < count; i++) graph[i] = space[of[i]];
    for (size_t e = 0; e < raw->tail.count; e++) {
        tail[e] = place[tail[e]];
        head[e] = place[head[e]];
    }
    PASS(lm_vertex_labels_type(list, of));
    raw->columns.vertex_names = true;
    PASS(copy_names(ctx, &list->vertices, of, &raw->vertex_name, &raw->vertex_name_end));
    raw->columns.graph_names = list->has_graphs;
    if (list->has_graphs) PASS(copy_names(ctx, &list->graphs, NULL, &raw->graph_name, &raw->graph_name_end));
    return LEMAN_OK;
}

/* ---- Columns --------------------------------------------------------------------------------- */

typedef enum kind { INTEGERS, REALS, WORDS } kind;

/* The values of a column, one for each of its different texts. */
typedef struct values {
    kind kind;
    int64_t *integer;
    double *real;
} values;

static leman_status find_values(const lm_edge_list *list, const lm_edge_column *column, values *out)
{
    leman_context *ctx = list->csv.text.ctx;
    size_t count = lm_intern_count(&column->texts), integers = 0, reals = 0;
    PASS_SCRATCH(ctx, out->integer, count);
    PASS_SCRATCH(ctx, out->real, count);
    for (size_t i = 0; i < count; i++) {
        size_t length;
        const char *text = lm_intern_text(&column->texts, i, &length);
        integers += lm_text_is_integer(ctx, text, length, &out->integer[i]);
        reals += lm_text_is_real(ctx, text, length, &out->real[i]);
    }
    out->kind = column->label && integers == count ? INTEGERS : reals == count ? REALS : WORDS;
    if (out->kind == WORDS && column->label) {
        char shown[512];
        PASS(lm_word_labels(ctx, &column->texts, out->integer, shown, sizeof shown));
        lm_log(ctx, "%s: the words in column '%s' become %zu label%s: %s", list->raw.name, column->name, count,
               lm_plural(count), shown);
        out->kind = INTEGERS;
    } else if (out->kind == WORDS) {
        lm_log(ctx, "%s: column '%s' is left out: it does not hold a number for every edge", list->raw.name,
               column->name);
    } else if (out->kind == REALS && column->label) {
        lm_log(ctx, "%s: column '%s' is an edge attribute: it holds numbers that are no integers", list->raw.name,
               column->name);
    }
    return LEMAN_OK;
}

leman_status lm_edge_list_type(lm_edge_list *list)
{
    leman_context *ctx = list->csv.text.ctx;
    lm_raw *raw = &list->raw;
    SCRATCH_SCOPE(ctx);
    const size_t edges = raw->tail.count;
    leman_columns *columns = &raw->columns;
    values *values_of;
    size_t label = 0, attribute = 0, size;
    PASS_SCRATCH(ctx, values_of, list->columns);
    for (size_t c = 0; c < list->columns; c++) {
        PASS(find_values(list, list->column + c, values_of + c));
        columns->edge_labels += values_of[c].kind == INTEGERS;
        columns->edge_attributes += values_of[c].kind == REALS;
    }
    if (!lm_multiply(edges, LM_CSV_FIELDS, &size)) return lm_fail(ctx, LEMAN_ERROR_MEMORY, "too many edges");
    PASS(lm_vector_reserve(ctx, &raw->edge_label, edges * columns->edge_labels, sizeof(int64_t)));
    PASS(lm_vector_reserve(ctx, &raw->edge_attribute, edges * columns->edge_attributes, sizeof(double)));
    raw->edge_label.count = edges * columns->edge_labels;
    raw->edge_attribute.count = edges * columns->edge_attributes;
    for (size_t c = 0; c < list->columns; c++) {
        const uint32_t *number = list->column[c].number.items;
        int64_t *labels = raw->edge_label.items;
        double *attributes = raw->edge_attribute.items;
        if (values_of[c].kind == INTEGERS) {
            for (size_t e = 0; e < edges; e++)
                labels[e * columns->edge_labels + label] = values_of[c].integer[number[e]];
            label++;
        } else if (values_of[c].kind == REALS) {
            for (size_t e = 0; e < edges; e++)
                attributes[e * columns->edge_attributes + attribute] = values_of[c].real[number[e]];
            attribute++;
        }
    }
    return LEMAN_OK;
}
