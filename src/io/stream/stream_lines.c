/* Reads slices of text with a graph on each line: SMILES, graph6 and sparse6. */
#include "base/drop.h"
#include "io/graph6.h"
#include "io/molecule/rows.h"
#include "io/stream/stream.h"
#include <string.h>

enum {
    LINES = 64,
    VERTEX_BYTES = 16,
    EDGE_BYTES = 32
}; /* lines between two checks of the size; bytes of graph6 in a builder */

/* Returns the whole lines of the window; `line` is the number of the first. */
static lm_text text_of(const leman_stream *s, size_t line)
{
    const char *text = s->window.text.items;
    return (lm_text){s->ctx, s->shown, text, text + s->window.whole, line};
}

/* Other work may have been done since the last slice: shows the progress of reading again. */
static leman_status show_progress(const leman_stream *s, size_t at)
{
    lm_progress_begin(s->ctx, s->input.size, "reading %s", s->shown);
    return lm_progress_step(s->ctx, lm_window_place(&s->window, at));
}

/* Sets the classes of the next graphs to their numbers. */
static leman_status number_graphs(leman_stream *s, size_t count, lm_raw *raw)
{
    PASS(lm_vector_reserve(s->ctx, &raw->class_label, count, sizeof(int64_t)));
    int64_t *number = raw->class_label.items;
    for (size_t i = 0; i < count; i++) number[i] = (int64_t)(s->graphs + i);
    raw->first_graph = s->graphs;
    raw->class_label.count = count;
    raw->columns.classes = true;
    s->graphs += count;
    return LEMAN_OK;
}

/* Makes a data set of `graphs` graphs without vertices, with the labels of raw. */
static leman_status labels_of(leman_stream *s, size_t graphs, lm_raw *raw, leman_dataset **out)
{
    AUTO(lm_flat_free) lm_flat flat = {0};
    leman_policy policy = leman_policy_default();
    policy.directed = s->policy.directed;
    policy.empty_graphs = policy.isolated_vertices = policy.self_loops = LEMAN_ACTION_KEEP;
    PASS(lm_vector_reserve(s->ctx, &flat.graph_end, graphs, sizeof(uint64_t)));
    if (graphs) memset(flat.graph_end.items, 0, graphs * sizeof(uint64_t));
    flat.graph_end.count = graphs;
    return lm_flat_finish(s->ctx, &flat, raw, &policy, NULL, out);
}

/* ---- SMILES ---------------------------------------------------------------------------------- */

/* Sets the reader to the whole lines of the window. */
static void use_window(leman_stream *s, size_t line)
{
    lm_smiles_reader *r = &s->smiles;
    r->text = text_of(s, line);
    r->begin = r->text.at;
    r->done_begin = lm_window_place(&s->window, 0);
    r->done_end = lm_window_place(&s->window, s->window.whole);
    r->continues = !s->window.ended;
}

leman_status lm_stream_smiles_begin(leman_stream *s)
{
    lm_smiles_reader *r = &s->smiles;
    if (!s->window.whole && !s->window.ended) PASS(lm_window_next(&s->window));
    while (!s->window.ended && lm_smiles_needs_second_line(text_of(s, 1))) PASS(lm_window_append(&s->window));
    const lm_bytes bytes = {.data = s->window.text.items, .size = s->window.whole};
    *r = lm_smiles_reader_of(s->ctx, s->shown, bytes, &s->options);
    const leman_columns columns = lm_smiles_columns(&r->choices, true);
    r->text.line += s->window.lines;
    PASS(leman_builder_new(s->ctx, s->name, &columns, &s->builder));
    PASS(lm_smiles_begin(r));
    if (s->by_rows && r->property.count) /* no column becomes a target or class, which would be kept for all graphs */
        memset(r->property.items, 0xff, r->property.count * sizeof(uint32_t));
    const char *at = r->text.at;
    if (s->by_lines) PASS(lm_vector_append(s->ctx, &s->head, bytes.data, (size_t)(at - bytes.data), 1));
    if (s->by_lines) r->lines = &s->lines;
    use_window(s, r->text.line);
    r->text.at = at;
    return LEMAN_OK;
}

static size_t flat_bytes(const lm_flat *flat)
{
    return 8 * (flat->graph_end.count + flat->vertex_end.count + flat->vertex_label.count + flat->edge_label.count) +
           4 * flat->head.count;
}

static leman_status read_smiles(leman_stream *s)
{
    lm_smiles_reader *r = &s->smiles;
    PASS(show_progress(s, (size_t)(r->text.at - r->begin)));
    while (flat_bytes(&r->flat) < s->limit) {
        if (r->ended && s->window.ended) break;
        if (r->ended) { /* what is left is the beginning of a row of several lines */
            s->window.whole = (size_t)(r->text.at - r->begin);
            PASS(lm_window_next(&s->window));
            use_window(s, r->text.line);
            r->ended = false;
        }
        PASS(lm_smiles_lines(r, lm_builder_raw(s->builder), LINES));
    }
    return LEMAN_OK;
}

/* Begins empty rows and names for the next slice. */
static leman_status begin_rows(leman_stream *s)
{
    lm_smiles_reader *r = &s->smiles;
    const leman_columns columns = lm_smiles_columns(&r->choices, true);
    s->rows_before += leman_rows_count(r->rows);
    leman_rows_free(r->rows);
    r->rows = NULL;
    leman_builder_free(s->builder);
    s->builder = NULL;
    PASS(lm_rows_new(s->ctx, NULL, &r->rows));
    return leman_builder_new(s->ctx, s->name, &columns, &s->builder);
}

leman_status lm_stream_smiles_next(leman_stream *s, leman_cleaning *cleaning, leman_dataset **out)
{
    lm_flat *flat = &s->smiles.flat;
    lm_raw raw = {.name = s->name, .columns = lm_smiles_columns(&s->smiles.choices, false)};
    const size_t impossible = s->smiles.counts.impossible;
    if (s->by_rows) PASS(begin_rows(s));
    leman_status st = read_smiles(s);
    if (!st && flat->graph_end.count) {
        st = number_graphs(s, flat->graph_end.count, &raw);
        if (!st) st = lm_flat_finish(s->ctx, flat, &raw, &s->policy, cleaning, out);
        lm_mol_clean(&s->smiles.counts, impossible, cleaning);
    }
    if (!st && !flat->graph_end.count && s->by_rows) lm_smiles_log(&s->smiles, s->name); /* nobody asks for labels */
    lm_flat_free(flat);
    *flat = (lm_flat){0};
    lm_vector_release(&raw.class_label);
    return st;
}

leman_status lm_stream_smiles_labels(leman_stream *s, leman_dataset **out)
{
    lm_raw *raw = lm_builder_raw(s->builder);
    lm_smiles_log(&s->smiles, s->name);
    PASS(lm_properties_finish(&s->smiles.properties, raw));
    return labels_of(s, raw->graphs, raw, out);
}

/* ---- graph6 ---------------------------------------------------------------------------------- */

static size_t raw_bytes(const lm_raw *raw)
{
    return VERTEX_BYTES * raw->vertex_graph.count + EDGE_BYTES * raw->tail.count;
}

/* Returns the number of bytes of the window that were read. */
static size_t graph6_place(const leman_stream *s)
{
    return (size_t)(s->text.at - (const char *)s->window.text.items);
}

static leman_status read_graph6(leman_stream *s, leman_builder *builder)
{
    const lm_bytes bytes = {.data = s->window.text.items, .size = s->window.whole};
    lm_graph6 g = lm_graph6_of(s->ctx, s->shown, bytes, &s->options, builder);
    lm_raw *raw = lm_builder_raw(builder);
    bool header = false;
    if (g.lines) raw->edge_file = s->shown;
    PASS(show_progress(s, graph6_place(s)));
    while (raw_bytes(raw) < s->limit) {
        if (lm_text_end(&s->text)) {
            if (s->window.ended) break;
            PASS(lm_window_next(&s->window));
            s->text = text_of(s, s->text.line);
            continue;
        }
        const char *at = s->text.at;
        const size_t graphs = raw->graphs;
        PASS(lm_graph6_next(&g, &s->text, &header));
        if (s->by_lines && raw->graphs > graphs) {
            const bool ended = s->text.at[-1] == '\n';
            PASS(lm_lines_add(s->ctx, &s->lines, at, s->text.at - ended));
        }
        PASS(lm_progress_step(s->ctx, lm_window_place(&s->window, graph6_place(s))));
    }
    return LEMAN_OK;
}

leman_status lm_stream_graph6_next(leman_stream *s, leman_cleaning *cleaning, leman_dataset **out)
{
    AUTO(leman_builder_drop) leman_builder *builder = NULL;
    PASS(leman_builder_new(s->ctx, s->name, &(leman_columns){0}, &builder));
    PASS(read_graph6(s, builder));
    lm_raw *raw = lm_builder_raw(builder);
    if (!raw->graphs) return LEMAN_OK;
    PASS(number_graphs(s, raw->graphs, raw));
    return leman_builder_finish(builder, &s->policy, cleaning, out);
}

leman_status lm_stream_graph6_labels(leman_stream *s, leman_dataset **out)
{
    lm_raw raw = {.name = s->name};
    return labels_of(s, s->graphs, &raw, out);
}
