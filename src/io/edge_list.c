/*
 * Reads edge lists. A line is an edge `source, target [, label]`; with a header, columns may have any order. A line
 * without a target declares a vertex. If there is a graph column, a line with neither source nor target declares a
 * graph. docs/formats.md has the rules.
 *
 * Ids are texts; each line costs two look-ups in a hash table. Time O(characters), memory O(different texts + edges).
 */
#include "io/edge_list.h"
#include "base/drop.h"
#include <string.h>

/* ---- Lines ----------------------------------------------------------------------------------- */

bool lm_edge_list_integer(leman_context *ctx, const char *text, size_t length, int64_t *value)
{
    bool negative = length && *text == '-';
    const char *digits = text + negative;
    size_t count = length - negative;
    if (!count || *digits < '0' || *digits > '9' || (*digits == '0' && length > 1)) return false;
    return lm_text_is_integer(ctx, text, length, value);
}

bool lm_edge_list_is_id(leman_context *ctx, const lm_field *field, int64_t *value)
{
    return !field->quoted && lm_edge_list_integer(ctx, field->at, field->length, value);
}

leman_status lm_edge_list_find_vertex(lm_edge_list *list, uint32_t graph, size_t i, uint32_t *vertex)
{
    leman_context *ctx = list->csv.text.ctx;
    const char *text;
    size_t length, known = lm_intern_count(&list->vertices);
    int64_t id = 0;
    if (!lm_edge_list_is_id(ctx, &list->csv.field[i], &id)) list->integers = false;
    PASS(lm_csv_field(&list->csv, i, &text, &length));
    PASS(lm_intern_add(ctx, &list->vertices, graph, text, length, vertex));
    if (*vertex < known) return LEMAN_OK;
    PASS(lm_raw_check_size(ctx, &list->raw, 0, 1));
    PASS(lm_vector_append(ctx, &list->raw.vertex_graph, &graph, 1, sizeof graph));
    return lm_vector_append(ctx, &list->id, &id, 1, sizeof id);
}

leman_status lm_edge_list_find_graph(lm_edge_list *list, uint32_t *graph)
{
    const char *text = "";
    size_t length = 0;
    if (list->has_graphs) {
        PASS(lm_csv_field(&list->csv, list->graph, &text, &length));
        if (!length) return lm_text_fail(&list->csv.row, "found no graph, expected one in column %zu", list->graph + 1);
    }
    PASS(lm_raw_check_size(list->csv.text.ctx, &list->raw, 1, 0));
    PASS(lm_intern_add(list->csv.text.ctx, &list->graphs, 0, text, length, graph));
    list->raw.graphs = lm_intern_count(&list->graphs);
    return LEMAN_OK;
}

/* Reads the texts of the label and attribute columns of an edge. */
static leman_status read_columns(lm_edge_list *list)
{
    leman_context *ctx = list->csv.text.ctx;
    for (size_t i = 0; i < list->columns; i++) {
        lm_edge_column *column = list->column + i;
        const char *text;
        size_t length;
        uint32_t number;
        PASS(lm_csv_field(&list->csv, column->field, &text, &length));
        if (column->label && !length)
            return lm_text_fail(&list->csv.row, "found no label, expected one in column %zu", column->field + 1);
        PASS(lm_intern_add(ctx, &column->texts, 0, text, length, &number));
        PASS(lm_vector_append(ctx, &column->number, &number, 1, sizeof number));
    }
    return LEMAN_OK;
}

/* Fields behind the last known column must be empty. Without a header, the first edge decides whether there is a label
 * column. */
static leman_status check_fields(lm_edge_list *list, bool edge)
{
    const lm_csv *csv = &list->csv;
    size_t used = csv->count;
    while (used && !csv->field[used - 1].length) used--;
    if (!list->header && edge && !list->raw.tail.count && used == 3) {
        lm_edge_list_add_column(list, 2, true, "label", 5);
        list->fields = 3;
    }
    if (used > list->fields && !list->header && list->rows == 1 && list->first.header_word)
        return lm_edge_list_refuse_first(list);
    if (used > list->fields && !list->header)
        return lm_text_fail(&csv->row, "found %zu column%s, expected %s; more need a header that names them", used,
                            lm_plural(used),
                            list->fields == 3 ? "source, target, label" : "source, target as in the first edge");
    if (used > list->fields)
        return lm_text_fail(&csv->row, "found %zu column%s, expected %zu as in the header", used, lm_plural(used),
                            list->fields);
    if (csv->count <= list->target && (csv->separator != ' ' || csv->words))
        return lm_text_fail(&csv->row, "found %zu of the columns, expected source and target (which may be empty)",
                            csv->count);
    return LEMAN_OK;
}

static bool has_field(const lm_csv *csv, size_t i)
{
    return i < csv->count && csv->field[i].length;
}

/* Records whether an edge below the first line has a vertex of the first line; its fields are then no column names. */
static void note_vertices(lm_edge_list *list, uint32_t source, uint32_t target)
{
    lm_first_line *first = &list->first;
    if (list->rows == 1) {
        first->vertex[0] = source;
        first->vertex[1] = target;
    }
    for (int i = 0; i < 2 && list->rows > 1; i++)
        first->again[i] |= first->vertex[i] == source || first->vertex[i] == target;
}

static leman_status read_row(lm_edge_list *list)
{
    leman_context *ctx = list->csv.text.ctx;
    uint32_t graph, source, target;
    bool has_source = has_field(&list->csv, list->source), edge = has_field(&list->csv, list->target);
    list->rows++;
    if (!list->header) lm_edge_list_note_line(list);
    PASS(check_fields(list, edge));
    if (!has_source && (edge || !list->has_graphs))
        return lm_text_fail(&list->csv.row, "found no source vertex, expected one in column %zu", list->source + 1);
    PASS(lm_edge_list_find_graph(list, &graph));
    if (!has_source) return LEMAN_OK;
    PASS(lm_edge_list_find_vertex(list, graph, list->source, &source));
    PASS(lm_vertex_labels_set(list, source, list->labels.source));
    if (!edge) return LEMAN_OK;
    PASS(lm_edge_list_find_vertex(list, graph, list->target, &target));
    PASS(lm_vertex_labels_set(list, target, list->labels.target));
    PASS(read_columns(list));
    PASS(lm_vector_append(ctx, &list->raw.tail, &source, 1, sizeof source));
    PASS(lm_vector_append(ctx, &list->raw.head, &target, 1, sizeof target));
    if (list->lines) PASS(lm_raw_lines(ctx, &list->raw, list->csv.row.line));
    note_vertices(list, source, target);
    return LEMAN_OK;
}

/* ---- Files ----------------------------------------------------------------------------------- */

static leman_status read_rows(lm_edge_list *list, const char *begin)
{
    bool more;
    PASS(lm_csv_next(&list->csv, &more));
    if (!more)
        return lm_text_fail(&list->csv.text, "found the end of the file, expected lines of source, target [, label]");
    if (lm_edge_list_is_header(&list->csv)) {
        PASS(lm_edge_list_read_header(list));
        PASS(lm_csv_next(&list->csv, &more));
    }
    while (more) {
        PASS(read_row(list));
        PASS(lm_progress_step(list->csv.text.ctx, (uint64_t)(list->csv.text.at - begin)));
        PASS(lm_csv_next(&list->csv, &more));
    }
    if (!list->has_graphs) list->raw.graphs = 1;
    return lm_edge_list_check_first(list);
}

/*
 * If the file states no edge in both directions, every line is an undirected edge and no edge counts as one-way. If the
 * file states some edges in both directions, the other edges are one-way, and the policy decides about them.
 */
static leman_status assemble(lm_edge_list *list, const leman_policy *policy, leman_cleaning *cleaning,
                             leman_dataset **out)
{
    leman_context *ctx = list->csv.text.ctx;
    leman_policy repair = *policy;
    leman_cleaning found;
    AUTO(leman_dataset_drop) leman_dataset *data = NULL;
    repair.one_way_edges = LEMAN_ACTION_REPAIR;
    PASS(lm_dataset_assemble(ctx, &list->raw, &repair, &found, &data));
    const leman_shape *shape = leman_dataset_shape(data);
    if (found.one_way_edges == shape->edges - shape->loops) {
        found.one_way_edges = 0;
    } else if (policy->one_way_edges != LEMAN_ACTION_REPAIR) {
        leman_dataset_free(data);
        data = NULL;
        PASS(lm_dataset_assemble(ctx, &list->raw, policy, &found, &data));
    }
    if (cleaning) *cleaning = found;
    return HAND_OVER(out, data);
}

static void edge_list_end(lm_edge_list *list)
{
    for (size_t i = 0; i < list->columns; i++) {
        lm_intern_free(&list->column[i].texts);
        lm_vector_release(&list->column[i].number);
    }
    lm_release(list->column);
    lm_vertex_labels_free(&list->labels);
    lm_intern_free(&list->graphs);
    lm_intern_free(&list->vertices);
    lm_vector_release(&list->id);
    lm_raw_free(&list->raw);
    lm_csv_free(&list->csv);
}

static leman_status edge_list_read(leman_context *ctx, const char *path, lm_bytes *bytes,
                                   const leman_read_options *options, leman_cleaning *cleaning, leman_dataset **out)
{
    AUTO(edge_list_end)
    lm_edge_list list = {.csv = lm_csv_of(ctx, path, *bytes), .target = 1, .fields = 2, .integers = true};
    list.lines = lm_policy_refuses(options->policy);
    if (list.lines) list.raw.edge_file = path;
    PASS_NEW(ctx, list.column, LM_CSV_FIELDS);
    PASS(lm_path_stem(ctx, path, &list.raw.name));
    lm_progress_begin(ctx, bytes->size, "reading %s", path);
    PASS(read_rows(&list, bytes->data));
    if (options->vertex_labels) PASS(lm_vertex_labels_read(&list, options->vertex_labels, options->max_bytes));
    PASS(lm_edge_list_order(&list));
    PASS(lm_edge_list_type(&list));
    return assemble(&list, options->policy, cleaning, out);
}

static bool edge_list_is(leman_context *ctx, lm_bytes bytes, const leman_read_options *options)
{
    AUTO(lm_csv_free) lm_csv csv = lm_csv_of(ctx, "", bytes);
    bool more = false;
    (void)options;
    int64_t id;
    if (lm_csv_next(&csv, &more)) ctx->message[0] = 0; /* the answer is no; this is not a failure */
    return more && (lm_edge_list_is_header(&csv) || (csv.count > 1 && lm_edge_list_is_id(ctx, &csv.field[0], &id) &&
                                                     lm_edge_list_is_id(ctx, &csv.field[1], &id)));
}

const lm_format_row lm_format_edge_list = {.endings = {".csv", ".tsv", ".edges", ".txt"},
                                           .read = edge_list_read,
                                           .write = lm_edge_list_write,
                                           .is = edge_list_is};
