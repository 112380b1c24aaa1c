/*
 * Sparse feature vectors: phi(G) = sqrt(weight) * [phi_0(G), ..., phi_H(G)] for every kernel of a sum, side by side.
 *
 * Each kernel gives a triple for every colour of every graph. The entries of a block (a round), sorted by key, get
 * their columns: new columns in the order of keys, columns of an earlier matrix by a parallel walk over both lists, or
 * folded columns by hash. Blocks come in the order of their columns, so every row is filled from left to right. Only
 * folded rows must be sorted, and entries of equal columns added.
 *
 * Time: refinement, a radix sort of all entries, one pass to place them. Memory: 16 bytes an entry, plus the result.
 */
#include "base/arguments.h"
#include "base/context.h"
#include "base/hash.h"
#include "base/ranks/ranks.h"
#include "graph/same_work.h"
#include "kernel/features/feature_origin.h"
#include "kernel/features/features.h"
#include "kernel/gram/gram_ranks.h"
#include <math.h>
#include <omp.h>

/* The entries of one block with their columns: (column, graph << LM_TRIPLE_VALUE_BITS | value). */
typedef struct entry_block {
    lm_pair *entry;
    size_t count;
    double scale; /* square root of the kernel's weight; the weight itself if `minima` */
    bool minima;  /* the kernel is a sum of minima */
} entry_block;

typedef struct computation {
    leman_context *ctx;
    const leman_feature_options *options;
    const char *name; /* of the data */
    bool compact;     /* the colours of an orbit share one column */
    bool expanded;    /* although compact, the colours of an orbit have columns of their own */
    bool branches;    /* every number of rounds at once */
    bool lengths;     /* `square` is needed */
    size_t graphs, first_graph;
    entry_block *block; /* [blocks] of all kernels, in the order of their columns */
    size_t blocks;
    uint64_t *start;   /* [graphs + 1]: 0, then the number of entries with a column of each graph; not owned */
    double *square;    /* [graphs] squared lengths (kernel with itself), including entries without a column */
    lm_vector feature; /* leman_feature: the new columns */
    uint64_t out_of_vocabulary;
} computation;

LM_OPTIONS(leman_feature_options, options, 0)

/* ---- Columns of a block ---------------------------------------------------------------------- */

static leman_status new_columns(computation *t, leman_feature feature, entry_block *b)
{
    size_t different = 0;
    for (size_t i = 0; i < b->count; i++) different += !i || b->entry[i].key != b->entry[i - 1].key;
    PASS(lm_vector_reserve(t->ctx, &t->feature, different, sizeof feature));
    if (t->feature.count + different > UINT32_MAX)
        return lm_fail(t->ctx, LEMAN_ERROR_BUDGET,
                       "%s: found more than 2^32 different features; fold them with hash bits", t->name);
    leman_feature *named = t->feature.items;
    size_t columns = t->feature.count;
    for (size_t i = 0; i < b->count; i++) { /* branch-free: whether keys repeat cannot be predicted */
        columns += !i || b->entry[i].key != feature.key;
        feature.key = b->entry[i].key;
        named[columns - 1] = feature;
        b->entry[i].key = columns - 1;
        t->start[lm_pair_graph(b->entry[i]) + 1]++;
    }
    t->feature.count = columns;
    return LEMAN_OK;
}

static leman_status known_columns(computation *t, leman_feature feature, entry_block *b)
{
    const lm_map_block known = lm_column_keys(t->options->columns, feature.kernel, feature.round);
    size_t at = 0, kept = 0;
    for (size_t i = 0; i < b->count; i++) {
        uint64_t key = b->entry[i].key;
        while (at < known.count && known.key[at * known.step] < key) at++;
        bool found = at < known.count && known.key[at * known.step] == key;
        if (!found && t->options->refuse_out_of_vocabulary)
            return lm_fail(t->ctx, LEMAN_ERROR_INPUT,
                           "%s: graph %zu has feature %016llx in round %u of kernel %u, expected only features that "
                           "have a column",
                           t->name, t->first_graph + lm_pair_graph(b->entry[i]), (unsigned long long)key, feature.round,
                           feature.kernel);
        t->out_of_vocabulary += !found;
        t->start[lm_pair_graph(b->entry[i]) + 1] += found;
        if (found) b->entry[kept++] = (lm_pair){known.first + at, b->entry[i].payload};
    }
    b->count = kept;
    return LEMAN_OK;
}

/* column = mix(key + multiplier(kernel << 32 | round)) / 2^(64 - bits). Like colours, part of the published format. */
static void folded_columns(computation *t, leman_feature feature, entry_block *b)
{
    uint64_t shift = lm_multiplier((uint64_t)feature.kernel << 32 | feature.round);
    for (size_t i = 0; i < b->count; i++) {
        b->entry[i].key = lm_mix(b->entry[i].key + shift) >> (64 - t->options->hash_bits);
        t->start[lm_pair_graph(b->entry[i]) + 1]++;
    }
}

static leman_status name_columns(computation *t, leman_feature feature, entry_block *b)
{
    for (size_t i = 0; t->lengths && i < b->count; i++) {
        double value = b->scale * (double)lm_pair_value(b->entry[i]);
        t->square[lm_pair_graph(b->entry[i])] += b->minima ? value : value * value;
    }
    if (t->options->columns) return known_columns(t, feature, b);
    if (!t->options->hash_bits) return new_columns(t, feature, b);
    folded_columns(t, feature, b);
    return LEMAN_OK;
}

static leman_status add_kernel(computation *t, const leman_dataset *data, const leman_kernel *kernel, uint32_t number)
{
    AUTO(lm_triples_free) lm_triples triples = {0};
    bool branches = t->branches && lm_kernel_branches(kernel);
    uint32_t lists = t->compact ? LM_TRIPLE_LISTS : 1;
    PASS(lm_triples_new(t->ctx, data->graphs, lm_kernel_blocks(kernel, branches), &triples));
    triples.expanded = !t->compact || (t->expanded && kernel->coloring.k > 1);
    PASS(lm_kernel_fill_ranks(t->ctx, data, kernel, branches, 0, &triples));
    for (uint32_t place = 0; place < triples.blocks * lists; place++) {
        entry_block *b = t->block + t->blocks++;
        double weight = lm_kernel_factor(kernel) * LM_MULTIPLICITY[place % lists];
        b->minima = kernel->assignment;
        b->scale = b->minima ? weight : sqrt(weight);
        PASS(lm_triples_sort(t->ctx, &triples, place / lists, place % lists, &b->entry, &b->count));
        PASS(name_columns(t, (leman_feature){number, place, 0}, b));
    }
    return LEMAN_OK;
}

/* ---- Rows ------------------------------------------------------------------------------------ */

/* Fills the rows, in the order of blocks, and frees each block after it is placed. */
static leman_status place_rows(computation *t, leman_features *f)
{
    SCRATCH_SCOPE(t->ctx);
    uint64_t *next;
    PASS_SCRATCH(t->ctx, next, t->graphs);
    for (size_t g = 0; g < t->graphs; g++) {
        next[g] = f->start[g];
        f->start[g + 1] += f->start[g];
    }
    f->entries = f->start[t->graphs];
    PASS_NEW(t->ctx, f->column, f->entries);
    PASS_NEW(t->ctx, f->value, f->entries);
    for (entry_block *b = t->block; b < t->block + t->blocks; b++) {
        for (size_t i = 0; i < b->count; i++) {
            uint64_t at = next[lm_pair_graph(b->entry[i])]++;
            f->column[at] = (uint32_t)b->entry[i].key;
            f->value[at] = b->scale * (double)lm_pair_value(b->entry[i]);
        }
        lm_release(b->entry);
        b->entry = NULL;
    }
    return LEMAN_OK;
}

/* Sorts a row of `count` entries and adds the values of equal columns, in the order of blocks and keys, so that the sum
 * is reproducible. Returns the number of entries left. work[2 * count] is scratch. */
static size_t fold_row(uint32_t *column, double *value, size_t count, lm_pair *work, int threads)
{
    size_t left = 0;
    for (size_t i = 0; i < count; i++) {
        work[i].key = column[i];
        memcpy(&work[i].payload, value + i, sizeof *value);
    }
    lm_sort_pairs(work, work + count, count, threads);
    for (size_t i = 0; i < count; i++) {
        double part;
        memcpy(&part, &work[i].payload, sizeof part);
        if (left && column[left - 1] == work[i].key) {
            value[left - 1] += part;
        } else {
            column[left] = (uint32_t)work[i].key;
            value[left++] = part;
        }
    }
    return left;
}

/* Folds every row, then closes the gaps between rows. Squared lengths become those of the folded rows. */
static leman_status fold_rows(computation *t, leman_features *f)
{
    uint64_t longest = 0, at = 0;
    int threads = t->ctx->settings.threads;
    AUTO(lm_release_at) lm_pair *work = NULL;
    AUTO(lm_release_at) size_t *left = NULL;
    for (size_t g = 0; g < f->rows; g++)
        if (f->start[g + 1] - f->start[g] > longest) longest = f->start[g + 1] - f->start[g];
    bool alone = longest * (uint64_t)threads > f->entries; /* few long rows: all threads sort each row together */
    PASS_NEW(t->ctx, left, f->rows);
    PASS_NEW(t->ctx, work, 2 * longest * (alone ? 1 : (uint64_t)threads));
#pragma omp parallel for schedule(dynamic, 16) num_threads(threads) if (!alone)
    for (size_t g = 0; g < f->rows; g++) {
        lm_pair *own = work + 2 * longest * (uint64_t)omp_get_thread_num();
        uint64_t first = f->start[g];
        left[g] = fold_row(f->column + first, f->value + first, f->start[g + 1] - first, own, alone ? threads : 1);
        t->square[g] = 0;
        for (uint64_t e = first; e < first + left[g]; e++) t->square[g] += f->value[e] * f->value[e];
    }
    for (size_t g = 0; g < f->rows; g++) {
        memmove(f->column + at, f->column + f->start[g], left[g] * sizeof *f->column);
        memmove(f->value + at, f->value + f->start[g], left[g] * sizeof *f->value);
        f->start[g] = at;
        at += left[g];
    }
    f->entries = f->start[f->rows] = at;
    return LEMAN_OK;
}

static void normalize(const computation *t, leman_features *f)
{
    for (size_t g = 0; g < f->rows; g++) {
        double length = sqrt(t->square[g]);
        for (uint64_t e = f->start[g]; e < f->start[g + 1]; e++) f->value[e] /= length; /* not 0 if there are entries */
    }
}

static void release_columns(computation *t)
{
    for (size_t b = 0; b < t->blocks; b++) lm_release(t->block[b].entry);
    lm_vector_release(&t->feature);
}

static leman_status compute_features(computation given, const leman_dataset *data, const leman_kernel *normal,
                                     size_t count, double *self, leman_features *out)
{
    leman_context *ctx = given.ctx;
    SCRATCH_SCOPE(ctx);
    AUTO(release_columns) computation t = given;
    AUTO(lm_features_clear) leman_features f = {.rows = data->graphs};
    const leman_feature_options *options = t.options;
    size_t blocks = 0;
    t.name = data->name;
    t.graphs = data->graphs;
    t.lengths = self || options->normalize;
    for (size_t i = 0; i < count; i++)
        blocks += lm_kernel_blocks(normal + i, t.branches && lm_kernel_branches(normal + i)) *
                  (t.compact ? LM_TRIPLE_LISTS : 1);
    PASS_SCRATCH_ZERO(ctx, t.block, blocks);
    PASS_SCRATCH_ZERO(ctx, t.square, t.graphs);
    PASS_NEW_ZERO(ctx, f.start, t.graphs + 1);
    t.start = f.start;
    for (size_t i = 0; i < count; i++) PASS(add_kernel(&t, data, normal + i, (uint32_t)i));
    size_t entries = 0;
    for (size_t b = 0; b < t.blocks; b++) entries += t.block[b].count;
    if (entries > lm_budget(ctx) / 128) lm_trim_memory(); /* returns the memory of triples before rows are allocated */
    PASS(place_rows(&t, &f));
    if (options->hash_bits) PASS(fold_rows(&t, &f));
    if (options->normalize) normalize(&t, &f);
    f.columns = options->columns     ? options->columns->columns
                : options->hash_bits ? (size_t)1 << options->hash_bits
                                     : t.feature.count;
    if (!options->columns && !options->hash_bits) {
        f.feature = t.feature.items;
        t.feature = (lm_vector){0};
        if (!f.feature) PASS_NEW(ctx, f.feature, 0); /* not NULL even without columns, since columns are named */
    }
    f.out_of_vocabulary = t.out_of_vocabulary;
    if (self) memcpy(self, t.square, t.graphs * sizeof *self);
    return HAND_OVER(out, f);
}

leman_status lm_features_of(leman_context *ctx, const leman_dataset *data, const leman_kernel *normal, size_t count,
                            const leman_feature_options *options, size_t first_graph, leman_features *out)
{
    return compute_features((computation){.ctx = ctx, .options = options, .first_graph = first_graph}, data, normal,
                            count, NULL, out);
}

leman_status lm_features_compact(leman_context *ctx, const leman_dataset *data, const leman_kernel *normal,
                                 size_t count, bool branches, const leman_features *known, double *self,
                                 leman_features *out)
{
    const leman_feature_options options = {.columns = known};
    const computation t = {.ctx = ctx,
                           .options = &options,
                           .compact = true,
                           .expanded = known && lm_features_expanded(known),
                           .branches = branches};
    return compute_features(t, data, normal, count, self, out);
}

bool lm_features_expanded(const leman_features *known)
{
    for (size_t c = 0; c < known->columns; c++)
        if (known->feature[c].round % LM_TRIPLE_LISTS) return false;
    return true;
}

/* ---- For the caller -------------------------------------------------------------------------- */

leman_status lm_columns_check(leman_context *ctx, const leman_features *known)
{
    if (!known->feature)
        return lm_fail(ctx, LEMAN_ERROR_ARGUMENT,
                       "found features without names of columns, expected columns that can be used again");
    for (size_t i = 1; i < known->columns; i++)
        if (!lm_feature_before(known->feature[i - 1], known->feature[i]))
            return lm_fail(ctx, LEMAN_ERROR_ARGUMENT, "column %zu is not behind the one before it", i);
    return LEMAN_OK;
}

static leman_status check_options(leman_context *ctx, const leman_feature_options *options)
{
    const leman_features *known = options->columns;
    if (options->hash_bits > 31)
        return lm_fail(ctx, LEMAN_ERROR_ARGUMENT, "hash bits: found %u, expected 1 to 31", options->hash_bits);
    if (known && options->hash_bits)
        return lm_fail(ctx, LEMAN_ERROR_ARGUMENT, "found both columns and hash bits, expected one of them");
    if (options->keep && (known || options->hash_bits))
        return lm_fail(ctx, LEMAN_ERROR_ARGUMENT, "found columns that are fixed or folded, expected new ones to keep");
    return known ? lm_columns_check(ctx, known) : LEMAN_OK;
}

static leman_status normal_forms(leman_context *ctx, const leman_kernel *kernels, size_t count, bool normalized,
                                 leman_kernel **out)
{
    leman_kernel *normal;
    PASS_SCRATCH(ctx, normal, count);
    for (size_t i = 0; i < count; i++) {
        PASS(lm_kernel_check(ctx, kernels + i, normal + i));
        if (normal[i].assignment)
            return lm_fail(
                ctx, LEMAN_ERROR_ARGUMENT,
                "an assignment kernel is a sum of minima and has no feature vectors of counts; expected one with "
                "products, or its Gram matrix");
        if (lm_kernel_is_of_pairs(normal + i)) return lm_pairs_refuse(ctx, normal + i, "feature vectors");
        PASS(lm_projections_refuse(ctx, normal + i));
    }
    if (normalized && count && normal->normalization)
        return lm_fail(
            ctx, LEMAN_ERROR_ARGUMENT,
            "found rows normalised by Tanimoto, which is no product of rows; expected cosine, or a Gram matrix");
    *out = normal;
    return LEMAN_OK;
}

leman_status lm_features_prepare(leman_context *ctx, const leman_kernel *kernels, size_t count,
                                 const leman_feature_options *options, leman_kernel **normal)
{
    PASS(check_options(ctx, options));
    return normal_forms(ctx, kernels, count, options->normalize, normal);
}

/* Returns a checksum of the options, the columns that they fix and the kernels, without the names of files. */
static uint64_t options_checksum(const leman_kernel *kernels, size_t count, const leman_feature_options *options)
{
    const leman_features *known = options->columns;
    const uint64_t members[] = {
        options->normalize,    options->refuse_out_of_vocabulary, options->hash_bits, options->apex,
        options->keep != NULL, options->column_table != NULL,     known != NULL,      known ? known->columns : 0};
    uint64_t sum = lm_checksum(members, sizeof members, lm_kernels_checksum(kernels, count));
    for (size_t c = 0; known && known->feature && c < known->columns; c++) {
        const leman_feature *f = known->feature + c;
        const uint64_t name[] = {f->kernel, f->round, f->key};
        sum = lm_checksum(name, sizeof name, sum);
    }
    return sum;
}

leman_status lm_features_prepare_for(leman_context *ctx, const leman_dataset *data, const leman_kernel *kernels,
                                     size_t count, const leman_feature_options *options, leman_kernel **normal)
{
    leman_kernel *copy;
    PASS(check_options(ctx, options));
    PASS(lm_kernels_copy(ctx, kernels, count, &copy));
    PASS(lm_ranks_same_work(ctx, options_checksum(copy, count, options), data, NULL));
    for (size_t i = 0; !data && i < count; i++)
        if (copy[i].kind == LEMAN_KERNEL_KIND_COLORS && copy[i].coloring.rounds == LEMAN_STABLE)
            return lm_fail(ctx, LEMAN_ERROR_ARGUMENT,
                           "found rounds until nothing splits, expected a number of them for a stream");
    if (!data && options->apex)
        return lm_fail(ctx, LEMAN_ERROR_ARGUMENT, "found apex, expected a stream as it is read");
    PASS(lm_kernels_resolve(ctx, data, copy, count));
    return normal_forms(ctx, copy, count, options->normalize, normal);
}

void lm_features_log(leman_context *ctx, const leman_dataset *data, const leman_features *f)
{
    if (f->out_of_vocabulary && !f->entries)
        lm_log(ctx, "%s: left out all %llu %s: no feature of these graphs has a column", data->name,
               (unsigned long long)f->out_of_vocabulary, lm_plural_of(f->out_of_vocabulary, "entry", "entries"));
    else if (f->out_of_vocabulary)
        lm_log(ctx, "%s: left out %llu of %llu %s, whose features have no column", data->name,
               (unsigned long long)f->out_of_vocabulary, (unsigned long long)(f->out_of_vocabulary + f->entries),
               lm_plural_of((f->out_of_vocabulary + f->entries), "entry", "entries"));
}

/* Computes the features of kernels in normal form, with blocks and origin. */
static leman_status compute(leman_context *ctx, const leman_dataset *data, const leman_kernel *normal, size_t count,
                            const leman_feature_options *options, leman_features *f)
{
    AUTO(lm_origin_free) leman_feature_origin origin = {0};
    PASS(lm_origin_of_columns(ctx, data, normal, count, options, &origin));
    PASS(lm_features_of(ctx, data, normal, count, options, 0, f));
    if (!options->hash_bits)
        PASS(lm_column_blocks(ctx, normal, count, NULL, options->columns ? options->columns : f, f));
    lm_features_log(ctx, data, f);
    return HAND_OVER(&f->origin, origin);
}

leman_status leman_features_compute(leman_context *ctx, const leman_dataset *data, const leman_kernel *kernels,
                                    size_t count, const leman_feature_options *asked, leman_features **out)
{
    leman_feature_options options = leman_feature_options_default();
    leman_kernel *normal;
    REQUIRE(ctx, data, kernels, out);
    PASS(lm_options_copy(ctx, "leman_feature_options", asked, &options, sizeof options));
    SCRATCH_SCOPE(ctx);
    AUTO(lm_features_clear) leman_features f = {0};
    lm_ranks_begin(ctx);
    leman_status st = lm_features_prepare_for(ctx, data, kernels, count, &options, &normal);
    if (!st) st = compute(ctx, data, normal, count, &options, &f);
    PASS(lm_ranks_end(ctx, st));
    return lm_features_own(ctx, &f, out);
}

/* ---- Some rows ------------------------------------------------------------------------------- */

leman_status lm_features_select(leman_context *ctx, const leman_features *f, lm_mapped *mapped, const size_t *row,
                                size_t count, leman_features *out)
{
    SCRATCH_SCOPE(ctx);
    AUTO(lm_features_clear) leman_features kept = {.rows = count};
    uint32_t *place; /* first 1 if a column occurs, then its new number */
    PASS_SCRATCH_ZERO(ctx, place, f->columns);
    PASS_NEW(ctx, kept.start, count + 1);
    kept.start[0] = 0;
    for (size_t i = 0; i < count; i++)
        kept.start[i + 1] = kept.start[i] + f->start[(row ? row[i] : i) + 1] - f->start[row ? row[i] : i];
    kept.entries = kept.start[count];
    PASS_NEW(ctx, kept.column, kept.entries);
    PASS_NEW(ctx, kept.value, kept.entries);
    PASS_NEW(ctx, kept.feature, f->columns);
    for (size_t i = 0; i < count; i++) {
        const uint64_t from = f->start[row ? row[i] : i], to = kept.start[i], entries = kept.start[i + 1] - to;
        lm_mapped_touch(mapped, f->column + from, entries * sizeof *f->column);
        lm_mapped_touch(mapped, f->value + from, entries * sizeof *f->value);
        memcpy(kept.column + to, f->column + from, entries * sizeof *f->column);
        memcpy(kept.value + to, f->value + from, entries * sizeof *f->value);
    }
    for (size_t e = 0; e < kept.entries; e++) place[kept.column[e]] = 1;
    for (size_t c = 0; c < f->columns; c++) {
        if (!place[c]) continue;
        place[c] = (uint32_t)kept.columns;
        kept.feature[kept.columns++] = f->feature[c];
    }
    for (size_t e = 0; e < kept.entries; e++) kept.column[e] = place[kept.column[e]];
    return HAND_OVER(out, kept);
}

/* ---- Ownership ------------------------------------------------------------------------------- */

void lm_features_clear(leman_features *f)
{
    RELEASE(f->start, f->column, f->value, f->feature, f->block, f->class_label, f->target);
    lm_origin_free(&f->origin);
    *f = (leman_features){0};
}

leman_status lm_features_own(leman_context *ctx, leman_features *f, leman_features **out)
{
    leman_features *object;
    PASS_NEW(ctx, object, 1);
    *out = object;
    return HAND_OVER(object, *f);
}

void leman_features_free(leman_features *f)
{
    if (!f) return;
    lm_features_clear(f);
    lm_release(f);
}
