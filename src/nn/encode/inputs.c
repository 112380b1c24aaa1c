/* Batches from a data set; inputs.h describes them. */
#include "nn/encode/inputs.h"
#include "base/sort.h"
#include "graph/dataset.h"

leman_status lm_inputs_new(leman_context *ctx, const leman_dataset *data, const lm_encoding *encoding, lm_inputs **out)
{
    AUTO(lm_inputs_drop) lm_inputs *in = NULL;
    PASS(lm_encoding_fits(ctx, encoding, data));
    PASS_NEW(ctx, in, 1);
    *in = (lm_inputs){.ctx = ctx, .data = data, .encoding = encoding};
    PASS_NEW(ctx, in->label, data->vertices);
    PASS_NEW(ctx, in->edge_label, data->arcs);
    PASS_NEW_ZERO(ctx, in->arcs, data->graphs);
    for (size_t i = 0; i < data->graphs; i++) {
        const leman_graph g = leman_dataset_graph(data, i);
        PASS(lm_encoding_labels(encoding, &g, in->label + data->graph_start[i], in->edge_label + g.start[0]));
        for (size_t v = 0; v < g.vertices; v++) in->arcs[i] += lm_encoding_degree(&g, v);
    }
    if (encoding->widths.counts && !encoding->widths.distances) /* of local+ */
        PASS(lm_counts_compute(ctx, data, encoding, &in->counts));
    PASS(lm_pair_reals_compute(ctx, data, &encoding->options, &in->pair_reals));
    PASS(lm_inputs_find_sets(in));
    PASS(lm_inputs_find_tuples(in));
    return HAND_OVER(out, in);
}

void lm_inputs_free(lm_inputs *in)
{
    if (!in) return;
    RELEASE(in->label, in->edge_label, in->arcs, in->tuple_link, in->tuple_type);
    leman_tuples_free(in->tuples);
    lm_counts_free(&in->counts);
    lm_pair_reals_free(&in->pair_reals);
    for (size_t i = 0; i < LM_LISTS; i++) {
        lm_sets_free(in->sets + i);
        lm_release(in->set_type[i]);
    }
    lm_vector_release(&in->relation);
    lm_vector_release(&in->pair);
    lm_release(in);
}

/* ---- Sizes ----------------------------------------------------------------------------------- */

/* The rows of one graph in the spaces in which a batch has the rows of all its graphs. */
static void rows_of(const lm_inputs *in, size_t graph, uint64_t rows[LM_SUMMED_SPACES])
{
    const leman_graph g = leman_dataset_graph(in->data, graph);
    const unsigned k = in->encoding->options.k;
    rows[LM_TUPLES] = k > 1 && !in->tuples ? lm_power(g.vertices, k) : 0;
    rows[LM_VERTICES] = g.vertices;
    rows[LM_ARCS] = in->arcs[graph];
    if (in->encoding->options.joined) rows[LM_ARCS] = g.vertices ? (uint64_t)g.vertices * (g.vertices - 1) : 0;
    for (size_t i = 0; i < LM_LISTS; i++) {
        const lm_sets *s = in->sets + i;
        rows[LM_LISTED + i] = s->kind ? s->first[graph + 1] - s->first[graph] : 0;
        rows[LM_LINKS + i] = s->kind ? s->link[graph + 1] - s->link[graph] : 0;
    }
    if (!in->tuples) return;
    rows[LM_LISTED] = in->tuples->start[graph + 1] - in->tuples->start[graph];
    rows[LM_LINKS] = in->tuple_link[graph + 1] - in->tuple_link[graph];
}

static lm_extent extent_of(const lm_inputs *in, const uint64_t rows[LM_SUMMED_SPACES], size_t graphs)
{
    lm_extent extent = {{0}};
    for (int space = 0; space < LM_SUMMED_SPACES; space++) extent.rows[space] = (size_t)rows[space];
    extent.rows[LM_LABELS] = in->encoding->widths.labels;
    extent.rows[LM_GRAPHS] = graphs;
    extent.rows[LM_SINGLE] = 1;
    return extent;
}

lm_extent lm_inputs_extent(const lm_inputs *in, const uint32_t *which, size_t count)
{
    uint64_t sum[LM_SUMMED_SPACES] = {0}, rows[LM_SUMMED_SPACES];
    for (size_t i = 0; i < count; i++) {
        rows_of(in, which[i], rows);
        for (int space = 0; space < LM_SUMMED_SPACES; space++) sum[space] = lm_saturating_add(sum[space], rows[space]);
    }
    return extent_of(in, sum, count);
}

leman_status lm_inputs_max(const lm_inputs *in, const uint32_t *which, size_t count, size_t size, lm_extent *extent)
{
    SCRATCH_SCOPE(in->ctx);
    uint64_t sum[LM_SUMMED_SPACES] = {0}, rows[LM_SUMMED_SPACES], *key, *spare;
    PASS_SCRATCH(in->ctx, key, count);
    PASS_SCRATCH(in->ctx, spare, count);
    for (int space = 0; space < LM_SUMMED_SPACES; space++) {
        for (size_t i = 0; i < count; i++) {
            rows_of(in, which[i], rows);
            key[i] = rows[space];
        }
        lm_sort_keys(key, spare, count, 1);
        for (size_t i = 0; i < size && i < count; i++) sum[space] = lm_saturating_add(sum[space], key[count - 1 - i]);
    }
    *extent = extent_of(in, sum, size < count ? size : count);
    return LEMAN_OK;
}

/* ---- One graph into the batch ---------------------------------------------------------------- */

/* The position of a graph in the batch: its number, and its first rows. */
typedef struct place {
    size_t number; /* in the batch */
    size_t first[LM_SUMMED_SPACES];
} place;

static void write_arcs(lm_inputs *in, const leman_graph *g, const place *at, lm_batch *b)
{
    const uint32_t base = (uint32_t)at->first[LM_VERTICES];
    size_t to = at->first[LM_ARCS];
    for (size_t v = 0; v < g->vertices; v++) {
        b->leaving_start[base + v] = (uint32_t)to;
        if (in->encoding->options.joined) {
            for (size_t w = 0; w < g->vertices; w++)
                if (w != v) b->head[to++] = base + (uint32_t)w;
            continue;
        }
        for (uint64_t a = g->start[v]; a < g->start[v + 1]; a++) {
            if (g->head[a] == v) continue;
            if (b->arc_labels) b->arc_label[to] = in->edge_label[a];
            in->out_of_vocabulary += b->arc_labels && in->edge_label[a] == LM_NO_TYPE;
            b->head[to++] = base + g->head[a];
        }
    }
    b->leaving_start[base + g->vertices] = (uint32_t)to;
}

/* Writes labels or degrees. Returns how many have no number. */
static size_t write_vertex_types(const lm_inputs *in, const leman_graph *g, const uint32_t *label, uint32_t *to)
{
    const lm_encoding *e = in->encoding;
    size_t out_of_vocabulary = 0;
    for (size_t v = 0; v < g->vertices; v++) {
        to[v] = label[v];
        if (e->vertex == LM_VERTEX_DEGREE) {
            const size_t degree = lm_encoding_degree(g, v);
            to[v] = degree < e->degrees ? (uint32_t)degree : LM_NO_TYPE;
        }
        out_of_vocabulary += to[v] == LM_NO_TYPE;
    }
    return out_of_vocabulary;
}

static leman_status write_types(lm_inputs *in, const leman_graph *g, const uint32_t *label, const place *at,
                                lm_batch *b)
{
    const size_t n = g->vertices;
    in->relation.count = 0;
    PASS(lm_vector_reserve(in->ctx, &in->relation, n * n, sizeof(uint32_t)));
    return lm_encoding_types(in->encoding, g, label, in->edge_label + g->start[0], in->relation.items,
                             b->tuple_type + at->first[LM_TUPLES], &in->out_of_vocabulary);
}

void lm_inputs_distances(const leman_graph *g, size_t from, uint32_t limit, uint32_t *queue, uint32_t *to)
{
    size_t first = 0, end = 0;
    for (size_t v = 0; v < g->vertices; v++) to[v] = limit;
    to[from] = 0;
    for (queue[end++] = (uint32_t)from; first < end && to[queue[first]] + 1 < limit; first++)
        for (uint64_t a = g->start[queue[first]]; a < g->start[queue[first] + 1]; a++) {
            if (g->head[a] == from || to[g->head[a]] < limit) continue;
            to[g->head[a]] = to[queue[first]] + 1;
            queue[end++] = g->head[a];
        }
}

static leman_status write_distances(lm_inputs *in, const leman_graph *g, uint32_t *to)
{
    in->relation.count = 0;
    PASS(lm_vector_reserve(in->ctx, &in->relation, g->vertices, sizeof(uint32_t)));
    for (size_t u = 0; u < g->vertices; u++)
        lm_inputs_distances(g, u, (uint32_t)in->encoding->options.distance, in->relation.items, to + u * g->vertices);
    return LEMAN_OK;
}

/* Writes the targets of row `from` of the data, or its class, to row `to` of the batch. If the class is missing, writes
 * an arbitrary class with weight 0. */
static void write_label(const lm_inputs *in, size_t from, size_t to, lm_batch *b)
{
    for (size_t t = 0; t < b->targets; t++) {
        const double target = in->target[from * b->targets + t];
        b->target[to * b->targets + t] = (lm_real)target;
        if (b->target_weights) b->target_weight[to * b->targets + t] = in->weight[2 * t + (target > 0.5)];
    }
    if (!b->classes) return;
    const uint32_t class_id = in->class_id[from];
    b->class_id[to] = class_id == LM_NO_TYPE ? 0 : class_id;
    if (b->weights) b->graph_weight[to] = class_id == LM_NO_TYPE ? 0 : in->weight[class_id];
}

/* Writes the labels of all rows of a graph, of which the first is row `first` of the batch. Returns the row behind the
 * last. */
static size_t write_labels(const lm_inputs *in, size_t graph, size_t first, lm_batch *b)
{
    if (!b->targets && !b->classes) return first;
    if (!in->rows) {
        write_label(in, graph, first, b);
        return first + 1;
    }
    const uint32_t *row = in->rows->row + in->rows->start[graph], *end = in->rows->row + in->rows->start[graph + 1];
    for (; row < end; row++) write_label(in, *row, first++, b);
    return first;
}

static leman_status write_graph(lm_inputs *in, size_t graph, const place *at, lm_batch *b)
{
    const lm_encoding *e = in->encoding;
    const leman_graph g = leman_dataset_graph(in->data, graph);
    const uint32_t *label = in->label + in->data->graph_start[graph];
    const size_t vertex = at->first[LM_VERTICES], tuple = at->first[LM_TUPLES];
    const unsigned k = e->options.k;
    write_arcs(in, &g, at, b);
    lm_inputs_write_sets(in, graph, at->first, b);
    if (in->tuples) PASS(lm_inputs_write_tuples(in, graph, at->first, b));
    if (b->vertex_types) in->out_of_vocabulary += write_vertex_types(in, &g, label, b->vertex_type + vertex);
    if (b->tuple_types) PASS(write_types(in, &g, label, at, b));
    if (b->vertex_attributes) lm_inputs_vertex_reals(in, graph, b->vertex_attribute + vertex * b->vertex_attributes);
    if (b->arc_attributes) lm_inputs_arc_reals(in, graph, b->arc_attribute + at->first[LM_ARCS] * b->arc_attributes);
    if (b->tuple_attributes) PASS(lm_inputs_tuple_reals(in, graph, b->tuple_attribute + tuple * b->tuple_attributes));
    if (b->counts && e->widths.distances) PASS(write_distances(in, &g, b->count + tuple));
    for (size_t c = 0; c < b->counts && !e->widths.distances; c++)
        lm_counts_read(&in->counts, graph, g.vertices, k, c / k, c % k,
                       b->count + c * b->extent.rows[LM_TUPLES] + tuple);
    write_labels(in, graph, b->level == LM_GRAPHS ? at->number : at->first[b->level], b);
    return LEMAN_OK;
}

/* ---- The batch ------------------------------------------------------------------------------- */

static leman_status shape(const lm_inputs *in, const uint32_t *which, size_t count, lm_batch *b)
{
    const lm_encoding *e = in->encoding;
    const lm_widths *w = &e->widths;
    b->k = in->tuples ? 1 : e->options.k;
    b->level = in->rows ? in->rows->space : LM_GRAPHS;
    b->extent = lm_inputs_extent(in, which, count);
    b->vertex_attributes = w->vertex_reals;
    b->arc_attributes = w->arc_reals;
    b->tuple_attributes = in->tuples ? 0 : w->tuple_reals;
    b->counts = w->counts;
    b->tuple_types = b->k > 1 && w->types && !e->options.pairs;
    b->vertex_types = (b->k == 1 || e->options.pairs) && w->types && !lm_encoding_has_dense(e);
    b->arc_labels = w->labels > 0;
    b->targets = in->target ? in->targets : 0;
    b->classes = in->class_id != NULL;
    b->weights = in->class_id && in->weight;
    b->target_weights = b->targets && in->weight;
    for (size_t i = 0; i < LM_LISTS; i++) {
        b->listed[i].members = lm_set_members(in->sets[i].kind);
        b->listed[i].lists = b->listed[i].members ? 1 : 0;
        b->listed[i].types = b->listed[i].lists;
        b->listed[i].places = 1;
    }
    if (in->tuples)
        b->listed[0] = (lm_listing){.members = e->options.k,
                                    .lists = (e->directed ? 2 : 1) * (size_t)e->options.k,
                                    .types = e->options.pairs ? w->distances > 0 : w->types > 0,
                                    .attributes = w->tuple_reals,
                                    .paired = e->directed,
                                    .places = e->options.k,
                                    .follows = e->options.pairs,
                                    .picks = e->options.k == 2};
    return lm_batch_resize(b);
}

leman_status lm_inputs_labels(lm_inputs *in, const uint32_t *which, size_t count, lm_batch *b)
{
    size_t row = 0;
    PASS(shape(in, which, 0, b)); /* no rows but those of the level */
    b->extent.rows[b->level] = lm_inputs_extent(in, which, count).rows[b->level];
    PASS(lm_batch_resize(b));
    for (size_t i = 0; i < count; i++) row = write_labels(in, which[i], row, b);
    return LEMAN_OK;
}

static void start_graph(lm_batch *b, size_t number, const place *at)
{
    b->start[LM_VERTICES][number] = (uint32_t)at->first[LM_VERTICES];
    for (size_t i = 0; i < LM_LISTS; i++) {
        if (!b->listed[i].members) continue;
        b->start[LM_LISTED + i][number] = (uint32_t)at->first[LM_LISTED + i];
        b->listed[i].start[at->first[LM_LISTED + i] * b->listed[i].lists] = (uint32_t)at->first[LM_LINKS + i];
    }
}

leman_status lm_inputs_batch(lm_inputs *in, const uint32_t *which, size_t count, lm_batch *b)
{
    const uint64_t before = in->out_of_vocabulary;
    place at = {0};
    PASS(shape(in, which, count, b));
    b->leaving_start[0] = 0;
    for (size_t i = 0; i < count; i++, at.number++) {
        uint64_t rows[LM_SUMMED_SPACES];
        rows_of(in, which[i], rows);
        start_graph(b, i, &at);
        PASS(write_graph(in, which[i], &at, b));
        for (int space = 0; space < LM_SUMMED_SPACES; space++) at.first[space] += (size_t)rows[space];
    }
    start_graph(b, count, &at);
    lm_batch_link(b);
    if (in->out_of_vocabulary && !before)
        lm_log(in->ctx, "%s: found labels or types of tuples that the network never saw: they contribute nothing",
               in->data->name);
    return LEMAN_OK;
}
