/*
 * Reads the labels of the vertices of an edge list. The labels stand in the columns source_label and target_label
 * (source_label_2, ... for more), or in a second file with the columns vertex and label, and graph if there are several
 * graphs. If all labels of a column are integers, they are kept. Otherwise its words become 0, 1, ... in the order of
 * their bytes. A vertex must have the same label in every line.
 */
#include "base/ascii.h"
#include "io/edge_list.h"
#include <stdio.h>
#include <string.h>

/* ---- Which columns --------------------------------------------------------------------------- */

/* Returns true if the field is the word `begin`, or `begin` followed by _2, _3, ...; *column is that number, from 0. */
static bool is_numbered(const lm_field *field, const char *begin, size_t *column)
{
    const size_t length = strlen(begin);
    size_t number = 0;
    if (field->length < length || !lm_is_word(field->at, length, begin)) return false;
    *column = 0;
    if (field->length == length) return true;
    if (field->length < length + 2 || field->length > length + 3 || field->at[length] != '_') return false;
    for (size_t i = length + 1; i < field->length; i++) {
        if (field->at[i] < '0' || field->at[i] > '9') return false;
        number = 10 * number + (size_t)(field->at[i] - '0');
    }
    *column = number - 1;
    return number > 1 && number <= LM_VERTEX_LABELS;
}

static bool is_one_of(const lm_field *field, const char *const *names, size_t *column)
{
    for (; *names; names++)
        if (is_numbered(field, *names, column)) return true;
    return false;
}

static const char *const SOURCES[] = {"source_label", "src_label", "from_label", "node1_label", "u_label", NULL};
static const char *const TARGETS[] = {"target_label", "dst_label", "to_label", "node2_label", "v_label", NULL};
static const char *const LABELS[] = {"label", "vertex_label", "node_label", NULL};

static bool note_field(lm_vertex_labels *labels, size_t *place, size_t i, size_t column)
{
    place[column] = i + 1;
    if (column >= labels->columns) labels->columns = column + 1;
    return true;
}

bool lm_vertex_labels_field(lm_vertex_labels *labels, const lm_field *field, size_t i)
{
    size_t column;
    if (is_one_of(field, SOURCES, &column)) return note_field(labels, labels->source, i, column);
    if (is_one_of(field, TARGETS, &column)) return note_field(labels, labels->target, i, column);
    return false;
}

/* ---- Lines ----------------------------------------------------------------------------------- */

static leman_status set_label(lm_edge_list *list, uint32_t vertex, size_t column, size_t field)
{
    leman_context *ctx = list->csv.text.ctx;
    lm_vertex_labels *labels = &list->labels;
    const uint32_t none = 0;
    const char *text;
    size_t length;
    uint32_t number;
    while (labels->number.count < (vertex + (size_t)1) * labels->columns)
        PASS(lm_vector_append(ctx, &labels->number, &none, 1, sizeof none));
    PASS(lm_csv_field(&list->csv, field, &text, &length));
    if (!length) return LEMAN_OK;
    PASS(lm_intern_add(ctx, &labels->texts[column], 0, text, length, &number));
    uint32_t *place = (uint32_t *)labels->number.items + vertex * labels->columns + column;
    if (*place && *place != number + 1) {
        size_t other;
        const char *before = lm_intern_text(&labels->texts[column], *place - 1, &other);
        return lm_text_fail(&list->csv.row, "found a vertex with label '%.*s', expected '%.*s' as in another line",
                            length < 64 ? (int)length : 64, text, other < 64 ? (int)other : 64, before);
    }
    *place = number + 1;
    return LEMAN_OK;
}

leman_status lm_vertex_labels_set(lm_edge_list *list, uint32_t vertex, const size_t *fields)
{
    for (size_t c = 0; c < list->labels.columns; c++)
        if (fields[c]) PASS(set_label(list, vertex, c, fields[c] - 1));
    return LEMAN_OK;
}

/* ---- The second file ------------------------------------------------------------------------- */

static leman_status read_file_header(lm_edge_list *list, size_t *vertex)
{
    static const char *const VERTICES[] = {"vertex", "node", "id", "vertex_id", "node_id", "name", NULL};
    static const char *const GRAPHS[] = {"graph", "graph_id", NULL};
    const lm_csv *csv = &list->csv;
    size_t graph = SIZE_MAX, column;
    *vertex = SIZE_MAX;
    for (size_t i = 0; i < csv->count; i++) {
        if (is_one_of(csv->field + i, VERTICES, &column)) *vertex = i;
        if (is_one_of(csv->field + i, GRAPHS, &column)) graph = i;
        if (is_one_of(csv->field + i, LABELS, &column)) note_field(&list->labels, list->labels.source, i, column);
    }
    if (*vertex == SIZE_MAX || !list->labels.columns || (list->has_graphs && graph == SIZE_MAX))
        return lm_text_fail(&csv->row,
                            "found no header of vertex labels, expected one that names the columns %svertex and "
                            "label",
                            list->has_graphs ? "graph, " : "");
    list->graph = graph;
    return LEMAN_OK;
}

leman_status lm_vertex_labels_read(lm_edge_list *list, const char *path, uint64_t max_bytes)
{
    leman_status st = LEMAN_OK;
    leman_context *ctx = list->csv.text.ctx;
    const lm_csv edges = list->csv;
    const size_t known = list->raw.vertex_graph.count;
    lm_bytes bytes = {0};
    bool more;
    size_t column;
    uint32_t graph, vertex;
    if (list->labels.columns)
        FAIL(ctx, LEMAN_ERROR_INPUT, "%s: found labels of vertices here and in %s, expected them in one place",
             edges.text.file, path);
    TRY(lm_bytes_open(ctx, path, max_bytes, &bytes));
    list->csv = lm_csv_of(ctx, path, bytes);
    TRY(lm_csv_next(&list->csv, &more));
    TRY(read_file_header(list, &column));
    TRY(lm_csv_next(&list->csv, &more));
    while (more) {
        TRY(lm_edge_list_find_graph(list, &graph));
        if (column >= list->csv.count || !list->csv.field[column].length)
            TRY(lm_text_fail(&list->csv.row, "found no vertex, expected one in column %zu", column + 1));
        TRY(lm_edge_list_find_vertex(list, graph, column, &vertex));
        TRY(lm_vertex_labels_set(list, vertex, list->labels.source));
        TRY(lm_csv_next(&list->csv, &more));
    }
    if (list->raw.vertex_graph.count > known)
        lm_log(ctx, "%s: %s has %zu more %s than the edge list: without edges", list->raw.name, path,
               list->raw.vertex_graph.count - known,
               lm_plural_of(list->raw.vertex_graph.count - known, "vertex", "vertices"));
done:
    if (bytes.data) lm_csv_free(&list->csv);
    list->csv = edges;
    lm_bytes_close(&bytes);
    return st;
}

/* ---- The labels ------------------------------------------------------------------------------ */

static leman_status values_of(lm_edge_list *list, size_t column, int64_t **out)
{
    leman_context *ctx = list->csv.text.ctx;
    const lm_intern *texts = &list->labels.texts[column];
    const size_t count = lm_intern_count(texts);
    size_t integers = 0, length;
    char shown[512];
    PASS_SCRATCH(ctx, *out, count);
    for (size_t i = 0; i < count; i++) {
        const char *text = lm_intern_text(texts, i, &length);
        integers += lm_text_is_integer(ctx, text, length, *out + i);
    }
    if (integers == count) return LEMAN_OK;
    PASS(lm_word_labels(ctx, texts, *out, shown, sizeof shown));
    lm_log(ctx, "%s: the words that label vertices become %zu labels: %s", list->raw.name, count, shown);
    return LEMAN_OK;
}

leman_status lm_vertex_labels_type(lm_edge_list *list, const uint32_t *of)
{
    leman_context *ctx = list->csv.text.ctx;
    const size_t columns = list->labels.columns, vertices = list->raw.vertex_graph.count;
    const uint32_t *number = list->labels.number.items;
    size_t size, length;
    int64_t *value;
    if (!columns) return LEMAN_OK;
    if (!lm_multiply(vertices, columns, &size)) return lm_fail(ctx, LEMAN_ERROR_MEMORY, "too many vertices");
    PASS(lm_vector_reserve(ctx, &list->raw.vertex_label, size, sizeof *value));
    int64_t *label = list->raw.vertex_label.items;
    for (size_t c = 0; c < columns; c++) {
        PASS(values_of(list, c, &value));
        for (size_t v = 0; v < vertices; v++) {
            const size_t place = of[v] * columns + c;
            const char *name = lm_intern_text(&list->vertices, of[v], &length);
            if (place >= list->labels.number.count || !number[place])
                return lm_fail(ctx, LEMAN_ERROR_INPUT,
                               "%s: found no label of vertex '%.*s', expected one for every vertex",
                               list->csv.text.file, length < 64 ? (int)length : 64, name);
            label[v * columns + c] = value[number[place] - 1];
        }
    }
    list->raw.vertex_label.count = size;
    list->raw.columns.vertex_labels = columns;
    return LEMAN_OK;
}

void lm_vertex_labels_free(lm_vertex_labels *labels)
{
    for (size_t i = 0; i < LM_VERTEX_LABELS; i++) lm_intern_free(&labels->texts[i]);
    lm_vector_release(&labels->number);
}
