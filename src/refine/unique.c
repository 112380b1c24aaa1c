/*
 * The first graph of every class of graphs with the same hash, of a colouring or of the canonical form.
 *
 *   1. Graphs are read slice by slice and hashed. (hash, number) goes to a sort by hash; lines go to a temporary file.
 *   2. Graphs of one hash are adjacent then, in the order of their numbers. For each class (first, count, hash) goes to
 *      a sort by the number of the first graph.
 *   3. The classes come in the order of their first graphs, which is that of the lines: one pass copies what is kept.
 *
 * Neither sort needs memory for all graphs (base/external_sort.h). An input that is read at once stays in memory as a
 * data set, from which the first graphs are selected.
 */
#include "base/arguments.h"
#include "base/drop.h"
#include "base/external_sort.h"
#include "graph/dataset.h"
#include "io/stream/stream.h"
#include "leman/canonical.h"
#include "refine/distinguish.h"
#include <stdio.h>
#include <string.h>

/* Each sort and the lines get a part of the budget. */
enum { BUDGET_PART = 16, MOST = 1 << 26, FEWEST = 1 << 20, BUFFER = 1 << 16 };

typedef struct unique {
    leman_context *ctx;
    const char *path, *out;
    leman_unique_options options;
    leman_coloring coloring;
    uint64_t memory;
    bool by_lines;
    leman_stream *stream;
    const leman_dataset *whole; /* the input, if it is not copied by lines */
    lm_temporary lines;         /* for each graph its length, 8 bytes, and its line */
    lm_vector packed;           /* char: what is appended to the lines */
    lm_external_sort by_hash, by_first;
    leman_unique found;
} unique;

static void unique_close(unique *u)
{
    leman_stream_free(u->stream);
    lm_temporary_close(&u->lines);
    lm_vector_release(&u->packed);
    lm_external_sort_close(&u->by_hash);
    lm_external_sort_close(&u->by_first);
}

/* ---- Reading --------------------------------------------------------------------------------- */

/* Lines are copied if both names have the same ending, where .gz behind the ending of the input does not count, or one
 * is "-" and the other has an ending of lines or is "-". */
static bool copies_lines(const char *path, const char *out)
{
    static const char *const ENDINGS[] = {".smi", ".smiles", ".ism",     ".csv", ".tsv",
                                          ".g6",  ".graph6", ".sparse6", ".s6",  "-"};
    const bool in_named = strcmp(path, "-"), out_named = strcmp(out, "-");
    for (size_t i = 0; i < sizeof ENDINGS / sizeof *ENDINGS; i++) {
        const char *ending = ENDINGS[i];
        char packed[16];
        snprintf(packed, sizeof packed, "%s.gz", ending);
        const bool in = !in_named || lm_path_ends(path, ending) || lm_path_ends(path, packed);
        if (in && (!out_named || lm_path_ends(out, ending))) return true;
    }
    return false;
}

/* Appends the lines of a slice to the temporary file. */
static leman_status keep_lines(unique *u, const leman_dataset *slice)
{
    u->packed.count = 0;
    for (size_t i = 0; i < slice->graphs; i++) {
        size_t length;
        const char *line = lm_stream_line(u->stream, i, &length);
        const uint64_t size = length;
        PASS(lm_vector_append(u->ctx, &u->packed, (const char *)&size, sizeof size, 1));
        PASS(lm_vector_append(u->ctx, &u->packed, line, length, 1));
    }
    return lm_temporary_append(&u->lines, u->packed.items, u->packed.count, NULL);
}

/* The 128 bits that graphs of a class share, in the order of their text. */
static leman_status hash_exactly(leman_context *ctx, const leman_dataset *data, leman_graph_hash *hash)
{
    SCRATCH_SCOPE(ctx);
    leman_exact_hash *exact;
    PASS_SCRATCH(ctx, exact, data->graphs);
    PASS(leman_exact_hashes(ctx, data, exact));
    for (size_t i = 0; i < data->graphs; i++)
        for (size_t b = 0; b < 2; b++)
            for (size_t j = 0; j < 8; j++) hash[i].hash[b] = hash[i].hash[b] << 8 | exact[i].digest[8 * b + j];
    return LEMAN_OK;
}

static leman_status hash_slice(unique *u, const leman_dataset *slice)
{
    SCRATCH_SCOPE(u->ctx);
    AUTO(leman_dataset_drop) leman_dataset *rounded = NULL;
    const leman_dataset *data = slice;
    leman_graph_hash *hash;
    const int digits = u->options.digits;
    if (digits >= 0) PASS(leman_dataset_round_attributes(u->ctx, slice, (unsigned)digits, &rounded));
    if (rounded) data = rounded;
    PASS_SCRATCH_ZERO(u->ctx, hash, slice->graphs);
    if (u->options.exact)
        PASS(hash_exactly(u->ctx, data, hash));
    else
        PASS(lm_hash_graphs(u->ctx, data, NULL, slice->graphs, &u->coloring, 2, hash));
    for (size_t i = 0; i < slice->graphs; i++) {
        const lm_record record = {{hash[i].hash[0], hash[i].hash[1], u->found.graphs++}};
        PASS(lm_external_sort_add(&u->by_hash, &record));
    }
    return LEMAN_OK;
}

static leman_status read_graphs(unique *u)
{
    const leman_dataset *slice;
    for (;;) {
        PASS(leman_stream_next(u->stream, &slice));
        if (!slice) break;
        if (!lm_stream_has_lines(u->stream)) u->whole = slice;
        PASS(hash_slice(u, slice));
        if (!u->whole) PASS(keep_lines(u, slice));
    }
    return LEMAN_OK;
}

/* ---- Classes --------------------------------------------------------------------------------- */

static leman_status add_class(unique *u, lm_record *class)
{
    if (!class->word[1]) return LEMAN_OK;
    u->found.classes++;
    if (class->word[1] > u->found.largest) u->found.largest = class->word[1];
    return lm_external_sort_add(&u->by_first, class);
}

/* (hash, number), sorted, becomes (first number, count, hash). */
static leman_status find_classes(unique *u)
{
    lm_record class = {{0}}, next;
    bool more;
    PASS(lm_external_sort_begin(&u->by_hash));
    for (;;) {
        PASS(lm_external_sort_next(&u->by_hash, &next, &more));
        if (!more) break;
        if (class.word[1] && next.word[0] == class.word[2] && next.word[1] == class.word[3]) {
            class.word[1]++;
            continue;
        }
        PASS(add_class(u, &class));
        class = (lm_record){{next.word[2], 1, next.word[0], next.word[1]}};
    }
    PASS(add_class(u, &class));
    lm_external_sort_close(&u->by_hash);
    return lm_external_sort_begin(&u->by_first);
}

/* ---- Writing --------------------------------------------------------------------------------- */

/* The lines in the temporary file, read from the beginning. */
typedef struct line_reader {
    const lm_temporary *file;
    uint64_t place, number; /* of the next line */
    lm_vector line;         /* char */
} line_reader;

/* Sets reader->line to the line of a graph that has not been passed. */
static leman_status find_line(leman_context *ctx, line_reader *r, uint64_t number)
{
    uint64_t length;
    for (;; r->number++) {
        PASS(lm_temporary_read(r->file, r->place, &length, sizeof length));
        r->place += sizeof length + length;
        if (r->number == number) break;
    }
    r->number++;
    r->line.count = 0;
    PASS(lm_vector_reserve(ctx, &r->line, length + 1, 1));
    PASS(lm_temporary_read(r->file, r->place - length, r->line.items, length));
    ((char *)r->line.items)[length] = '\n';
    r->line.count = length + 1;
    return LEMAN_OK;
}

static leman_status write_row(lm_output *table, const leman_dataset *labels, const lm_record *class)
{
    size_t length;
    const leman_graph_hash hash = {.hash = {class->word[2], class->word[3]}};
    char text[LEMAN_GRAPH_HASH_TEXT];
    const char *name = leman_dataset_graph_name(labels, (size_t) class->word[0], &length);
    leman_graph_hash_text(&hash, text, sizeof text);
    PASS(lm_output_printf(table, "%llu,", (unsigned long long)class->word[0]));
    lm_output_csv_field(table, name, length, false);
    return lm_output_printf(table, ",%llu,%s\n", (unsigned long long)class->word[1], text);
}

/* Calls for every class in order: writes the row of the table, and the line or the number of the first graph. */
static leman_status write_classes(unique *u, lm_output *table, lm_output *lines, lm_vector *first)
{
    AUTO(lm_vector_release) lm_vector line = {0};
    line_reader reader = {.file = &u->lines};
    const leman_dataset *labels = NULL;
    leman_status st = LEMAN_OK;
    if (table) PASS(leman_stream_labels(u->stream, &labels));
    if (table) PASS(lm_output_printf(table, "first,name,graphs,hash\n"));
    lm_progress_begin(u->ctx, u->found.classes, "writing %s", u->out);
    for (uint64_t i = 0; !st; i++) {
        lm_record class;
        bool more;
        TRY(lm_external_sort_next(&u->by_first, &class, &more));
        if (!more) break;
        if (table) TRY(write_row(table, labels, &class));
        if (u->whole) {
            const size_t number = (size_t) class.word[0];
            TRY(lm_vector_append(u->ctx, first, &number, 1, sizeof number));
        } else {
            TRY(find_line(u->ctx, &reader, class.word[0]));
            TRY(lm_output_write(lines, reader.line.items, reader.line.count));
        }
        TRY(lm_progress_step(u->ctx, i));
    }
done:
    lm_vector_release(&reader.line);
    return st;
}

static leman_status write_files(unique *u)
{
    AUTO(lm_output_abort) lm_output table = {0}, lines = {0};
    AUTO(lm_vector_release) lm_vector first = {0};
    AUTO(leman_dataset_drop) leman_dataset *kept = NULL;
    if (u->options.classes) PASS(lm_output_open(u->ctx, u->options.classes, &table));
    if (!u->whole) {
        size_t length;
        const char *head = lm_stream_head(u->stream, &length);
        PASS(lm_output_open(u->ctx, u->out, &lines));
        PASS(lm_output_write(&lines, head, length));
    }
    PASS(write_classes(u, u->options.classes ? &table : NULL, &lines, &first));
    if (u->whole) {
        PASS(leman_dataset_select(u->ctx, u->whole, first.count, first.items, &kept));
        PASS(leman_dataset_write(u->ctx, kept, u->out, u->options.format));
    } else {
        PASS(lm_output_commit(&lines));
    }
    return u->options.classes ? lm_output_commit(&table) : LEMAN_OK;
}

/* ---- The function ---------------------------------------------------------------------------- */

static leman_status unique_run(unique *u, const leman_read_options *reading, leman_cleaning *cleaning)
{
    PASS(lm_temporary_open(u->ctx, u->out, u->memory, &u->lines));
    PASS(lm_external_sort_open(u->ctx, u->out, u->memory, 2, &u->by_hash));
    PASS(lm_external_sort_open(u->ctx, u->out, u->memory, 1, &u->by_first));
    PASS(lm_stream_open_lines(u->ctx, u->path, reading, u->by_lines, &u->stream));
    PASS(read_graphs(u));
    if (cleaning) *cleaning = *leman_stream_cleaning(u->stream);
    PASS(find_classes(u));
    return write_files(u);
}

LM_OPTIONS(leman_unique_options, options, .digits = -1)

leman_status leman_unique_write(leman_context *ctx, const char *path, const leman_read_options *reading,
                                const leman_unique_options *options, const char *out, leman_cleaning *cleaning,
                                leman_unique *found)
{
    leman_coloring chosen = leman_coloring_default();
    AUTO(unique_close) unique u = {.ctx = ctx, .path = path, .out = out, .options = leman_unique_options_default()};
    REQUIRE(ctx, path, out, found);
    PASS(lm_options_copy(ctx, "leman_unique_options", options, &u.options, sizeof u.options));
    REQUIRE_ENUM(ctx, u.options.format, LEMAN_FORMAT_COUNT - 1);
    if (u.options.exact && u.options.coloring)
        return lm_fail(ctx, LEMAN_ERROR_ARGUMENT, "options: found exact and a coloring, expected one of them");
    chosen.k = 1;
    chosen.rounds = LEMAN_STABLE;
    chosen.in_arcs = true;
    PASS(lm_coloring_given(ctx, u.options.coloring ? u.options.coloring : &chosen, &u.coloring));
    u.by_lines = !u.options.format && copies_lines(path, out);
    u.memory = lm_budget(ctx) / BUDGET_PART;
    if (u.memory > MOST) u.memory = MOST;
    if (u.memory < FEWEST) u.memory = FEWEST;
    PASS(unique_run(&u, reading, cleaning));
    *found = u.found;
    return LEMAN_OK;
}
