/* Streams of graphs: decides how an input is read, and returns its slices and then the labels of all graphs. */
#include "io/stream/stream.h"
#include "base/arguments.h"
#include "base/drop.h"
#include "base/ranks/ranks.h"
#include "io/reading.h"
#include <string.h>
#include <sys/stat.h>

/* The size of a slice in bytes is a part of the budget. Text becomes about thirty times larger as graphs. */
enum { BUDGET_PART = 24, TEXT_PART = 32 };
static const size_t LARGEST = (size_t)1 << 26, SMALLEST = (size_t)1 << 20;

/* ---- Opening --------------------------------------------------------------------------------- */

/* Reads the whole input at once, from the path or from the window. */
static leman_status read_whole(leman_stream *s)
{
    AUTO(lm_bytes_close) lm_bytes bytes = {0};
    s->kind = LM_STREAM_WHOLE;
    if (!s->window.ctx) {
        lm_input_close(&s->input);
        return leman_dataset_read(s->ctx, s->path, &s->options, &s->cleaning, &s->slice);
    }
    const leman_status st = lm_window_rest(&s->window);
    if (st == LEMAN_ERROR_BUDGET)
        return lm_fail(s->ctx, st, "%s: needs more memory to be read than the memory budget has", s->input.path);
    PASS(st);
    bytes = (lm_bytes){s->window.text.items, s->window.text.count, NULL};
    s->window.text = (lm_vector){0};
    lm_window_close(&s->window);
    lm_input_close(&s->input);
    return lm_dataset_parse(s->ctx, s->path, &bytes, &s->options, &s->cleaning, &s->slice);
}

/* Sets *is to true for a regular .leman file that is larger than a slice. */
static leman_status is_binary(const leman_stream *s, bool *is)
{
    char head[8] = "";
    *is = false;
    if (!s->input.regular || s->input.size <= s->limit) return LEMAN_OK;
    PASS(lm_input_read_at(&s->input, 0, head, sizeof head));
    *is = lm_binary_is((lm_bytes){.data = head, .size = sizeof head}) && s->input.size <= s->options.max_bytes &&
          (!s->options.format || s->options.format == LEMAN_FORMAT_BINARY) && !s->options.vertex_labels;
    return LEMAN_OK;
}

/* Finds the format of text that continues behind the window. If comments fill the window, the text behind them decides.
 * Molecules and edge lists may have comments, graph6 may not. */
static leman_status find_format(leman_stream *s)
{
    lm_window *w = &s->window;
    lm_bytes bytes = {.data = w->text.items, .size = w->text.count};
    s->format = s->options.format;
    if (!s->format) PASS(lm_format_of_input(s->ctx, s->path, s->shown, bytes, &s->options, &s->format));
    if (w->ended) return LEMAN_OK;
    if (s->format == LEMAN_FORMAT_SMILES) {
        PASS(lm_window_pass_comments(w, true));
    } else if (!s->options.format && (!s->format || s->format == LEMAN_FORMAT_EDGE_LIST) && !lm_window_has_line(w)) {
        PASS(lm_window_pass_comments(w, false));
        bytes = (lm_bytes){.data = w->text.items, .size = w->text.count};
        PASS(lm_format_of_input(s->ctx, s->path, s->shown, bytes, &s->options, &s->format));
        if (lm_format_of(s->format)->slices == LM_STREAM_GRAPH6)
            return lm_fail(s->ctx, LEMAN_ERROR_INPUT, "%s: found lines that begin with #, expected none in graph6",
                           s->shown);
    }
    return LEMAN_OK;
}

/* Text that continues behind the window is read in slices if it has a graph on each line. */
static leman_status open_text(leman_stream *s)
{
    PASS(find_format(s));
    s->kind = lm_format_of(s->format)->slices;
    const bool smiles = s->kind == LM_STREAM_SMILES, lines = smiles || s->kind == LM_STREAM_GRAPH6;
    const bool more =
        s->window.lines || (!s->window.ended && (s->window.whole || smiles)) || (s->by_lines && s->window.whole);
    if (!lines || !more || s->options.vertex_labels) return read_whole(s);
    if (smiles) return lm_stream_smiles_begin(s);
    s->text = lm_text_of(s->ctx, s->shown, (lm_bytes){.data = s->window.text.items, .size = s->window.whole});
    return LEMAN_OK;
}

static leman_status open_stream(leman_stream *s)
{
    struct stat about;
    const bool standard = !strcmp(s->path, "-");
    bool binary;
    if (s->options.format == LEMAN_FORMAT_TU || (!standard && (stat(s->path, &about) || S_ISDIR(about.st_mode))))
        return read_whole(s);
    PASS(lm_input_open(s->ctx, s->path, &s->input));
    lm_progress_begin(s->ctx, s->input.size, "reading %s", s->input.path);
    PASS(is_binary(s, &binary));
    if (binary && !s->by_lines) {
        s->kind = LM_STREAM_BINARY;
        s->format = LEMAN_FORMAT_BINARY;
        PASS(lm_binary_slices_open(s->ctx, &s->input, &s->binary));
        if (!lm_reading_is_valid(s->binary.layout.shape.reading))
            return lm_fail(s->ctx, LEMAN_ERROR_INPUT, "%s: is damaged: it does not say how its graphs were read",
                           s->path);
    } else if (s->input.regular && s->input.size <= s->limit / TEXT_PART && !standard && !s->by_lines) {
        PASS(read_whole(s));
    } else {
        PASS(lm_window_open(s->ctx, &s->input, s->limit / TEXT_PART, s->options.max_bytes, &s->window));
        PASS(open_text(s));
    }
    return LEMAN_OK;
}

/* Makes a stream that is not open. */
static leman_status stream_new(leman_context *ctx, const char *path, const leman_read_options *options, size_t limit,
                               leman_stream **out)
{
    AUTO(leman_stream_drop) leman_stream *s = NULL;
    PASS_NEW(ctx, s, 1);
    *s = (leman_stream){.ctx = ctx, .options = leman_read_options_default(), .limit = limit};
    PASS(lm_read_options_copy(ctx, options, &s->options, &s->policy));
    PASS(lm_copy_text(ctx, path, strlen(path), &s->path));
    s->shown = strcmp(path, "-") ? s->path : "stdin";
    PASS(lm_path_stem(ctx, s->shown, &s->name));
    return HAND_OVER(out, s);
}

leman_status lm_stream_open(leman_context *ctx, const char *path, const leman_read_options *options, size_t limit,
                            leman_stream **out)
{
    AUTO(leman_stream_drop) leman_stream *s = NULL;
    PASS(stream_new(ctx, path, options, limit, &s));
    PASS(lm_read_failure(ctx, open_stream(s), path));
    return HAND_OVER(out, s);
}

/* The size of a slice for this memory budget. */
static size_t slice_limit(uint64_t budget)
{
    const uint64_t limit = budget / BUDGET_PART;
    return limit > LARGEST ? LARGEST : limit < SMALLEST ? SMALLEST : (size_t)limit;
}

leman_status lm_stream_open_lines(leman_context *ctx, const char *path, const leman_read_options *options,
                                  bool by_lines, leman_stream **out)
{
    AUTO(leman_stream_drop) leman_stream *s = NULL;
    PASS(stream_new(ctx, path, options, slice_limit(lm_budget(ctx)), &s));
    s->by_lines = by_lines;
    PASS(lm_read_failure(ctx, by_lines ? open_stream(s) : read_whole(s), path));
    return HAND_OVER(out, s);
}

leman_status lm_stream_open_rows(leman_context *ctx, const char *path, const leman_read_options *options,
                                 leman_stream **out)
{
    AUTO(leman_stream_drop) leman_stream *s = NULL;
    PASS(stream_new(ctx, path, options, slice_limit(lm_budget(ctx)), &s));
    s->by_rows = s->policy.empty_graphs != LEMAN_ACTION_REMOVE; /* rows are those of graphs that are kept */
    if (s->by_rows) s->options.rows = &s->rows;
    PASS(lm_read_failure(ctx, open_stream(s), path));
    return HAND_OVER(out, s);
}

leman_status leman_stream_open(leman_context *ctx, const char *path, const leman_read_options *options,
                               leman_stream **out)
{
    AUTO(leman_stream_drop) leman_stream *opened = NULL;
    REQUIRE(ctx, path, out);
    uint64_t budget = lm_budget(ctx);
    lm_ranks_begin(ctx); /* all ranks use the same slices */
    leman_status st = lm_ranks_min(ctx, &budget);
    if (!st) st = lm_stream_open(ctx, path, options, slice_limit(budget), &opened);
    PASS(lm_ranks_end(ctx, st));
    return HAND_OVER(out, opened);
}

void leman_stream_free(leman_stream *s)
{
    if (!s) return;
    leman_dataset_free(s->slice);
    if (s->kind != LM_STREAM_WHOLE) leman_dataset_free(s->labels);
    lm_vector_release(&s->kept);
    lm_vector_release(&s->head);
    lm_lines_release(&s->lines);
    leman_rows_free(s->rows);
    if (s->smiles.text.ctx) lm_smiles_end(&s->smiles);
    leman_builder_free(s->builder);
    lm_binary_slices_close(&s->binary);
    lm_window_close(&s->window);
    lm_input_close(&s->input);
    RELEASE(s->path, s->name, s);
}

/* ---- Slices ---------------------------------------------------------------------------------- */

static void add_cleaning(leman_cleaning *to, const leman_cleaning *more)
{
    to->repeated_edges += more->repeated_edges;
    to->one_way_edges += more->one_way_edges;
    to->self_loops += more->self_loops;
    to->isolated_vertices += more->isolated_vertices;
    to->empty_graphs += more->empty_graphs;
    to->label_conflicts += more->label_conflicts;
    to->moved_vertices += more->moved_vertices;
    if (more->impossible_molecules && !to->impossible_molecules)
        memcpy(to->first_impossible, more->first_impossible, sizeof to->first_impossible);
    to->impossible_molecules += more->impossible_molecules;
}

/* Records the numbers of the graphs that the policy keeps, beginning with the first slice in which it removes some. */
static leman_status keep_numbers(leman_stream *s, size_t first)
{
    const leman_dataset *d = s->slice;
    if (!s->kept.count && d->graphs == s->graphs - first) return LEMAN_OK;
    if (!s->kept.count)
        for (int64_t i = 0; i < (int64_t)first; i++) PASS(lm_vector_append(s->ctx, &s->kept, &i, 1, sizeof i));
    return lm_vector_append(s->ctx, &s->kept, d->class_label, d->graphs, sizeof *d->class_label);
}

static leman_status next_slice(leman_stream *s)
{
    leman_cleaning found = {0};
    const size_t first = s->graphs;
    switch (s->kind) {
    case LM_STREAM_WHOLE: return LEMAN_OK;
    case LM_STREAM_SMILES: PASS(lm_stream_smiles_next(s, &found, &s->slice)); break;
    case LM_STREAM_GRAPH6: PASS(lm_stream_graph6_next(s, &found, &s->slice)); break;
    case LM_STREAM_BINARY:
        PASS(lm_binary_slices_next(&s->binary, s->limit, &s->slice));
        s->graphs = s->binary.at;
        if (s->slice) PASS(lm_dataset_clean(s->ctx, &s->policy, &found, &s->slice));
        break;
    }
    if (!s->slice) return LEMAN_OK;
    if (s->kind != LM_STREAM_BINARY) s->slice->reading = leman_reading_of(&s->options, s->kind == LM_STREAM_SMILES);
    s->slice->first_graph = s->handed; /* from here on, messages count only graphs that the policy keeps */
    s->handed += s->slice->graphs;
    add_cleaning(&s->cleaning, &found);
    return keep_numbers(s, first);
}

leman_status leman_stream_next(leman_stream *s, const leman_dataset **slice)
{
    if (!s) return LEMAN_ERROR_ARGUMENT;
    REQUIRE(s->ctx, slice);
    const leman_dataset *found = NULL; /* at the end */
    s->lines.text.count = s->lines.end.count = 0;
    if (!s->ended && s->kind == LM_STREAM_WHOLE) {
        s->ended = true;
        found = s->labels = s->slice;
    } else if (!s->ended) {
        leman_dataset_free(s->slice);
        s->slice = NULL;
        PASS(lm_read_failure(s->ctx, next_slice(s), s->path));
        s->ended = !s->slice;
        found = s->slice;
    }
    *slice = found;
    return LEMAN_OK;
}

/* ---- Lines ----------------------------------------------------------------------------------- */

bool lm_stream_has_lines(const leman_stream *s)
{
    return s->by_lines && s->kind != LM_STREAM_WHOLE;
}

const char *lm_stream_line(const leman_stream *s, size_t i, size_t *length)
{
    const size_t first = s->graphs - s->lines.end.count;
    return lm_lines_get(&s->lines, (size_t)s->slice->class_label[i] - first, length);
}

const char *lm_stream_head(const leman_stream *s, size_t *length)
{
    *length = s->head.count;
    return s->head.items;
}

const leman_rows *lm_stream_rows(const leman_stream *s, uint64_t *first)
{
    *first = s->rows_before;
    return s->kind == LM_STREAM_SMILES ? s->smiles.rows : s->rows;
}

/* ---- Labels ---------------------------------------------------------------------------------- */

static leman_status find_labels(leman_stream *s, leman_dataset **labels)
{
    AUTO(leman_dataset_drop) leman_dataset *all = NULL;
    leman_dataset *left = NULL;
    AUTO(lm_release_at) size_t *which = NULL;
    if (s->kind == LM_STREAM_SMILES) PASS(lm_stream_smiles_labels(s, &all));
    if (s->kind == LM_STREAM_GRAPH6) PASS(lm_stream_graph6_labels(s, &all));
    if (s->kind == LM_STREAM_BINARY) PASS(lm_binary_slices_labels(&s->binary, &all));
    all->directed = s->policy.directed;
    if (s->kind != LM_STREAM_BINARY) all->reading = leman_reading_of(&s->options, s->kind == LM_STREAM_SMILES);
    lm_dataset_measure(all);
    if (s->kept.count) {
        PASS_NEW(s->ctx, which, s->kept.count);
        for (size_t i = 0; i < s->kept.count; i++) which[i] = (size_t)((const int64_t *)s->kept.items)[i];
        PASS(leman_dataset_select(s->ctx, all, s->kept.count, which, &left));
        leman_dataset_free(all);
        all = left;
    }
    PASS(lm_dataset_use_class(s->ctx, &s->options, s->format, &all));
    return HAND_OVER(labels, all);
}

leman_status leman_stream_labels(leman_stream *s, const leman_dataset **labels)
{
    if (!s) return LEMAN_ERROR_ARGUMENT;
    REQUIRE(s->ctx, labels);
    if (!s->ended)
        return lm_fail(s->ctx, LEMAN_ERROR_ARGUMENT,
                       "%s: found graphs that are still to come, expected the end of the stream", s->shown);
    if (!s->labels) PASS(lm_read_failure(s->ctx, find_labels(s, &s->labels), s->path));
    *labels = s->labels;
    return LEMAN_OK;
}

const leman_cleaning *leman_stream_cleaning(const leman_stream *s)
{
    return s ? &s->cleaning : NULL;
}
