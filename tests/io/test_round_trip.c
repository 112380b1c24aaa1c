/*
 * What is written is read back: data sets of molecules with any names of graphs, vertices, targets and classes, in
 * every format. A format that would be read as something else refuses them in one sentence. What it says it leaves out
 * is left out.
 */
#include "graph/dataset.h"
#include "io/molecule/molecule_of.h"
#include "support/formats.h"
#include <errno.h>
#include <stdio.h>
#include <unistd.h>

enum { MOST = 4, LONGEST = 64 };

/* ---- Data sets ------------------------------------------------------------------------------- */

typedef struct made {
    leman_dataset *data;
    bool plain; /* nothing in it that a format might refuse */
} made;

/* A text of one to three pieces, of which each means something in some format. */
static void draw_text(uint64_t *state, bool plain, bool any_byte, char text[LONGEST])
{
    static const char *const PIECES[] = {"$$$$", "\"",    ">",        "<",      "> <",    ">  <", "#",   "|",
                                         " ",    ",",     ";",        "smiles", "SMILES", "nan",  "NA",  "n/a",
                                         "ä",    "'",     "=",        "1",      "-2",     "1.5",  "007", "class",
                                         "name", "graph", "target_1", "M  END", "C",      "%s%n", "\\n", "M  V30"};
    static const char *const BYTES[] = {"\n", "\t", "\r", "\x01", "\xff"};
    const size_t count = sizeof PIECES / sizeof *PIECES;
    *text = 0;
    for (size_t pieces = 1 + test_random(state) % 3; pieces; pieces--) strcat(text, PIECES[test_random(state) % count]);
    if (any_byte && test_random(state) % 20 == 0) strcat(text, BYTES[test_random(state) % 5]);
    if (plain) snprintf(text, LONGEST, "m%llu", (unsigned long long)(test_random(state) % 1000000));
}

static void add_molecule(uint64_t *state, leman_builder *builder, const leman_columns *columns, const char *name,
                         const int64_t *class_label)
{
    const size_t atoms = 1 + test_random(state) % 4;
    double target[MOST];
    const int64_t carbon = 6, single = 1;
    for (size_t i = 0; i < columns->targets; i++)
        target[i] = test_random(state) % 4 ? (double)(test_random(state) % 1000) / 7 : lm_missing_target();
    assert_int_equal(leman_builder_graph(builder, name, class_label, target), LEMAN_OK);
    for (size_t v = 0; v < atoms; v++) {
        char text[2 * LONGEST], own[LONGEST];
        draw_text(state, false, false, own);
        snprintf(text, sizeof text, "%s%zu", own, v);
        assert_int_equal(leman_builder_vertex(builder, text, &carbon, NULL), LEMAN_OK);
    }
    for (uint32_t v = 1; v < atoms; v++)
        assert_int_equal(leman_builder_edge(builder, v - 1, v, &single, NULL), LEMAN_OK);
}

static made draw(leman_context *ctx, uint64_t *state)
{
    made m = {.plain = test_random(state) % 4 == 0};
    const leman_columns columns = {.vertex_labels = 1,
                                   .edge_labels = 1,
                                   .classes = test_random(state) % 2,
                                   .targets = test_random(state) % MOST,
                                   .graph_names = test_random(state) % 4 > 0,
                                   .vertex_names = true};
    leman_builder *builder = NULL;
    char text[LONGEST];
    assert_int_equal(leman_builder_new(ctx, "made", &columns, &builder), LEMAN_OK);
    lm_raw *raw = lm_builder_raw(builder);
    for (size_t i = 0; i < columns.targets; i++) {
        draw_text(state, m.plain, false, text);
        if (!m.plain && test_random(state) % 5 == 0) *text = 0;
        assert_int_equal(lm_raw_target_name(ctx, raw, text, strlen(text)), LEMAN_OK);
    }
    const bool words = test_random(state) % 3 > 0;
    for (int64_t c = 0; c < MOST && columns.classes && words; c++) {
        draw_text(state, m.plain, false, text);
        assert_int_equal(lm_raw_class_name(ctx, raw, c, text, strlen(text)), LEMAN_OK);
    }
    for (size_t g = test_random(state) % 6; g; g--) {
        const int64_t label = test_random(state) % 5 ? (int64_t)(test_random(state) % MOST) : LEMAN_CLASS_MISSING;
        draw_text(state, m.plain, true, text);
        add_molecule(state, builder, &columns, columns.graph_names && test_random(state) % 4 ? text : NULL, &label);
    }
    assert_int_equal(leman_builder_finish(builder, NULL, NULL, &m.data), LEMAN_OK);
    leman_builder_free(builder);
    return m;
}

/* ---- Comparing ------------------------------------------------------------------------------- */

static void same_text(const char *what, const char *a, size_t length, const char *b, size_t other)
{
    if (length != other || memcmp(a, b, length))
        fail_msg("%s: '%.*s' is read back as '%.*s'", what, (int)length, a, (int)other, b);
}

static void same_graphs(const leman_dataset *a, const leman_dataset *b)
{
    assert_int_equal(a->graphs, b->graphs);
    assert_int_equal(a->vertices, b->vertices);
    assert_int_equal(a->arcs, b->arcs);
    assert_memory_equal(a->graph_start, b->graph_start, (a->graphs + 1) * sizeof *a->graph_start);
    if (a->arcs) assert_memory_equal(a->arc_head, b->arc_head, a->arcs * sizeof *a->arc_head);
}

static void same_graph_names(const leman_dataset *a, const leman_dataset *b)
{
    for (size_t g = 0; g < a->graphs; g++) {
        size_t length, other;
        const char *name = leman_dataset_graph_name(a, g, &length), *again = leman_dataset_graph_name(b, g, &other);
        same_text("name of a graph", name, length, again, other);
    }
}

static bool has_value(const leman_dataset *data, size_t column)
{
    for (size_t g = 0; g < data->graphs; g++)
        if (!lm_is_missing_target(data->target[g * data->columns.targets + column])) return true;
    return false;
}

/* Targets with values come back in their order, under their names; a column of classes that are numbers stands among
 * them. */
static void same_targets(const leman_dataset *a, const leman_dataset *b)
{
    size_t j = 0;
    for (size_t i = 0; i < a->columns.targets; i++) {
        char own[2][LM_TARGET_TEXT];
        size_t length, other = 0;
        if (!has_value(a, i)) continue;
        const char *name = lm_mol_target_name(a, i, own[0], &length), *again = "";
        for (; j < b->columns.targets; j++) {
            if (!has_value(b, j)) continue;
            again = lm_mol_target_name(b, j, own[1], &other);
            if (other != 5 || memcmp(again, "class", 5) || (length == 5 && !memcmp(name, "class", 5))) break;
        }
        assert_true(j < b->columns.targets);
        same_text("name of a target", name, length, again, other);
        for (size_t g = 0; g < a->graphs; g++) {
            const double x = a->target[g * a->columns.targets + i], y = b->target[g * b->columns.targets + j];
            assert_true(lm_is_missing_target(x) ? lm_is_missing_target(y) : x == y);
        }
        j++;
    }
}

static bool knows_class(const leman_dataset *data)
{
    for (size_t g = 0; g < data->graphs && data->columns.classes; g++)
        if (data->class_label[g] != LEMAN_CLASS_MISSING) return true;
    return false;
}

static void same_classes(const leman_dataset *a, const leman_dataset *b)
{
    for (size_t g = 0; g < a->graphs; g++) {
        char own[2][LM_TARGET_TEXT];
        size_t length, other;
        const char *text = lm_mol_class_text(a, g, own[0], &length), *again = lm_mol_class_text(b, g, own[1], &other);
        same_text("class", text, length, again, other);
    }
}

/* ---- Formats --------------------------------------------------------------------------------- */

static const struct {
    const char *file;
    bool molecules, graph_names, columns; /* what it holds: names of graphs, targets and classes */
} FORMATS[] = {{"d.sdf", true, true, true},    {"d.smi", true, true, true},   {"d.leman", false, true, true},
               {"d.zip", false, false, true},  {"tu", false, false, true},    {"d.csv", false, false, false},
               {"d.tsv", false, false, false}, {"d.g6", false, false, false}, {"d.s6", false, false, false}};
enum { FORMAT_COUNT = sizeof FORMATS / sizeof *FORMATS };

/* Writes, reads and compares. False where writing is refused. */
static bool comes_back(leman_context *ctx, const made *m, size_t format, const char *folder)
{
    const char *path = test_path(folder, FORMATS[format].file);
    leman_read_options options = leman_read_options_default();
    leman_dataset *again = NULL;
    leman_status st = leman_dataset_write(ctx, m->data, path, LEMAN_FORMAT_AUTO);
    if (st) {
        const char *why = leman_context_message(ctx);
        assert_int_equal(st, LEMAN_ERROR_INPUT);
        assert_true(strlen(why) > 20 && !strchr(why, '\n'));
        assert_int_equal(access(path, F_OK), -1);
        if (m->plain && m->data->graphs) fail_msg("refused: %s", why);
        return false;
    }
    if (FORMATS[format].molecules && knows_class(m->data)) options.class_column = "class";
    if (leman_dataset_read(ctx, path, &options, NULL, &again))
        fail_msg("%s cannot be read again: %s", FORMATS[format].file, leman_context_message(ctx));
    same_graphs(m->data, again);
    if (FORMATS[format].graph_names) same_graph_names(m->data, again);
    if (FORMATS[format].columns && m->data->graphs) {
        same_targets(m->data, again);
        same_classes(m->data, again);
    }
    leman_dataset_free(again);
    return true;
}

static void written_and_read(void **unused)
{
    (void)unused;
    leman_context *ctx = test_context_new(1);
    uint64_t state = 11;
    size_t held[FORMAT_COUNT] = {0}, refused[FORMAT_COUNT] = {0};
    for (size_t i = test_cases(1500); i; i--) {
        const char *folder = test_folder_new();
        made m = draw(ctx, &state);
        for (size_t f = 0; f < FORMAT_COUNT; f++) {
            const bool came = comes_back(ctx, &m, f, folder);
            held[f] += came;
            refused[f] += !came;
        }
        leman_dataset_free(m.data);
        test_folder_remove(folder);
    }
    for (size_t f = 0; f < FORMAT_COUNT; f++)
        assert_true(held[f] > refused[f] / 4); /* refusing all would be too easy */
    test_context_free(ctx);
}

/* A data set without graphs, in every format that has a way to say so; TU text refuses it. */
static void no_graphs(void **unused)
{
    (void)unused;
    leman_context *ctx = test_context_new(1);
    const char *folder = test_folder_new();
    const leman_columns columns = {.vertex_labels = 1, .edge_labels = 1};
    leman_builder *builder = NULL;
    made m = {0};
    assert_int_equal(leman_builder_new(ctx, "none", &columns, &builder), LEMAN_OK);
    assert_int_equal(leman_builder_finish(builder, NULL, NULL, &m.data), LEMAN_OK);
    for (size_t f = 0; f < FORMAT_COUNT; f++) {
        const bool tu = !strcmp(FORMATS[f].file, "tu") || !strcmp(FORMATS[f].file, "d.zip");
        assert_int_equal(comes_back(ctx, &m, f, folder), !tu);
    }
    leman_dataset_free(m.data);
    leman_builder_free(builder);
    test_folder_remove(folder);
    test_context_free(ctx);
}

/* ---- Writing that ends early ----------------------------------------------------------------- */

static int nobody_reads(void *user, const char *bytes, size_t size)
{
    (void)user, (void)bytes, (void)size;
    return EPIPE;
}

/* Many molecules, and behind them one that the format cannot hold: one without atoms, or a coordinate that is too
 * large. */
static leman_dataset *many(leman_context *ctx, bool coordinate)
{
    enum { GOOD = 200000 };
    const leman_columns columns = {.vertex_labels = 1, .edge_labels = 1, .vertex_attributes = 3};
    const double here[3] = {0}, far[3] = {1e9};
    const int64_t carbon = 6;
    leman_builder *builder = NULL;
    leman_dataset *data = NULL;
    assert_int_equal(leman_builder_new(ctx, "many", &columns, &builder), LEMAN_OK);
    for (size_t g = 0; g <= GOOD; g++) {
        assert_int_equal(leman_builder_graph(builder, NULL, NULL, NULL), LEMAN_OK);
        if (g < GOOD || coordinate)
            assert_int_equal(leman_builder_vertex(builder, NULL, &carbon, g < GOOD ? here : far), LEMAN_OK);
    }
    assert_int_equal(leman_builder_finish(builder, NULL, NULL, &data), LEMAN_OK);
    leman_builder_free(builder);
    return data;
}

/* A writer that goes on where nobody reads any more would find the last molecule. */
static void closed_pipe(void **unused)
{
    (void)unused;
    leman_context *ctx = test_context_new(1);
    test_writer *const writers[] = {lm_format_smiles.write, lm_format_sdf.write};
    for (size_t w = 0; w < 2; w++) {
        lm_output out = {0};
        leman_dataset *data = many(ctx, w == 1);
        assert_int_equal(lm_output_open_sink(ctx, "pipe", nobody_reads, NULL, &out), LEMAN_OK);
        assert_int_equal(writers[w](ctx, data, &out), LEMAN_ERROR_FILE);
        assert_int_equal(leman_context_errno(ctx), EPIPE);
        lm_output_abort(&out);
        leman_dataset_free(data);
    }
    test_context_free(ctx);
}

static bool stop(void *user, const leman_progress *progress)
{
    (void)user;
    return strncmp(progress->task, "writing", 7) != 0;
}

/* The caller is asked at the last graph at the latest; no file is left. */
static void cancelled(void **unused)
{
    (void)unused;
    const char *folder = test_folder_new();
    static const char *const SMILES[] = {"CC", "CO"};
    leman_settings settings = leman_settings_default();
    leman_context *ctx = NULL;
    leman_dataset *data = NULL;
    settings.progress = stop;
    assert_int_equal(leman_context_new(&settings, &ctx), LEMAN_OK);
    assert_int_equal(leman_dataset_from_smiles(ctx, SMILES, NULL, 2, NULL, NULL, &data), LEMAN_OK);
    for (size_t f = 0; f < FORMAT_COUNT; f++) {
        if (!strcmp(FORMATS[f].file, "tu") || !strcmp(FORMATS[f].file, "d.zip") || !strcmp(FORMATS[f].file, "d.leman"))
            continue; /* they ask now and then, by the time */
        const char *path = test_path(folder, FORMATS[f].file);
        assert_int_equal(leman_dataset_write(ctx, data, path, LEMAN_FORMAT_AUTO), LEMAN_ERROR_CANCELLED);
        assert_int_equal(access(path, F_OK), -1);
    }
    assert_int_equal(rmdir(folder), 0); /* not even a temporary file */
    leman_dataset_free(data);
    leman_context_free(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(written_and_read), cmocka_unit_test(no_graphs),
                                       cmocka_unit_test(closed_pipe), cmocka_unit_test(cancelled)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
