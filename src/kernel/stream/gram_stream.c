/*
 * Gram matrices of graphs that are read some at a time, to a file.
 *
 * Each slice of the graphs is coloured once; its triples, sorted, wait in memory where the budget has room and behind
 * that in a temporary file, and the graphs are forgotten. Where few graphs have a colour of another after some rounds
 * they are kept instead, and the later rounds are merged of those few alone (early_rounds.h).
 * Behind the last slice the triples are merged by their keys, and only what graphs share is kept (shared_groups.h).
 * Then the matrix is made: at once where half of the budget holds it, otherwise some rows at a time, for each of which
 * everything that is shared is read again. Sums are exact and closed by the same formulas, so the bytes are those of
 * the matrix that is computed in memory.
 *
 * Memory: a slice of the graphs and its triples; then rows of the matrix, and about as much again. Of every graph its
 * name, class and targets, and 8 bytes a kernel (a round, where there is a matrix for every number of rounds), twice
 * where graphs are kept. Time: one refinement, two of graphs that are kept and share; an addition for every pair of
 * graphs that share a colour, twice as many where rows are made in parts.
 */
#include "base/arguments.h"
#include "base/ranks/ranks.h"
#include "base/text.h"
#include "graph/same_work.h"
#include "io/array/matrix.h"
#include "kernel/features.h"
#include "kernel/gram.h"
#include "kernel/kernel.h"
#include "kernel/required_inputs.h"
#include "kernel/stream/early_rounds.h"
#include <stdio.h>

/* Bytes that adding holds for each word of the groups at hand, and how many words these may be. */
enum { WORD_BYTES = 96, MIN_WORDS = 1 << 12, MAX_WORDS = 1 << 22 };

typedef struct making {
    leman_context *ctx;
    leman_stream *stream[2]; /* of rows, of columns; the second NULL: a square matrix */
    const leman_kernel *kernel;
    size_t kernels;
    bool normalize;
    bool every_round;        /* a matrix for each number of rounds of the one kernel */
    bool branches;           /* whose last round has a rule of its own */
    const char *const *path; /* [matrices]; NULL: that one is not written */
    size_t matrices;

    size_t *block; /* [kernels + 1]: its first one among those of all */
    lm_shared_groups groups;
    lm_early early;
    lm_required_inputs required[2];
    const leman_dataset *labels[2];
    size_t count[2];    /* graphs: rows, columns */
    uint64_t *self;     /* [slots][graphs]: parts of the diagonals; slots: blocks for every round, else kernels */
    size_t graphs;      /* of both streams */
    const size_t *slot; /* [blocks] */

    uint64_t budget;
    size_t rows;           /* at a time */
    lm_gram_entry *cell;   /* [rows][columns] */
    lm_gram_entry *second; /* the same, of another kernel or number of rounds; NULL: not needed */
    size_t words;          /* of groups at a time */
    lm_vector group;       /* uint64_t */
    lm_matrix_file *file;  /* [matrices] */
} making;

/* ---- Triples --------------------------------------------------------------------------------- */

/* The features of graphs first .. end - 1 of a slice, which are graphs m->graphs .. of all. */
static leman_status spill_part(making *m, const leman_dataset *slice, size_t first, size_t end)
{
    leman_status st = LEMAN_OK;
    lm_triples triples = {0};
    leman_dataset *part = NULL;
    TRY(lm_features_part(m->ctx, slice, first, end, &part));
    for (size_t i = 0; i < m->kernels; i++) {
        const size_t blocks = lm_kernel_blocks(m->early.first + i, m->branches);
        TRY(lm_triples_new(m->ctx, end - first, blocks, &triples));
        TRY(lm_early_fill(&m->early, i, part ? part : slice, m->branches, &m->groups, &triples));
        for (size_t list = 0; list < blocks * LM_TRIPLE_LISTS; list++)
            TRY(lm_shared_groups_add(&m->groups, m->block[i] * LM_TRIPLE_LISTS + list, &triples, list / LM_TRIPLE_LISTS,
                                     list % LM_TRIPLE_LISTS, m->graphs, NULL));
        lm_triples_free(m->ctx, &triples);
    }
    m->graphs += end - first;
    if (m->graphs >> (64 - LM_TRIPLE_VALUE_BITS))
        FAIL(m->ctx, LEMAN_ERROR_INPUT, "found %zu graph%s, expected fewer than 2^%d", m->graphs, lm_plural(m->graphs),
             64 - LM_TRIPLE_VALUE_BITS);
done:
    lm_triples_free(m->ctx, &triples);
    leman_dataset_free(part);
    return st;
}

/* What the kernels look at in a stream is what they look at in any of its slices. */
static void add_required(lm_required_inputs *all, lm_required_inputs more)
{
    const bool vertices = all->vertices || more.vertices, arcs = all->arcs || more.arcs;
    *all = more;
    all->vertices = vertices;
    all->arcs = arcs;
}

static leman_status spill_stream(making *m, int which)
{
    leman_status st = LEMAN_OK;
    const leman_dataset *slice;
    const size_t before = m->graphs;
    for (;;) {
        TRY(leman_stream_next(m->stream[which], &slice));
        TRY(lm_ranks_same_graphs(m->ctx, slice));
        if (!slice) break;
        add_required(m->required + which, lm_kernels_required_inputs(m->kernel, m->kernels, slice));
        TRY(lm_early_choose(&m->early, slice));
        const size_t graphs = m->graphs;
        for (size_t first = 0, end; first < slice->graphs; first = end) {
            end = lm_features_slice(slice, m->early.first, m->kernels, m->early.max, first);
            TRY(spill_part(m, slice, first, end));
        }
        TRY(lm_early_keep(&m->early, m->stream[which], slice, graphs, &m->groups));
    }
    TRY(leman_stream_labels(m->stream[which], m->labels + which));
    TRY(lm_ranks_same_graphs(m->ctx, m->labels[which]));
    m->count[which] = m->graphs - before;
done:
    return st;
}

static leman_status check_columns(making *m)
{
    leman_status st = LEMAN_OK;
    char as[LM_SENTENCE / 2];
    if (!m->stream[1]) goto done;
    snprintf(as, sizeof as, "as %s has", m->labels[0]->name);
    TRY(lm_required_inputs_check(m->ctx, m->labels[1]->name, m->required[1], m->required[0], as));
done:
    return st;
}

static leman_status spill_all(making *m)
{
    leman_status st = LEMAN_OK;
    for (int i = 0; i < 2 && m->stream[i]; i++) TRY(spill_stream(m, i));
    TRY(check_columns(m));
    if (!m->stream[1]) m->count[1] = m->count[0];
    lm_trim_memory();
done:
    return st;
}

/* ---- Diagonals ------------------------------------------------------------------------------- */

/* Adds entries to the diagonals of their graphs, whoever shares them. */
static void add_self(void *user, size_t section, const lm_pair *entry, size_t count)
{
    making *m = user;
    if (section >= m->block[m->kernels] * LM_TRIPLE_LISTS) return; /* vertices */
    const size_t slot = m->slot[section / LM_TRIPLE_LISTS];
    const uint64_t multiplicity = LM_MULTIPLICITY[section % LM_TRIPLE_LISTS];
    const bool minima = m->kernel[m->every_round ? 0 : slot].assignment;
    const size_t counted = lm_early_counted(&m->early, section / LM_TRIPLE_LISTS);
    uint64_t *self = m->self + slot * m->graphs;
    for (size_t i = 0; i < count; i++) {
        uint64_t value = lm_pair_value(entry[i]), *sum = self + lm_pair_graph(entry[i]);
        if (lm_pair_graph(entry[i]) < counted) continue;
        if (!minima) value = lm_saturating_multiply(value, value);
        *sum = lm_saturating_add(*sum, lm_saturating_multiply(multiplicity, value));
    }
}

static leman_status merge_all(making *m)
{
    leman_status st = LEMAN_OK;
    const size_t blocks = m->block[m->kernels], slots = m->every_round ? blocks : m->kernels;
    size_t *slot;
    bool more;
    SCRATCH(m->ctx, slot, blocks);
    for (size_t i = 0; i < m->kernels; i++)
        for (size_t b = m->block[i]; b < m->block[i + 1]; b++) slot[b] = m->every_round ? b : i;
    m->slot = slot;
    NEW(m->ctx, m->self, slots * m->graphs);
    memset(m->self, 0, slots * m->graphs * sizeof *m->self);
    const lm_merging how = {m->stream[1] ? m->count[0] : SIZE_MAX, add_self, m, m->labels[0]->name};
    TRY(lm_shared_groups_merge(&m->groups, &how));
    TRY(lm_early_finish(&m->early, &m->groups, &more));
    if (more) TRY(lm_shared_groups_merge(&m->groups, &how));
    lm_early_add_self(&m->early, slot, m->graphs, m->self);
done:
    return st;
}

/* ---- Some rows ------------------------------------------------------------------------------- */

/* Rows first .. of the matrix, and which graphs are their columns. */
typedef struct tile {
    size_t first, rows;
    bool whole; /* all rows of a square matrix: only what stands above the diagonal is added up */
} tile;

static leman_status begin_tile(making *m, const tile *t, size_t kernel, lm_gram_entry *cell, lm_gram *gram)
{
    leman_status st = LEMAN_OK;
    TRY(lm_gram_new(m->ctx, cell, t->rows, m->count[1], t->whole, m->kernel[kernel].assignment, gram));
    gram->first = t->first;
    gram->without = lm_table_values(t->rows) * sizeof(float) > lm_budget(m->ctx) / 4;
    lm_gram_begin(m->ctx, gram);
done:
    return st;
}

/* The number that a graph has among the rows and columns at hand; SIZE_MAX: none. */
static size_t row_of(const tile *t, size_t graph)
{
    return graph >= t->first && graph - t->first < t->rows ? graph - t->first : SIZE_MAX;
}

static size_t column_of(const making *m, const tile *t, size_t graph)
{
    if (!m->stream[1]) return t->rows + graph;
    return graph < m->count[0] ? SIZE_MAX : t->rows + graph - m->count[0];
}

/* Appends a group with new numbers for its graphs, if it has any in these rows. */
static size_t number_group(const making *m, const tile *t, const uint64_t *payload, size_t count, uint64_t key,
                           lm_pair *to)
{
    const uint64_t mask = (UINT64_C(1) << LM_TRIPLE_VALUE_BITS) - 1;
    size_t made = 0;
    for (size_t i = 0; i < count; i++) {
        const size_t graph = (size_t)(payload[i] >> LM_TRIPLE_VALUE_BITS), row = t->whole ? graph : row_of(t, graph);
        if (row != SIZE_MAX) to[made++] = (lm_pair){key, (uint64_t)row << LM_TRIPLE_VALUE_BITS | (payload[i] & mask)};
    }
    for (size_t i = 0; made && !t->whole && i < count; i++) {
        const size_t column = column_of(m, t, (size_t)(payload[i] >> LM_TRIPLE_VALUE_BITS));
        if (column != SIZE_MAX)
            to[made++] = (lm_pair){key, (uint64_t)column << LM_TRIPLE_VALUE_BITS | (payload[i] & mask)};
    }
    return made;
}

/* Adds the groups that are in memory. */
static leman_status add_groups(making *m, const tile *t, size_t list, lm_gram *gram)
{
    leman_status st = LEMAN_OK;
    const uint64_t *word = m->group.items;
    lm_pair *entry = NULL;
    size_t entries = 0;
    uint64_t key = 0;
    NEW(m->ctx, entry, (t->whole ? 1 : 2) * m->group.count);
    for (size_t i = 0; i < m->group.count; i += (size_t)word[i] + 1, key++)
        entries += number_group(m, t, word + i + 1, (size_t)word[i], key, entry + entries);
    lm_pair *taken = entry;
    entry = NULL;
    TRY(lm_gram_add_sorted(m->ctx, taken, entries, list, gram));
done:
    lm_free(m->ctx, entry);
    return st;
}

/* Adds a block to the cells and, where it is the first of its slot, to the diagonals. */
static leman_status add_block(making *m, const tile *t, size_t block, lm_gram *gram)
{
    leman_status st = LEMAN_OK;
    const uint64_t *self = m->self + m->slot[block] * m->graphs;
    for (size_t list = 0; list < LM_TRIPLE_LISTS; list++) {
        const size_t section = block * LM_TRIPLE_LISTS + list;
        for (uint64_t word = 0; word < m->groups.section[section].words;) {
            TRY(lm_shared_groups_read(&m->groups, section, &word, m->words, &m->group));
            TRY(add_groups(m, t, list, gram));
            TRY(lm_progress_poll(m->ctx));
        }
    }
    if (block && m->slot[block] == m->slot[block - 1]) goto done;
    for (size_t i = 0; i < t->rows; i++)
        gram->self[0][i].sum = lm_saturating_add(gram->self[0][i].sum, self[t->first + i]);
    const size_t first_column = m->stream[1] ? m->count[0] : 0;
    for (size_t j = 0; j < m->count[1]; j++)
        gram->self[1][j].sum = lm_saturating_add(gram->self[1][j].sum, self[first_column + j]);
done:
    return st;
}

/* Sums become reals. Cells of the diagonal are set here: they count what no other graph has too. */
static leman_status close_tile(const making *m, const tile *t, size_t kernel, lm_gram *gram)
{
    const size_t columns = m->count[1];
    for (size_t i = 0; !m->stream[1] && i < t->rows; i++) gram->cell[i * columns + t->first + i] = gram->self[0][i];
    return lm_gram_close(m->ctx, gram, m->kernel[kernel].weight, m->normalize && m->kernels == 1);
}

/* The sum of all kernels. */
static leman_status sum_kernels(making *m, const tile *t, double *row_self, double *column_self)
{
    leman_status st = LEMAN_OK;
    lm_gram gram = {0};
    for (size_t i = 0; i < m->kernels; i++) {
        const double weight = m->kernel[i].weight;
        TRY(begin_tile(m, t, i, i ? m->second : m->cell, &gram));
        for (size_t b = m->block[i]; b < m->block[i + 1]; b++) TRY(add_block(m, t, b, &gram));
        TRY(close_tile(m, t, i, &gram));
        for (size_t r = 0; r < t->rows; r++) row_self[r] += weight * gram.self[0][r].value;
        for (size_t j = 0; j < m->count[1]; j++) column_self[j] += weight * gram.self[1][j].value;
        for (size_t c = 0; i && c < t->rows * m->count[1]; c++) m->cell[c].value += m->second[c].value;
        lm_gram_free(m->ctx, &gram);
    }
    if (m->normalize && m->kernels > 1) {
        lm_gram all = {.rows = t->rows, .columns = m->count[1], .cell = m->cell};
        lm_gram_normalize(m->ctx, &all, row_self, column_self);
    }
    TRY(lm_matrix_rows(m->file, (const double *)(const void *)m->cell, t->rows));
done:
    lm_gram_free(m->ctx, &gram);
    return st;
}

/* Sums go from round to round; each number of rounds closes a copy. */
static leman_status sum_rounds(making *m, const tile *t)
{
    leman_status st = LEMAN_OK;
    lm_gram sum = {0}, now = {0};
    const size_t rounds = m->matrices - 1;
    TRY(begin_tile(m, t, 0, m->cell, &sum));
    for (size_t h = 0; h <= rounds; h++) {
        const bool branch = m->branches && h > 0;
        if (!branch) TRY(add_block(m, t, h, &sum));
        if (m->path[h]) {
            TRY(lm_gram_copy(m->ctx, &sum, m->second, &now));
            if (branch) TRY(add_block(m, t, rounds + h, &now));
            TRY(close_tile(m, t, 0, &now));
            TRY(lm_matrix_rows(m->file + h, (const double *)(const void *)m->second, t->rows));
            lm_gram_free(m->ctx, &now);
        }
        if (branch && h < rounds) TRY(add_block(m, t, h, &sum));
    }
done:
    lm_gram_free(m->ctx, &sum);
    lm_gram_free(m->ctx, &now);
    return st;
}

/* ---- The matrix ------------------------------------------------------------------------------ */

/* As many rows as half of the budget holds. */
static leman_status choose_rows(making *m)
{
    leman_status st = LEMAN_OK;
    char needed[LM_NUMBER_TEXT], available[LM_BUDGET_TEXT];
    const size_t columns = m->count[1];
    const bool two = m->every_round || m->kernels > 1;
    const uint64_t row = lm_saturating_multiply(two ? 2 : 1, lm_saturating_multiply(columns, sizeof *m->cell));
    if (row > m->budget / 2)
        FAIL(m->ctx, LEMAN_ERROR_BUDGET,
             "a row of %zu numbers and what filling it holds need %s, the memory budget is %s", columns,
             lm_bytes_text(lm_saturating_multiply(2, row), needed), lm_budget_text(m->ctx, m->budget, available));
    if (!m->rows || (row && m->rows > m->budget / 2 / row)) m->rows = row ? (size_t)(m->budget / 2 / row) : m->count[0];
    if (m->rows > m->count[0]) m->rows = m->count[0];
    if ((m->rows + columns) >> (64 - LM_TRIPLE_VALUE_BITS))
        FAIL(m->ctx, LEMAN_ERROR_INPUT, "found %zu graph%s, expected fewer than 2^%d", columns, lm_plural(columns),
             63 - LM_TRIPLE_VALUE_BITS);
    NEW(m->ctx, m->cell, m->rows * columns);
    if (two) NEW(m->ctx, m->second, m->rows * columns);
    m->words = lm_budget(m->ctx) / 4 / WORD_BYTES;
    m->words = m->words < MIN_WORDS ? MIN_WORDS : m->words > MAX_WORDS ? MAX_WORDS : m->words;
done:
    return st;
}

static leman_status make_rows(making *m)
{
    leman_status st = LEMAN_OK;
    lm_arena_mark mark = lm_arena_now(&m->ctx->scratch);
    double *row_self, *column_self;
    SCRATCH(m->ctx, row_self, m->rows);
    SCRATCH(m->ctx, column_self, m->count[1]);
    for (size_t first = 0; first < m->count[0]; first += m->rows) {
        const size_t left = m->count[0] - first;
        const tile t = {first, left < m->rows ? left : m->rows, !m->stream[1] && m->rows == m->count[0]};
        memset(row_self, 0, t.rows * sizeof *row_self);
        memset(column_self, 0, m->count[1] * sizeof *column_self);
        lm_progress_begin(m->ctx, 0, "adding up rows %zu to %zu of %zu", first, first + t.rows - 1, m->count[0]);
        if (m->every_round)
            TRY(sum_rounds(m, &t));
        else
            TRY(sum_kernels(m, &t, row_self, column_self));
    }
done:
    lm_arena_reset(&m->ctx->scratch, mark);
    return st;
}

static leman_status write_matrices(making *m)
{
    leman_status st = LEMAN_OK;
    m->budget = lm_budget(m->ctx);
    TRY(lm_ranks_min(m->ctx, &m->budget)); /* all ranks take the same rows */
    TRY(choose_rows(m));
    for (size_t i = 0; i < m->matrices; i++)
        if (m->path[i])
            TRY(lm_matrix_open(m->ctx, m->path[i], m->count[0], m->count[1], m->labels[0]->class_label, m->file + i));
    TRY(make_rows(m));
    for (size_t i = 0; i < m->matrices; i++)
        if (m->path[i]) TRY(lm_matrix_commit(m->file + i));
done:
    return st;
}

static const char *first_path(const making *m)
{
    size_t i = 0;
    while (i + 1 < m->matrices && !m->path[i]) i++;
    return m->path[i];
}

static leman_status make(making *m)
{
    leman_status st = LEMAN_OK;
    leman_context *ctx = m->ctx;
    lm_arena_mark mark = lm_arena_now(&ctx->scratch);
    lm_ranks_begin(ctx);
    TRY(lm_ranks_same_work(ctx, lm_kernels_checksum(m->kernel, m->kernels) + m->normalize, NULL, NULL));
    SCRATCH(ctx, m->block, m->kernels + 1);
    SCRATCH(ctx, m->file, m->matrices);
    memset(m->file, 0, m->matrices * sizeof *m->file);
    m->block[0] = 0;
    for (size_t i = 0; i < m->kernels; i++)
        m->block[i + 1] = m->block[i] + lm_kernel_blocks(m->kernel + i, m->branches);
    const uint64_t max = lm_features_slice_max(ctx, 1), memory = lm_features_spill_memory(ctx, max, 1);
    TRY(lm_shared_groups_open(ctx, first_path(m), memory, lm_early_sections(m->block, m->kernels), &m->groups));
    m->early = (lm_early){.ctx = ctx,
                          .kernel = m->kernel,
                          .kernels = m->kernels,
                          .block = m->block,
                          .each = m->every_round,
                          .max = max,
                          .limit = memory};
    TRY(lm_early_begin(&m->early, !m->stream[1]));
    TRY(spill_all(m));
    TRY(merge_all(m));
    TRY(write_matrices(m));
done:
    st = lm_ranks_end(ctx, st);
    for (size_t i = 0; m->file && i < m->matrices; i++) lm_matrix_abort(m->file + i);
    lm_early_end(&m->early);
    lm_shared_groups_close(&m->groups);
    lm_vector_free(ctx, &m->group);
    lm_free(ctx, m->self);
    lm_free(ctx, m->cell);
    lm_free(ctx, m->second);
    lm_arena_reset(&ctx->scratch, mark);
    return st;
}

/* ---- For the caller -------------------------------------------------------------------------- */

/* Kernels of the caller in normal form, with numbers of rounds, in the context's scratch. */
static leman_status prepare(leman_context *ctx, const leman_kernel *kernels, size_t count, leman_kernel **out)
{
    leman_status st = LEMAN_OK;
    leman_kernel *copy;
    TRY(lm_kernels_copy(ctx, kernels, count, &copy));
    for (size_t i = 0; i < count; i++) {
        if (copy[i].kind == LEMAN_KERNEL_KIND_COLORS && copy[i].rounds == LEMAN_STABLE)
            FAIL(ctx, LEMAN_ERROR_ARGUMENT,
                 "found rounds until nothing splits, expected a number of them for a stream");
        TRY(lm_kernel_check(ctx, copy + i, copy + i));
    }
    *out = copy;
done:
    return st;
}

leman_status lm_gram_stream(leman_context *ctx, leman_stream *stream, leman_stream *against,
                            const leman_kernel *kernels, size_t count, bool normalize, size_t rows, const char *path)
{
    leman_status st = LEMAN_OK;
    lm_arena_mark mark = lm_arena_now(&ctx->scratch);
    leman_kernel *normal = NULL;
    TRY(prepare(ctx, kernels, count, &normal));
    TRY(make(&(making){.ctx = ctx,
                       .stream = {stream, against},
                       .kernel = normal,
                       .kernels = count,
                       .normalize = normalize,
                       .path = &path,
                       .matrices = 1,
                       .rows = rows}));
done:
    lm_arena_reset(&ctx->scratch, mark);
    return st;
}

leman_status leman_gram_save_stream(leman_context *ctx, leman_stream *stream, leman_stream *against,
                                    const leman_kernel *kernels, size_t count, bool normalize, const char *path)
{
    leman_status st = LEMAN_OK;
    REQUIRE(ctx, stream);
    REQUIRE(ctx, kernels);
    TRY(leman_matrix_check(ctx, path));
    TRY(lm_gram_stream(ctx, stream, against, kernels, count, normalize, 0, path));
done:
    return st;
}

leman_status lm_gram_rounds_stream(leman_context *ctx, leman_stream *stream, leman_stream *against,
                                   const leman_kernel *kernel, bool normalize, size_t rows, const char *const *paths)
{
    leman_status st = LEMAN_OK;
    lm_arena_mark mark = lm_arena_now(&ctx->scratch);
    leman_kernel *normal = NULL;
    size_t wanted = 0;
    TRY(prepare(ctx, kernel, 1, &normal));
    if (normal->kind != LEMAN_KERNEL_KIND_COLORS)
        FAIL(ctx, LEMAN_ERROR_ARGUMENT, "kind of a kernel: found %s, expected colors: only colourings have rounds",
             leman_kernel_kind_name(normal->kind));
    for (size_t h = 0; h <= normal->rounds; h++) {
        if (paths[h]) TRY(leman_matrix_check(ctx, paths[h]));
        wanted += paths[h] != NULL;
    }
    if (!wanted) FAIL(ctx, LEMAN_ERROR_ARGUMENT, "paths: found none, expected one for some number of rounds");
    TRY(make(&(making){.ctx = ctx,
                       .stream = {stream, against},
                       .kernel = normal,
                       .kernels = 1,
                       .normalize = normalize,
                       .every_round = true,
                       .branches = lm_kernel_branches(normal),
                       .path = paths,
                       .matrices = normal->rounds + (size_t)1,
                       .rows = rows}));
done:
    lm_arena_reset(&ctx->scratch, mark);
    return st;
}

leman_status leman_gram_rounds_save_stream(leman_context *ctx, leman_stream *stream, leman_stream *against,
                                           const leman_kernel *kernel, bool normalize, const char *const *paths)
{
    leman_status st = LEMAN_OK;
    REQUIRE(ctx, stream);
    REQUIRE(ctx, kernel);
    REQUIRE(ctx, paths);
    TRY(lm_gram_rounds_stream(ctx, stream, against, kernel, normalize, 0, paths));
done:
    return st;
}
