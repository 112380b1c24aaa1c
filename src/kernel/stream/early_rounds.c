/* The first rounds of all graphs before the later ones of some: a sample, graphs that are kept, those that share. */
#include "kernel/stream/early_rounds.h"
#include "base/hash.h"
#include "base/ranks/ranks.h"
#include "graph/dataset.h"
#include "io/stream/stream.h"
#include "kernel/features.h"
#include "kernel/stream/early_vertices.h"

enum {
    SAMPLE_PART = 16, /* one graph of so many, */
    SAMPLE_MOST = 64, /* and not more; fewer than */
    SAMPLE_LEAST = 4, /* say nothing */
    SHARING_PART = 8, /* of the tuples that may be in graphs that share */
    GROUP_WORDS = 1 << 16
};

/* A slice that is kept. */
typedef struct kept {
    const leman_dataset *data;
    leman_dataset *own; /* NULL: the stream's */
    size_t first;       /* its first graph among all */
} kept;

leman_status lm_early_begin(lm_early *e, bool possible)
{
    leman_status st = LEMAN_OK;
    SCRATCH(e->ctx, e->first, e->kernels);
    SCRATCH(e->ctx, e->early, e->kernels);
    SCRATCH(e->ctx, e->exact, e->kernels);
    SCRATCH(e->ctx, e->sum, e->kernels);
    for (size_t i = 0; i < e->kernels; i++) {
        e->first[i] = e->kernel[i];
        e->early[i] = false;
        e->exact[i] = LM_EARLY_ROUNDS;
        e->sum[i] = (lm_vector){0};
    }
    e->whole = e->asked = !possible || lm_has_ranks(e->ctx);
done:
    return st;
}

static void forget_graphs(lm_early *e)
{
    const kept *slice = e->slice.items;
    for (size_t i = 0; i < e->slice.count; i++) leman_dataset_free(slice[i].own);
    lm_vector_free(e->ctx, &e->slice);
}

void lm_early_end(lm_early *e)
{
    if (!e->ctx) return;
    forget_graphs(e);
    for (size_t i = 0; e->sum && i < e->kernels; i++) lm_vector_free(e->ctx, e->sum + i);
}

/* ---- The sample ------------------------------------------------------------------------------ */

static leman_kernel first_rounds(const leman_kernel *kernel)
{
    leman_kernel first = *kernel;
    first.rounds = LM_EARLY_ROUNDS;
    return first;
}

static bool is_for(const leman_kernel *kernel)
{
    return kernel->kind == LEMAN_KERNEL_KIND_COLORS && kernel->rounds >= LM_EARLY_LEAST && !lm_kernel_branches(kernel);
}

static size_t later_rounds(const lm_early *e, size_t i)
{
    return e->kernel[i].rounds - e->exact[i];
}

/* Are the graphs that share found by the colours of their vertices? */
static bool by_vertices(const lm_early *e, size_t i)
{
    return e->exact[i] < LM_EARLY_ROUNDS;
}

/* Equal for graphs that are isomorphic. */
static uint64_t degrees_of(const leman_dataset *data, size_t graph)
{
    uint64_t sum = 0;
    for (size_t v = data->graph_start[graph]; v < data->graph_start[graph + 1]; v++)
        sum += lm_mix(data->vertex_start[v + 1] - data->vertex_start[v]);
    return sum;
}

/* Marks those of the sample that have the degrees of another graph of the slice. */
static leman_status mark_alike(leman_context *ctx, const leman_dataset *slice, const size_t *which, size_t count,
                               bool *shares)
{
    leman_status st = LEMAN_OK;
    uint64_t *degrees;
    SCRATCH(ctx, degrees, slice->graphs);
    for (size_t g = 0; g < slice->graphs; g++) degrees[g] = degrees_of(slice, g);
    for (size_t i = 0; i < count; i++) {
        size_t alike = 0;
        for (size_t g = 0; g < slice->graphs; g++) alike += degrees[g] == degrees[which[i]];
        shares[i] = alike > 1;
    }
done:
    return st;
}

/* Marks those that share an entry of a block; *entries: how many it has. */
static leman_status mark_block(leman_context *ctx, lm_triples *triples, size_t block, bool *shares, uint64_t *entries)
{
    leman_status st = LEMAN_OK;
    lm_pair *entry = NULL;
    size_t count;
    *entries = 0;
    for (size_t list = 0; list < LM_TRIPLE_LISTS; list++) {
        TRY(lm_triples_sort(ctx, triples, block, list, &entry, &count));
        *entries += count;
        for (size_t i = 1; i < count; i++)
            if (entry[i].key == entry[i - 1].key)
                shares[lm_pair_graph(entry[i])] = shares[lm_pair_graph(entry[i - 1])] = true;
        lm_free(ctx, entry);
        entry = NULL;
    }
done:
    lm_free(ctx, entry);
    return st;
}

/* Marks those that share a colour of the last of the first rounds; *entries: how many triples that round has. */
static leman_status mark_sharing(leman_context *ctx, const leman_dataset *sample, const leman_kernel *first,
                                 bool *shares, uint64_t *entries)
{
    leman_status st = LEMAN_OK;
    lm_triples triples = {0};
    TRY(lm_triples_new(ctx, sample->graphs, LM_EARLY_ROUNDS + 1, &triples));
    TRY(lm_kernel_fill(ctx, sample, first, false, 0, &triples));
    TRY(mark_block(ctx, &triples, LM_EARLY_ROUNDS, shares, entries));
done:
    lm_triples_free(ctx, &triples);
    return st;
}

/* Have those that share few of the tuples? */
static bool few_share(const leman_dataset *sample, unsigned k, const bool *shares)
{
    uint64_t all = 0, sharing = 0;
    for (size_t g = 0; g < sample->graphs; g++) {
        const uint64_t tuples = lm_power(leman_dataset_graph(sample, g).vertices, k);
        all = lm_saturating_add(all, tuples);
        if (shares[g]) sharing = lm_saturating_add(sharing, tuples);
    }
    return lm_saturating_multiply(sharing, SHARING_PART) < all;
}

/* Decides about kernel i by a sample, of which as much is coloured as a slice may have: few of its graphs share, and
 * triples of the later rounds would take more memory than the graphs. */
static leman_status ask(lm_early *e, size_t i, const leman_dataset *sample, const bool *alike)
{
    leman_status st = LEMAN_OK;
    leman_dataset *part = NULL;
    bool shares[SAMPLE_MOST];
    uint64_t entries;
    size_t bytes;
    const leman_kernel first = first_rounds(e->kernel + i);
    const size_t end = lm_features_slice(sample, &first, 1, e->max, 0);
    if (end < SAMPLE_LEAST) goto done;
    TRY(lm_features_part(e->ctx, sample, 0, end, &part));
    if (part) sample = part;
    memcpy(shares, alike, end * sizeof *shares);
    TRY(mark_sharing(e->ctx, sample, &first, shares, &entries));
    e->early[i] = few_share(sample, first.k, shares) && lm_dataset_block_size(sample, &bytes) &&
                  lm_saturating_multiply(entries, later_rounds(e, i) * sizeof(lm_pair)) > bytes;
    if (e->early[i]) e->first[i] = first;
done:
    leman_dataset_free(part);
    return st;
}

/* The same about its last round but one: few graphs of the slice, of as many tuples as are coloured at once, have a
 * vertex that another one has. */
static leman_status ask_vertices(lm_early *e, size_t i, const leman_dataset *slice)
{
    leman_status st = LEMAN_OK;
    lm_arena_mark mark = lm_arena_now(&e->ctx->scratch);
    leman_dataset *part = NULL;
    lm_triples triples = {0};
    bool *shares;
    uint64_t entries;
    const leman_kernel *kernel = e->kernel + i;
    const size_t end = lm_features_slice(slice, e->first + i, 1, e->max, 0);
    if (!e->early[i] || !lm_early_vertices_serve(kernel)) goto done;
    SCRATCH(e->ctx, shares, end);
    memset(shares, false, end * sizeof *shares);
    TRY(lm_features_part(e->ctx, slice, 0, end, &part));
    if (part) slice = part;
    TRY(lm_triples_new(e->ctx, end, 1, &triples));
    TRY(lm_early_vertices(e->ctx, slice, kernel, LM_EARLY_ROUNDS, NULL, NULL, &triples));
    TRY(mark_block(e->ctx, &triples, 0, shares, &entries));
    if (!few_share(slice, kernel->k, shares)) goto done;
    e->exact[i] = e->first[i].rounds = LM_EARLY_ROUNDS - 1;
done:
    lm_triples_free(e->ctx, &triples);
    leman_dataset_free(part);
    lm_arena_reset(&e->ctx->scratch, mark);
    return st;
}

leman_status lm_early_choose(lm_early *e, const leman_dataset *slice)
{
    leman_status st = LEMAN_OK;
    lm_arena_mark mark = lm_arena_now(&e->ctx->scratch);
    leman_dataset *sample = NULL;
    size_t which[SAMPLE_MOST], count = slice->graphs / SAMPLE_PART, bytes;
    bool alike[SAMPLE_MOST], any = false;
    if (e->asked) goto done;
    e->asked = true;
    for (size_t i = 0; i < e->kernels; i++) any = any || is_for(e->kernel + i);
    if (!any || count < SAMPLE_LEAST) goto done;
    if (!lm_dataset_block_size(slice, &bytes) || bytes > e->limit) goto done;
    if (count > SAMPLE_MOST) count = SAMPLE_MOST;
    for (size_t i = 0; i < count; i++) which[i] = i * (slice->graphs / count);
    TRY(mark_alike(e->ctx, slice, which, count, alike));
    TRY(lm_dataset_part(e->ctx, slice, count, which, &sample));
    for (size_t i = 0; i < e->kernels; i++)
        if (is_for(e->kernel + i)) TRY(ask(e, i, sample, alike));
    for (size_t i = 0; i < e->kernels; i++) TRY(ask_vertices(e, i, slice));
done:
    leman_dataset_free(sample);
    lm_arena_reset(&e->ctx->scratch, mark);
    return st;
}

/* ---- The first rounds ------------------------------------------------------------------------ */

/* Sums of each graph. */
static size_t sums_of(const lm_early *e, size_t i)
{
    return e->each ? later_rounds(e, i) : 1;
}

static size_t vertex_section(const lm_early *e, size_t i)
{
    return e->block[e->kernels] * LM_TRIPLE_LISTS + i;
}

/* The colours of vertices of the graphs that the sums are of, as a run. */
static leman_status add_vertices(const lm_early *e, size_t i, const leman_dataset *data, const lm_later_rounds *later,
                                 bool *known, size_t first, lm_shared_groups *groups)
{
    leman_status st = LEMAN_OK;
    lm_triples triples = {0};
    TRY(lm_triples_new(e->ctx, data->graphs, 1, &triples));
    TRY(lm_early_vertices(e->ctx, data, e->kernel + i, LM_EARLY_ROUNDS, later, known, &triples));
    TRY(lm_shared_groups_add(groups, vertex_section(e, i), &triples, 0, 0, first, NULL));
done:
    lm_triples_free(e->ctx, &triples);
    return st;
}

leman_status lm_early_fill(lm_early *e, size_t i, const leman_dataset *data, bool branches, lm_shared_groups *groups,
                           lm_triples *triples)
{
    leman_status st = LEMAN_OK;
    lm_arena_mark mark = lm_arena_now(&e->ctx->scratch);
    const leman_kernel *kernel = e->kernel + i;
    const leman_coloring coloring = leman_kernel_coloring(kernel);
    lm_vector *sum = e->sum + i;
    const size_t more = data->graphs * sums_of(e, i);
    bool *known;
    if (!e->early[i] || e->whole) return lm_kernel_fill(e->ctx, data, kernel, branches, 0, triples);
    TRY(lm_vector_reserve(e->ctx, sum, more, sizeof(uint64_t)));
    lm_later_rounds later = {e->exact[i], kernel->assignment, e->each, (uint64_t *)sum->items + sum->count, NULL};
    const size_t first = sum->count / sums_of(e, i);
    memset(later.sum, 0, more * sizeof *later.sum);
    sum->count += more;
    SCRATCH(e->ctx, known, data->graphs);
    if (by_vertices(e, i)) {
        TRY(add_vertices(e, i, data, &later, known, first, groups));
        later.known = known;
    }
    TRY(lm_triples_of_early_colors(e->ctx, data, &coloring, &later, triples));
done:
    lm_arena_reset(&e->ctx->scratch, mark);
    return st;
}

/* ---- The later rounds ------------------------------------------------------------------------ */

/* Those of some graphs of a slice, as runs. number: what they are among all. */
static leman_status add_later(const lm_early *e, size_t i, const leman_dataset *data, const size_t *number,
                              lm_shared_groups *groups)
{
    leman_status st = LEMAN_OK;
    const size_t blocks = lm_kernel_blocks(e->kernel + i, false);
    leman_dataset *part = NULL;
    lm_triples triples = {0};
    for (size_t first = 0, end; first < data->graphs; first = end) {
        end = lm_features_slice(data, e->kernel + i, 1, e->max, first);
        TRY(lm_features_part(e->ctx, data, first, end, &part));
        TRY(lm_triples_new(e->ctx, end - first, blocks, &triples));
        TRY(lm_kernel_fill(e->ctx, part ? part : data, e->kernel + i, false, 0, &triples));
        for (size_t b = e->exact[i] + 1; b < blocks; b++)
            for (size_t list = 0; list < LM_TRIPLE_LISTS; list++)
                TRY(lm_shared_groups_add(groups, (e->block[i] + b) * LM_TRIPLE_LISTS + list, &triples, b, list, 0,
                                         number + first));
        lm_triples_free(e->ctx, &triples);
        leman_dataset_free(part);
        part = NULL;
    }
done:
    lm_triples_free(e->ctx, &triples);
    leman_dataset_free(part);
    return st;
}

/* Those of the graphs of a slice that share; shares[graphs of all], or NULL: all do. */
static leman_status add_slice(const lm_early *e, size_t i, const kept *slice, const bool *shares,
                              lm_shared_groups *groups, bool *more)
{
    leman_status st = LEMAN_OK;
    lm_arena_mark mark = lm_arena_now(&e->ctx->scratch);
    leman_dataset *sharing = NULL;
    size_t *which, *number, count = 0;
    SCRATCH(e->ctx, which, slice->data->graphs);
    SCRATCH(e->ctx, number, slice->data->graphs);
    for (size_t g = 0; g < slice->data->graphs; g++) {
        if (shares && !shares[slice->first + g]) continue;
        number[count] = slice->first + g;
        which[count++] = g;
    }
    if (!count) goto done;
    *more = true;
    if (count < slice->data->graphs) TRY(lm_dataset_part(e->ctx, slice->data, count, which, &sharing));
    TRY(add_later(e, i, sharing ? sharing : slice->data, number, groups));
done:
    leman_dataset_free(sharing);
    lm_arena_reset(&e->ctx->scratch, mark);
    return st;
}

/* ---- Graphs that are kept -------------------------------------------------------------------- */

/* There is no memory to keep more: the later rounds of all graphs so far, and the others in one go. */
static leman_status give_up(lm_early *e, lm_shared_groups *groups)
{
    leman_status st = LEMAN_OK;
    const kept *slice = e->slice.items;
    bool more;
    for (size_t i = 0; i < e->kernels; i++) {
        for (size_t s = 0; e->early[i] && s < e->slice.count; s++) TRY(add_slice(e, i, slice + s, NULL, groups, &more));
        e->first[i] = e->kernel[i];
    }
    forget_graphs(e);
    e->whole = true;
done:
    return st;
}

/* The bytes that keeping a slice takes, with sums of its graphs while their array grows and marks. */
static uint64_t kept_bytes(const lm_early *e, const leman_dataset *data, bool own)
{
    enum { GROWING = 3 };
    size_t bytes = 0;
    if (own && !lm_dataset_block_size(data, &bytes)) bytes = SIZE_MAX;
    uint64_t all = bytes;
    for (size_t i = 0; i < e->kernels; i++)
        if (e->early[i]) all = lm_saturating_add(all, data->graphs * (GROWING * sums_of(e, i) * sizeof(uint64_t) + 1));
    return all;
}

leman_status lm_early_keep(lm_early *e, leman_stream *stream, const leman_dataset *slice, size_t first,
                           lm_shared_groups *groups)
{
    leman_status st = LEMAN_OK;
    kept one = {.data = slice, .first = first};
    bool any = false;
    for (size_t i = 0; i < e->kernels; i++) any = any || e->early[i];
    if (!any || e->whole) goto done;
    TRY(lm_vector_reserve(e->ctx, &e->slice, 1, sizeof one));
    one.own = lm_stream_take(stream);
    TRY(lm_vector_append(e->ctx, &e->slice, &one, 1, sizeof one));
    e->graphs = first + slice->graphs;
    e->held = lm_saturating_add(e->held, kept_bytes(e, slice, one.own));
    if (e->held > e->limit) TRY(give_up(e, groups));
done:
    return st;
}

/* ---- Graphs that share ----------------------------------------------------------------------- */

/* Marks the graphs of the groups of a section. */
static leman_status find_in_section(const lm_early *e, size_t section, const lm_shared_groups *groups, bool *shares)
{
    leman_status st = LEMAN_OK;
    lm_vector words = {0};
    for (uint64_t at = 0; at < groups->section[section].words;) {
        TRY(lm_shared_groups_read(groups, section, &at, GROUP_WORDS, &words));
        const uint64_t *word = words.items;
        for (size_t w = 0; w < words.count; w += (size_t)word[w] + 1)
            for (size_t j = 1; j <= word[w]; j++) shares[lm_pair_graph((lm_pair){0, word[w + j]})] = true;
        TRY(lm_progress_poll(e->ctx));
    }
done:
    lm_vector_free(e->ctx, &words);
    return st;
}

/* Marks the graphs that share a vertex, or a colour of the last of the first rounds. */
static leman_status find_sharing(const lm_early *e, size_t i, const lm_shared_groups *groups, bool *shares)
{
    leman_status st = LEMAN_OK;
    const size_t section = by_vertices(e, i) ? vertex_section(e, i) : (e->block[i] + e->exact[i]) * LM_TRIPLE_LISTS;
    const size_t sections = by_vertices(e, i) ? 1 : LM_TRIPLE_LISTS;
    memset(shares, false, e->graphs * sizeof *shares);
    for (size_t s = section; s < section + sections; s++) TRY(find_in_section(e, s, groups, shares));
done:
    return st;
}

leman_status lm_early_finish(lm_early *e, lm_shared_groups *groups, bool *more)
{
    leman_status st = LEMAN_OK;
    const kept *slice = e->slice.items;
    bool *shares = NULL;
    *more = false;
    if (!e->slice.count) goto done;
    NEW(e->ctx, shares, e->graphs);
    for (size_t i = 0; i < e->kernels; i++) {
        if (!e->early[i]) continue;
        TRY(find_sharing(e, i, groups, shares));
        for (size_t s = 0; s < e->slice.count; s++) TRY(add_slice(e, i, slice + s, shares, groups, more));
    }
    forget_graphs(e);
done:
    lm_free(e->ctx, shares);
    return st;
}

/* ---- Diagonals ------------------------------------------------------------------------------- */

size_t lm_early_counted(const lm_early *e, size_t block)
{
    size_t i = 0;
    while (e->block[i + 1] <= block) i++;
    return e->early[i] && block - e->block[i] > e->exact[i] ? e->graphs : 0;
}

void lm_early_add_self(const lm_early *e, const size_t *slot, size_t graphs, uint64_t *self)
{
    for (size_t i = 0; i < e->kernels; i++) {
        const uint64_t *sum = e->sum[i].items;
        const size_t sums = e->early[i] ? sums_of(e, i) : 0;
        for (size_t s = 0; s < sums; s++) {
            uint64_t *to = self + slot[e->block[i] + e->exact[i] + 1 + s] * graphs;
            for (size_t g = 0; g < e->graphs; g++) to[g] = lm_saturating_add(to[g], sum[g * sums + s]);
        }
    }
}
