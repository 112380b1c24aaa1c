/*
 * Splits as text: a line with the number of graphs, then for every fold its test part and its validation part.
 *
 *   # a line that begins with # is a comment
 *   graphs 188
 *   0 0 test 4 17 23
 *   0 0 validation 9 101
 *   0 1 test 5 8
 *
 * The first two numbers of a line are repetition and fold, in order. The other numbers are graphs, alone or as ranges
 * such as 1-3; a graph occurs at most once in a fold and in at most one test part of a repetition. All numbers count
 * from 0. Graphs in neither part are training graphs. If a fold has no validation line, its validation part is drawn
 * with the seed of the context. Every repetition has the same number of folds. Test parts need not cover the data set.
 */
#include "base/arguments.h"
#include "base/text.h"
#include "learn/protocol/splits.h"
#include <string.h>

static const uint64_t MAX_BYTES = UINT64_C(16) << 30; /* most bytes of a file */

typedef struct reading {
    leman_context *ctx;
    lm_text text;
    size_t graphs;
    int64_t repetition, fold; /* the current ones; -1 before the first */
    int64_t folds;            /* of the first repetition, once it is known */
    bool open;                /* the current fold has a test part and no validation part yet */
    lm_split_list *list;
    size_t *seen;   /* [graphs] the fold, counted over all repetitions, that last listed the graph */
    size_t *tested; /* [graphs] 1 + the repetition that last tested the graph */
    uint32_t *part; /* [graphs] */
} reading;

/* Skips blanks and `expected`, and returns true, if that is the next whole word. Otherwise returns false. */
static bool word(lm_text *text, const char *expected)
{
    const char *at = text->at;
    size_t length = strlen(expected);
    while (at < text->end && (*at == ' ' || *at == '\t')) at++;
    if ((size_t)(text->end - at) < length || memcmp(at, expected, length)) return false;
    at += length;
    if (at < text->end && !memchr(" \t\r\n", *at, 4)) return false;
    text->at = at;
    return true;
}

/* Skips empty lines and comments. Returns true at the end of the text. */
static bool ended(lm_text *text)
{
    while (text->at < text->end) {
        const char *at = text->at;
        while (at < text->end && memchr(" \t\r", *at, 3)) at++;
        if (at < text->end && *at != '#' && *at != '\n') return false;
        const char *line_end = at < text->end ? memchr(at, '\n', (size_t)(text->end - at)) : NULL;
        text->at = line_end ? line_end + 1 : text->end;
        text->line += line_end != NULL;
    }
    return true;
}

/* Reads "7", or a range "1-3" as in JSON output. */
static leman_status read_range(reading *r, int64_t *first, int64_t *last)
{
    static const char WHAT[] = "the number of a graph";
    lm_text *text = &r->text;
    while (text->at < text->end && (*text->at == ' ' || *text->at == '\t')) text->at++;
    const char *dash = text->at;
    while (dash < text->end && *dash >= '0' && *dash <= '9') dash++;
    bool range = dash > text->at && dash < text->end && *dash == '-';
    lm_text front = *text;
    if (range) front.end = dash;
    PASS(lm_text_integer(&front, WHAT, first));
    text->at = front.at;
    *last = *first;
    if (!range) return LEMAN_OK;
    text->at++;
    PASS(lm_text_integer(text, WHAT, last));
    if (*last < *first)
        return lm_text_fail(text, "found graphs %lld-%lld, expected the smaller number first", (long long)*first,
                            (long long)*last);
    return LEMAN_OK;
}

/* Adds a graph to the current part. */
static leman_status add_graph(reading *r, size_t fold, bool test, int64_t number, size_t *count)
{
    const uint64_t graph = (uint64_t)number, repetition = (uint64_t)r->repetition + 1;
    if (graph >= r->graphs)
        return lm_text_fail(&r->text, "found graph %lld, expected 0 to %lld", (long long)number,
                            (long long)r->graphs - 1);
    if (r->seen[graph] == fold)
        return lm_text_fail(&r->text, "found graph %lld twice in one fold, expected it once at most",
                            (long long)number);
    if (test && r->tested[graph] == repetition)
        return lm_text_fail(&r->text, "found graph %lld in two test parts of repetition %lld, expected it in one",
                            (long long)number, (long long)r->repetition);
    r->seen[graph] = fold;
    if (test) r->tested[graph] = repetition;
    r->part[(*count)++] = (uint32_t)graph;
    return LEMAN_OK;
}

/* Reads the graphs of one line. `fold` is the number of the fold over all repetitions, from 1. */
static leman_status read_graphs(reading *r, size_t fold, bool test)
{
    size_t count = 0;
    while (!lm_text_line_end(&r->text)) {
        int64_t first, last;
        PASS(read_range(r, &first, &last));
        for (int64_t graph = first; graph <= last; graph++) PASS(add_graph(r, fold, test, graph, &count));
        if (!lm_text_line_end(&r->text)) PASS(lm_text_comma(&r->text));
    }
    if (!count) return lm_text_fail(&r->text, "found a part without graphs, expected at least one");
    r->open = test;
    return lm_split_list_add(r->ctx, r->list, r->part, count);
}

/* Draws a validation part if the file has none. Fails unless at least one graph is left for training. */
static leman_status close_fold(reading *r)
{
    if (r->fold < 0) return LEMAN_OK;
    if (r->open) PASS(lm_split_list_validate(r->ctx, r->list, r->graphs, NULL, r->ctx->settings.seed));
    r->open = false;
    const uint64_t *start = r->list->start.items;
    size_t lists = r->list->start.count - 1;
    if (start[lists] - start[lists - 2] >= r->graphs)
        return lm_text_fail(&r->text, "repetition %lld, fold %lld leaves no graph to train", (long long)r->repetition,
                            (long long)r->fold);
    return LEMAN_OK;
}

/* Checks that a fold follows the current one: the next of its repetition or, once that is complete, the first of the
 * next. */
static leman_status next_fold(reading *r, int64_t repetition, int64_t fold)
{
    PASS(close_fold(r));
    if (r->repetition < 0 && (repetition || fold))
        return lm_text_fail(&r->text, "found repetition %lld, fold %lld, expected the first fold, 0 0",
                            (long long)repetition, (long long)fold);
    const bool complete = r->fold + 1 == r->folds;
    const bool first = repetition == r->repetition + 1 && !fold && (!r->folds || complete);
    const bool further = repetition == r->repetition && fold == r->fold + 1 && (!repetition || !complete);
    if (!first && !further)
        return lm_text_fail(&r->text, "found repetition %lld, fold %lld after repetition %lld, fold %lld, expected %s",
                            (long long)repetition, (long long)fold, (long long)r->repetition, (long long)r->fold,
                            complete ? "the first fold of the next" : "the next fold");
    if (first && !r->repetition) r->folds = r->fold + 1;
    r->repetition = repetition;
    r->fold = fold;
    if (r->list->start.count > 2 * (size_t)LM_MAX_FOLDS)
        return lm_text_fail(&r->text, "found more than %d folds, expected at most %d", LM_MAX_FOLDS, LM_MAX_FOLDS);
    return LEMAN_OK;
}

static leman_status read_line(reading *r)
{
    int64_t repetition, fold;
    PASS(lm_text_integer(&r->text, "the number of a repetition", &repetition));
    PASS(lm_text_comma(&r->text));
    PASS(lm_text_integer(&r->text, "the number of a fold", &fold));
    if (word(&r->text, "test")) {
        PASS(next_fold(r, repetition, fold));
        PASS(read_graphs(r, r->list->start.count / 2 + 1, true));
    } else if (word(&r->text, "validation")) {
        if (!r->open || repetition != r->repetition || fold != r->fold)
            return lm_text_fail(&r->text, "found a validation part that does not follow the test part of its fold");
        PASS(read_graphs(r, r->list->start.count / 2, false));
    } else {
        return lm_text_expected(&r->text, "test or validation");
    }
    return lm_text_newline(&r->text);
}

static leman_status read_head(reading *r)
{
    int64_t graphs;
    if (ended(&r->text) || !word(&r->text, "graphs"))
        return lm_text_expected(&r->text, "the line 'graphs N' of a file of splits");
    PASS(lm_text_integer(&r->text, "a number of graphs", &graphs));
    if (graphs < 0 || (uint64_t)graphs != r->graphs)
        return lm_text_fail(&r->text, "found splits of %lld graph%s, expected %zu as the data set has",
                            (long long)graphs, lm_plural((uint64_t)graphs), r->graphs);
    return lm_text_newline(&r->text);
}

leman_status lm_splits_parse(leman_context *ctx, const leman_dataset *data, const char *path, lm_bytes bytes,
                             leman_splits **out)
{
    if (lm_splits_are_json(bytes)) return lm_splits_parse_json(ctx, data, path, bytes, out);
    SCRATCH_SCOPE(ctx);
    AUTO(lm_split_list_free) lm_split_list list = {0};
    reading r = {.ctx = ctx, .text = lm_text_of(ctx, path, bytes), .list = &list};
    r.graphs = leman_dataset_shape(data)->graphs;
    r.repetition = r.fold = -1;
    PASS_SCRATCH_ZERO(ctx, r.seen, r.graphs);
    PASS_SCRATCH_ZERO(ctx, r.tested, r.graphs);
    PASS_SCRATCH(ctx, r.part, r.graphs);
    PASS(read_head(&r));
    while (!ended(&r.text)) PASS(read_line(&r));
    PASS(close_fold(&r));
    if (r.fold < 0) return lm_text_fail(&r.text, "found the end, expected the test part of a first fold");
    if (!r.repetition) r.folds = r.fold + 1;
    const size_t folds = (size_t)r.folds;
    if (r.fold + 1 != r.folds)
        return lm_text_fail(&r.text, "found the end after fold %lld of repetition %lld, expected %zu fold%s",
                            (long long)r.fold, (long long)r.repetition, folds, lm_plural(folds));
    const leman_splits splits = {
        .graphs = r.graphs, .repetitions = (size_t)r.repetition + 1, .folds = folds, .seed = ctx->settings.seed};
    return lm_split_list_finish(ctx, &list, &splits, out);
}

leman_status leman_splits_read(leman_context *ctx, const leman_dataset *data, const char *path, leman_splits **out)
{
    AUTO(lm_bytes_close) lm_bytes bytes = {0};
    REQUIRE(ctx, data, path, out);
    PASS(lm_bytes_open(ctx, path, MAX_BYTES, &bytes));
    return lm_splits_parse(ctx, data, path, bytes, out);
}

/* ---- Writing --------------------------------------------------------------------------------- */

static void print_part(const leman_splits *splits, size_t fold, const char *name, lm_part part, lm_output *out)
{
    lm_output_printf(out, "%zu %zu %s", fold / splits->folds, fold % splits->folds, name);
    for (size_t i = 0; i < part.count; i++) {
        lm_output_write(out, " ", 1);
        lm_output_integer(out, (int64_t)part.graph[i]);
    }
    lm_output_write(out, "\n", 1);
}

leman_status lm_splits_print(const leman_splits *splits, lm_output *out)
{
    lm_output_printf(out,
                     "# Splits of leman: repetition, fold, part, then its graphs, all counted from 0; other graphs "
                     "train.\ngraphs %zu\n",
                     splits->graphs);
    for (size_t fold = 0; fold < splits->repetitions * splits->folds; fold++) {
        print_part(splits, fold, "test", lm_split_test(splits, fold), out);
        print_part(splits, fold, "validation", lm_split_validation(splits, fold), out);
    }
    return lm_output_write(out, "", 0); /* returns any earlier failure */
}

leman_status leman_splits_write(leman_context *ctx, const leman_splits *splits, const char *path)
{
    AUTO(lm_output_abort) lm_output out = {0};
    REQUIRE(ctx, splits, path);
    PASS(lm_output_open(ctx, path, &out));
    PASS(lm_splits_print(splits, &out));
    return lm_output_commit(&out);
}
