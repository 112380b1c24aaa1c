/*
 * The nearest graphs of queries. Every query has a list of the nearest graphs so far, sorted by similarity; a graph enters
 * behind those that are as similar. At the end of a slice the texts of the graphs that entered are copied: the rows of the
 * slice are gone afterwards. Texts of graphs that were pushed out are removed when they are the larger part.
 */
#include "leman/neighbors.h"
#include "base/arguments.h"
#include "base/drop.h"
#include "io/stream/stream.h"
#include "kernel/neighbors/search.h"
#include <string.h>

typedef struct entry {
    double similarity;
    uint64_t graph, row;
    size_t text; /* of its name, in `text`; its SMILES is behind it */
} entry;

struct leman_neighbors {
    size_t queries, nearest;
    uint64_t graphs; /* that were searched before the current slice, then in all */
    entry *entry;    /* [queries][nearest] */
    size_t *count;   /* [queries] */
    lm_vector text;  /* char: texts, each with a zero behind it; the first two are empty */
};

void leman_neighbors_free(leman_neighbors *n)
{
    if (!n) return;
    lm_vector_release(&n->text);
    RELEASE(n->entry, n->count, n);
}

LM_DROP(leman_neighbors)

typedef struct finding {
    leman_context *ctx;
    leman_neighbors *n;
    bool own; /* the graphs are the queries: none is a neighbour of itself */
} finding;

leman_status leman_neighbors_kernel(leman_context *ctx, const leman_dataset *data, leman_kernel *kernel)
{
    REQUIRE(ctx, data, kernel);
    PASS(leman_kernel_parse(ctx, "ECFP4", kernel));
    leman_read_options read = leman_read_options_default();
    if (data->reading & LEMAN_READING_MOLECULES) PASS(leman_reading_apply(ctx, data->reading, &read, NULL));
    if (read.atom_labels != LEMAN_ATOM_ECFP) kernel->atom_labels = 0;
    return LEMAN_OK;
}

/* ---- Lists ----------------------------------------------------------------------------------- */

static leman_status neighbors_new(leman_context *ctx, size_t queries, size_t nearest, leman_neighbors **out)
{
    AUTO(leman_neighbors_drop) leman_neighbors *n = NULL;
    PASS_NEW_ZERO(ctx, n, 1);
    n->queries = queries;
    n->nearest = nearest;
    PASS_NEW(ctx, n->entry, lm_saturating_multiply(queries, nearest));
    PASS_NEW_ZERO(ctx, n->count, queries);
    PASS(lm_vector_append(ctx, &n->text, "\0", 2, 1));
    return HAND_OVER(out, n);
}

/* Puts a graph into the list of a query, behind all graphs that are as similar. */
static void enter(leman_neighbors *n, size_t query, uint64_t graph, double similarity)
{
    entry *list = n->entry + query * n->nearest;
    size_t at = n->count[query];
    if (at == n->nearest)
        at--;
    else
        n->count[query]++;
    for (; at && list[at - 1].similarity < similarity; at--) list[at] = list[at - 1];
    list[at] = (entry){.similarity = similarity, .graph = graph, .row = graph};
}

/* An lm_search_receiver. Queries are divided among the threads. */
static leman_status receive(void *state, size_t first, size_t count, const double *similarity)
{
    const finding *f = state;
    leman_neighbors *n = f->n;
    const size_t queries = n->queries, last = n->nearest - 1;
#pragma omp parallel for schedule(static) num_threads(f->ctx->settings.threads)
    for (size_t q = 0; q < queries; q++) {
        const entry *worst = n->entry + q * n->nearest + last;
        for (size_t i = 0; i < count; i++) {
            const uint64_t graph = n->graphs + first + i;
            const double value = similarity[i * queries + q];
            if (n->count[q] > last && !(value > worst->similarity)) continue;
            if (!f->own || graph != q) enter(n, q, graph, value);
        }
    }
    return LEMAN_OK;
}

/* ---- Texts ----------------------------------------------------------------------------------- */

/* Appends a name and a SMILES, and sets *at to their place. Both empty: the place of the empty texts. */
static leman_status add_text(leman_context *ctx, lm_vector *text, const char *name, size_t length, const char *smiles,
                             size_t *at)
{
    *at = 0;
    if (!length && !*smiles) return LEMAN_OK;
    *at = text->count;
    PASS(lm_vector_append(ctx, text, name, length, 1));
    PASS(lm_vector_append(ctx, text, "", 1, 1));
    return lm_vector_append(ctx, text, smiles, strlen(smiles) + 1, 1);
}

/* Copies the texts of graphs `first` and later, which `rows` has, to the entries. */
static leman_status keep_rows(leman_context *ctx, leman_neighbors *n, const leman_rows *rows, uint64_t rows_before,
                              uint64_t first, size_t graphs)
{
    SCRATCH_SCOPE(ctx);
    size_t *row, *text; /* [graphs] of the slice; text SIZE_MAX: not copied yet */
    PASS_SCRATCH(ctx, row, graphs);
    PASS_SCRATCH(ctx, text, graphs);
    memset(text, 0xff, graphs * sizeof *text);
    for (size_t i = 0; i < leman_rows_count(rows); i++) {
        const size_t graph = leman_rows_get(rows, i).graph;
        if (graph < graphs) row[graph] = i;
    }
    for (size_t q = 0; q < n->queries; q++)
        for (entry *e = n->entry + q * n->nearest; e < n->entry + q * n->nearest + n->count[q]; e++) {
            if (e->graph < first) continue;
            const size_t graph = (size_t)(e->graph - first);
            const leman_row r = leman_rows_get(rows, row[graph]);
            if (text[graph] == SIZE_MAX) PASS(add_text(ctx, &n->text, r.name, strlen(r.name), r.smiles, text + graph));
            e->text = text[graph];
            e->row = rows_before + row[graph];
        }
    return LEMAN_OK;
}

/* Copies the names of all entries from the data set of all graphs. */
static leman_status keep_names(leman_context *ctx, leman_neighbors *n, const leman_dataset *labels)
{
    for (size_t q = 0; q < n->queries; q++)
        for (entry *e = n->entry + q * n->nearest; e < n->entry + q * n->nearest + n->count[q]; e++) {
            size_t length;
            const char *name = leman_dataset_graph_name(labels, (size_t)e->graph, &length);
            PASS(add_text(ctx, &n->text, name, length, "", &e->text));
        }
    return LEMAN_OK;
}

/* Removes the texts that no entry has, if more texts were added than are left. `live` is the size after the last time. */
static leman_status drop_texts(leman_context *ctx, leman_neighbors *n, size_t *live)
{
    static const size_t FEW = (size_t)1 << 20;
    AUTO(lm_vector_release) lm_vector kept = {0};
    if (n->text.count < 2 * *live + FEW) return LEMAN_OK;
    PASS(lm_vector_append(ctx, &kept, "\0", 2, 1));
    for (size_t q = 0; q < n->queries; q++)
        for (entry *e = n->entry + q * n->nearest; e < n->entry + q * n->nearest + n->count[q]; e++) {
            const char *name = (const char *)n->text.items + e->text;
            const size_t length = strlen(name);
            PASS(add_text(ctx, &kept, name, length, name + length + 1, &e->text));
        }
    const lm_vector old = n->text;
    n->text = kept;
    kept = old;
    *live = n->text.count;
    return LEMAN_OK;
}

/* ---- Searching ------------------------------------------------------------------------------- */

static leman_status search_stream(finding *f, lm_search *search, leman_stream *stream)
{
    leman_neighbors *n = f->n;
    const leman_dataset *slice, *labels;
    bool rows_known = false;
    size_t live = 0;
    for (;;) {
        uint64_t before;
        PASS(leman_stream_next(stream, &slice));
        if (!slice) break;
        PASS(lm_search_run(search, slice, receive, f));
        const leman_rows *rows = lm_stream_rows(stream, &before);
        if (rows) PASS(keep_rows(f->ctx, n, rows, before, n->graphs, slice->graphs));
        rows_known |= rows != NULL;
        n->graphs += slice->graphs;
        PASS(drop_texts(f->ctx, n, &live));
    }
    if (rows_known || !n->graphs) return LEMAN_OK;
    PASS(leman_stream_labels(stream, &labels));
    return keep_names(f->ctx, n, labels);
}

/* Checks the arguments, and prepares the search. */
static leman_status begin(leman_context *ctx, const leman_dataset *queries, const leman_kernel *kernels, size_t count,
                          size_t nearest, lm_search *search, leman_neighbors **out)
{
    if (!nearest) return lm_fail(ctx, LEMAN_ERROR_ARGUMENT, "number of nearest graphs: found 0, expected at least 1");
    PASS(lm_search_open(ctx, queries, kernels, count, search));
    return neighbors_new(ctx, queries->graphs, nearest, out);
}

leman_status leman_neighbors_find(leman_context *ctx, const leman_dataset *queries, const char *path,
                                  const leman_read_options *reading, const leman_kernel *kernels, size_t count,
                                  size_t nearest, leman_cleaning *cleaning, leman_neighbors **out)
{
    REQUIRE(ctx, queries, path, kernels, out);
    SCRATCH_SCOPE(ctx);
    leman_read_options options = leman_read_options_default();
    PASS(lm_options_copy(ctx, "leman_read_options", reading, &options, sizeof options));
    options.rows = NULL;
    options.class_column = options.row_columns = NULL;
    AUTO(lm_search_close) lm_search search = {0};
    AUTO(leman_neighbors_drop) leman_neighbors *n = NULL;
    AUTO(leman_stream_drop) leman_stream *stream = NULL;
    PASS(begin(ctx, queries, kernels, count, nearest, &search, &n));
    PASS(lm_stream_open_rows(ctx, path, &options, &stream));
    PASS(search_stream(&(finding){.ctx = ctx, .n = n}, &search, stream));
    if (cleaning) *cleaning = *leman_stream_cleaning(stream);
    return HAND_OVER(out, n);
}

leman_status leman_neighbors_among(leman_context *ctx, const leman_dataset *queries, const leman_dataset *data,
                                   const leman_kernel *kernels, size_t count, size_t nearest, leman_neighbors **out)
{
    REQUIRE(ctx, queries, kernels, out);
    SCRATCH_SCOPE(ctx);
    const leman_dataset *searched = data ? data : queries;
    AUTO(lm_search_close) lm_search search = {0};
    AUTO(leman_neighbors_drop) leman_neighbors *n = NULL;
    PASS(begin(ctx, queries, kernels, count, nearest, &search, &n));
    PASS(lm_search_run(&search, searched, receive, &(finding){.ctx = ctx, .n = n, .own = !data}));
    n->graphs = searched->graphs;
    PASS(keep_names(ctx, n, searched));
    return HAND_OVER(out, n);
}

/* ---- For callers ------------------------------------------------------------------------------ */

size_t leman_neighbors_queries(const leman_neighbors *n)
{
    return n ? n->queries : 0;
}

uint64_t leman_neighbors_graphs(const leman_neighbors *n)
{
    return n ? n->graphs : 0;
}

size_t leman_neighbors_count(const leman_neighbors *n)
{
    return n && n->queries ? *n->count : 0;
}

leman_neighbor leman_neighbors_get(const leman_neighbors *n, size_t query, size_t rank)
{
    if (query >= leman_neighbors_queries(n) || rank >= n->count[query])
        return (leman_neighbor){.similarity = -1, .name = "", .smiles = ""};
    const entry *e = n->entry + query * n->nearest + rank;
    const char *name = (const char *)n->text.items + e->text;
    return (leman_neighbor){
        .row = e->row, .similarity = e->similarity, .name = name, .smiles = name + strlen(name) + 1};
}
