/*
 * Features as substructures. Every example is refined once for each kernel. After each round the colours of its tuples are
 * looked up among the features of which it is the example; the first tuple of a colour is taken, in lexicographic order.
 */
#include "kernel/substructures/substructures.h"
#include "base/arguments.h"
#include "base/drop.h"
#include "graph/dataset.h"
#include "kernel/features/features.h"
#include "kernel/substructures/fragment.h"
#include "refine/items/items.h"
#include "refine/refine.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What the public object owns; `shown` is its first member. */
typedef struct holder {
    leman_substructures shown;
    leman_substructure *item;
    char *text;
    uint32_t *vertex;
} holder;

void leman_substructures_free(leman_substructures *substructures)
{
    holder *h = (holder *)(void *)substructures;
    if (h) RELEASE(h->item, h->text, h->vertex, h);
}

leman_status lm_substructures_new(leman_context *ctx, size_t count, leman_substructures **out,
                                  leman_substructure **items)
{
    holder *h;
    PASS_NEW_ZERO(ctx, h, 1);
    *out = &h->shown;
    PASS_NEW_ZERO(ctx, h->item, count);
    for (size_t i = 0; i < count; i++) {
        h->item[i].text = "";
        h->item[i].example = SIZE_MAX;
        h->item[i].weight = h->item[i].effect = NAN;
    }
    h->shown = (leman_substructures){count, h->item};
    *items = h->item;
    return LEMAN_OK;
}

void lm_substructure_offer(const leman_dataset *data, size_t graph, size_t *example)
{
    if (*example == SIZE_MAX ||
        leman_dataset_graph(data, graph).vertices < leman_dataset_graph(data, *example).vertices)
        *example = graph;
}

/* ---- The search ------------------------------------------------------------------------------ */

/* A feature to be found in its example. */
typedef struct request {
    size_t example;
    leman_feature feature;
    size_t item;
    bool found;
} request;

typedef struct search {
    leman_context *ctx;
    const leman_dataset *data;
    leman_substructure *item;
    size_t *text_at, *vertex_at; /* [items] where the texts and vertices of items begin */
    lm_vector text, vertex;      /* char; uint32_t */
    lm_fragments fragments;
} search;

static void search_end(search *s)
{
    lm_vector_release(&s->text);
    lm_vector_release(&s->vertex);
    lm_fragments_free(&s->fragments);
}

static int by_example(const void *a, const void *b)
{
    const request *x = a, *y = b;
    if (x->example != y->example) return x->example < y->example ? -1 : 1;
    return lm_feature_before(x->feature, y->feature) ? -1 : lm_feature_before(y->feature, x->feature);
}

/* Keeps the neighbourhood of a tuple of the colour of an item. */
static leman_status keep(search *s, request *r, const uint32_t *tuple, unsigned k)
{
    lm_fragments *f = &s->fragments;
    lm_fragments_find(f, tuple, k, r->feature.round);
    r->found = true;
    s->item[r->item].components = f->components;
    s->item[r->item].vertices = f->vertices;
    s->text_at[r->item] = s->text.count;
    s->vertex_at[r->item] = s->vertex.count;
    PASS(lm_vector_append(s->ctx, &s->vertex, f->vertex, f->vertices, sizeof *f->vertex));
    return lm_fragments_write(f, &s->text);
}

/* Returns the first of the requests, which are sorted, whose colour is not below `color`. */
static size_t lower_bound(const request *r, size_t count, uint64_t color)
{
    size_t low = 0, high = count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (r[middle].feature.key < color)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Looks for the first tuple of every requested colour of this round. all[n^k]: the colours, if tuples are sparse. */
static leman_status search_round(search *s, const lm_refinement *round, const uint64_t *all, request *r, size_t count)
{
    const lm_items *items = round->space.items;
    const unsigned k = round->coloring.k;
    const size_t n = round->space.vertices;
    const size_t tuples = items ? round->space.n : all ? (size_t)lm_power(n, k) : round->space.tuples;
    uint32_t tuple[LM_MAX_K];
    size_t left = count;
    for (size_t t = 0; t < tuples && left; t++) {
        const uint64_t color = all ? all[t] : round->colors[t];
        size_t i = lower_bound(r, count, color);
        if (i == count || r[i].feature.key != color || r[i].found) continue;
        if (items) {
            lm_item_tuple(items, t, tuple);
        } else {
            for (size_t rest = t, j = k; j-- > 0; rest /= n) tuple[j] = (uint32_t)(rest % n);
        }
        for (; i < count && r[i].feature.key == color; i++, left--) PASS(keep(s, r + i, tuple, items ? items->k : k));
    }
    return LEMAN_OK;
}

/* Looks for the requests of one graph and one kernel, which are sorted by round. */
static leman_status search_kernel(search *s, const leman_kernel *kernel, request *r, size_t count)
{
    SCRATCH_SCOPE(s->ctx);
    const leman_graph graph = leman_dataset_graph(s->data, r->example);
    const lm_demand demand = {"an example", .graphs = 1, .budget = lm_budget(s->ctx)};
    lm_refinement round;
    uint64_t *all = NULL;
    if (kernel->kind != LEMAN_KERNEL_KIND_COLORS || kernel->binnings) return LEMAN_OK;
    PASS(lm_fragments_begin(s->ctx, s->data, r->example, &kernel->coloring, &s->fragments));
    PASS(lm_refinement_open(s->ctx, &graph, &kernel->coloring, false, &demand, &round));
    if (round.space.sparse) PASS_SCRATCH(s->ctx, all, lm_power(graph.vertices, kernel->coloring.k));
    for (size_t first = 0, end; first < count; first = end) {
        for (end = first; end < count && r[end].feature.round == r[first].feature.round;) end++;
        while (round.round < r[first].feature.round) PASS(lm_refinement_step(&round));
        if (all) lm_sparse_spread(&round.space, round.colors, all);
        PASS(search_round(s, &round, all, r + first, end - first));
    }
    return LEMAN_OK;
}

/* Lists the items that have an example, sorted. */
static leman_status make_requests(search *s, size_t items, request **out, size_t *count)
{
    request *r;
    PASS_SCRATCH(s->ctx, r, items);
    *count = 0;
    for (size_t i = 0; i < items; i++)
        if (s->item[i].example != SIZE_MAX) r[(*count)++] = (request){s->item[i].example, s->item[i].feature, i, false};
    qsort(r, *count, sizeof *r, by_example);
    *out = r;
    return LEMAN_OK;
}

/* Gives what was found to the items. */
static void hand_over(search *s, const request *r, size_t count, holder *h)
{
    h->text = s->text.items;
    h->vertex = s->vertex.items;
    s->text = s->vertex = (lm_vector){0};
    for (size_t i = 0; i < count; i++) {
        if (!r[i].found) continue;
        h->item[r[i].item].text = h->text + s->text_at[r[i].item];
        h->item[r[i].item].vertex = h->vertex + s->vertex_at[r[i].item];
    }
}

leman_status lm_substructures_find(leman_context *ctx, const leman_dataset *data, const leman_kernel *kernels,
                                   leman_substructures *substructures)
{
    SCRATCH_SCOPE(ctx);
    holder *h = (holder *)(void *)substructures;
    AUTO(search_end) search s = {.ctx = ctx, .data = data, .item = h->item};
    request *r;
    size_t count;
    PASS_SCRATCH(ctx, s.text_at, h->shown.count);
    PASS_SCRATCH(ctx, s.vertex_at, h->shown.count);
    PASS(make_requests(&s, h->shown.count, &r, &count));
    lm_progress_begin(ctx, count, "looking for substructures in %s", data->name);
    for (size_t first = 0, end; first < count; first = end) {
        for (end = first;
             end < count && r[end].example == r[first].example && r[end].feature.kernel == r[first].feature.kernel;)
            end++;
        PASS(search_kernel(&s, kernels + r[first].feature.kernel, r + first, end - first));
        PASS(lm_progress_step(ctx, end));
    }
    hand_over(&s, r, count, h);
    return LEMAN_OK;
}

/* ---- Columns of features --------------------------------------------------------------------- */

leman_status leman_features_substructures(leman_context *ctx, const leman_features *features, const leman_dataset *data,
                                          leman_substructures **out)
{
    REQUIRE(ctx, features, data, out);
    SCRATCH_SCOPE(ctx);
    AUTO(leman_features_drop) leman_features *rows = NULL;
    AUTO(leman_substructures_drop) leman_substructures *made = NULL;
    leman_feature_options options = leman_feature_options_default();
    leman_substructure *item;
    if (!features->feature || !features->origin.kernel)
        return lm_fail(ctx, LEMAN_ERROR_ARGUMENT,
                       "features: found columns without names or kernels, expected those that were made for a training "
                       "set");
    if (features->origin.apex)
        return lm_fail(ctx, LEMAN_ERROR_UNSUPPORTED,
                       "found features of graphs with a marked vertex (apex), whose colours are not shown as "
                       "substructures");
    options.columns = features;
    PASS(leman_features_compute(ctx, data, features->origin.kernel, features->origin.kernel_count, &options, &rows));
    PASS(lm_substructures_new(ctx, features->columns, &made, &item));
    for (size_t c = 0; c < features->columns; c++) item[c].feature = features->feature[c];
    for (size_t g = 0; g < rows->rows; g++)
        for (uint64_t e = rows->start[g]; e < rows->start[g + 1]; e++) {
            item[rows->column[e]].graphs++;
            lm_substructure_offer(data, g, &item[rows->column[e]].example);
        }
    PASS(lm_substructures_find(ctx, data, features->origin.kernel, made));
    return HAND_OVER(out, made);
}
