#include "support/features.h"

void test_features_add(test_features *f, const test_feature *feature)
{
    if (f->count == f->capacity) {
        f->capacity = f->capacity ? 2 * f->capacity : 1024;
        f->item = realloc(f->item, f->capacity * sizeof *f->item);
        assert_non_null(f->item);
    }
    f->item[f->count++] = *feature;
}

void test_features_free(test_features *f)
{
    free(f->item);
    *f = (test_features){0};
}

/* ---- Entries of triples ---------------------------------------------------------------------- */

static leman_status fill(leman_context *ctx, const leman_dataset *data, const leman_kernel *kernel, lm_triples *triples)
{
    return lm_kernel_fill(ctx, data, kernel, false, 0, triples);
}

lm_pair *test_entries(leman_context *ctx, const leman_dataset *data, const leman_kernel *kernel, size_t *count)
{
    lm_triples triples;
    lm_pair *sorted = NULL;
    assert_int_equal(lm_triples_new(ctx, leman_dataset_shape(data)->graphs, 1, &triples), LEMAN_OK);
    if (fill(ctx, data, kernel, &triples)) fail_msg("%s", leman_context_message(ctx));
    for (size_t list = LM_TRIPLE_LISTS; list-- > 0;) {
        assert_int_equal(lm_triples_sort(ctx, &triples, 0, list, &sorted, count), LEMAN_OK);
        if (!list) break;
        assert_int_equal(*count, 0);
        lm_release(sorted);
    }
    lm_pair *entry = malloc((*count + 1) * sizeof *entry);
    memcpy(entry, sorted, *count * sizeof *entry);
    lm_release(sorted);
    lm_triples_free(&triples);
    return entry;
}

lm_pair *test_entries_of(const lm_pair *entry, size_t count, size_t graph, size_t *own)
{
    lm_pair *of = malloc((count + 1) * sizeof *of);
    *own = 0;
    for (size_t i = 0; i < count; i++)
        if (lm_pair_graph(entry[i]) == graph) of[(*own)++] = (lm_pair){entry[i].key, lm_pair_value(entry[i])};
    return of;
}

/* ---- Rows of the table ----------------------------------------------------------------------- */

/* How often each graph shows one feature: (graph, times), graphs increasing. */
typedef struct row {
    const lm_pair *cell;
    size_t cells;
} row;

static int compare_features(const void *a, const void *b)
{
    const test_feature *x = a, *y = b;
    int words = memcmp(x->word, y->word, sizeof x->word);
    return words ? words : (x->graph > y->graph) - (x->graph < y->graph);
}

static int compare_rows(const void *a, const void *b)
{
    const row *x = a, *y = b;
    for (size_t i = 0; i < x->cells && i < y->cells; i++) {
        if (x->cell[i].key != y->cell[i].key) return x->cell[i].key < y->cell[i].key ? -1 : 1;
        if (x->cell[i].payload != y->cell[i].payload) return x->cell[i].payload < y->cell[i].payload ? -1 : 1;
    }
    return (x->cells > y->cells) - (x->cells < y->cells);
}

static size_t rows_of_features(const test_features *f, lm_pair *cell, row *rows)
{
    size_t count = 0, cells = 0;
    if (f->count) qsort(f->item, f->count, sizeof *f->item, compare_features);
    for (size_t i = 0; i < f->count; i++) {
        const test_feature *now = f->item + i, *before = i ? now - 1 : NULL;
        bool fresh = !before || memcmp(now->word, before->word, sizeof now->word);
        if (fresh) rows[count++] = (row){cell + cells, 0};
        if (fresh || now->graph != before->graph) {
            cell[cells++] = (lm_pair){now->graph, 0};
            rows[count - 1].cells++;
        }
        cell[cells - 1].payload++;
    }
    return count;
}

static size_t rows_of_entries(const lm_pair *entry, size_t count, lm_pair *cell, row *rows)
{
    size_t found = 0;
    for (size_t i = 0; i < count; i++) {
        cell[i] = (lm_pair){lm_pair_graph(entry[i]), lm_pair_value(entry[i])};
        if (!i || entry[i].key != entry[i - 1].key) rows[found++] = (row){cell + i, 0};
        rows[found - 1].cells++;
    }
    return found;
}

bool test_features_match(const test_features *f, const lm_pair *entry, size_t count)
{
    lm_pair *cell[2] = {malloc((f->count + 1) * sizeof **cell), malloc((count + 1) * sizeof **cell)};
    row *rows[2] = {malloc((f->count + 1) * sizeof **rows), malloc((count + 1) * sizeof **rows)};
    size_t size[2] = {rows_of_features(f, cell[0], rows[0]), rows_of_entries(entry, count, cell[1], rows[1])};
    bool same = size[0] == size[1];
    if (!same) print_message("%zu different features, expected %zu\n", size[1], size[0]);
    for (int side = 0; side < 2; side++)
        if (size[side]) qsort(rows[side], size[side], sizeof **rows, compare_rows);
    for (size_t i = 0; same && i < size[0]; i++)
        if (compare_rows(rows[0] + i, rows[1] + i)) {
            same = false;
            print_message("no feature is shown as often by each graph as it should be: graph %zu, %zu times\n",
                          (size_t)rows[0][i].cell->key + 1, (size_t)rows[0][i].cell->payload);
        }
    for (int side = 0; side < 2; side++) {
        free(cell[side]);
        free(rows[side]);
    }
    return same;
}

static int compare_values(const void *a, const void *b)
{
    const lm_pair *x = a, *y = b;
    return (x->payload > y->payload) - (x->payload < y->payload);
}

bool test_values_are(const lm_pair *entry, size_t count, size_t graph, const uint64_t *value, size_t values)
{
    size_t own;
    lm_pair *of = test_entries_of(entry, count, graph, &own);
    qsort(of, own, sizeof *of, compare_values);
    bool same = own == values;
    for (size_t i = 0; same && i < own; i++) same = of[i].payload == value[i];
    for (size_t i = 0; !same && i < own; i++) print_message("graph %zu: found %zu\n", graph + 1, (size_t)of[i].payload);
    free(of);
    return same;
}

/* ---- Graphs and callers ---------------------------------------------------------------------- */

leman_dataset *test_star(leman_context *ctx, size_t leaves, bool labelled)
{
    leman_columns columns = {.vertex_labels = labelled};
    leman_builder *builder = NULL;
    leman_dataset *data = NULL;
    assert_int_equal(leman_builder_new(ctx, "star", &columns, &builder), LEMAN_OK);
    assert_int_equal(leman_builder_graph(builder, NULL, NULL, NULL), LEMAN_OK);
    for (size_t v = 0; v <= leaves; v++) {
        int64_t label = (int64_t)v;
        assert_int_equal(leman_builder_vertex(builder, NULL, &label, NULL), LEMAN_OK);
        if (v) assert_int_equal(leman_builder_edge(builder, v, 0, NULL, NULL), LEMAN_OK);
    }
    assert_int_equal(leman_builder_finish(builder, NULL, NULL, &data), LEMAN_OK);
    leman_builder_free(builder);
    return data;
}

static bool cancel(void *user, const leman_progress *progress)
{
    assert_true(progress->done <= progress->total);
    ++*(int *)user;
    return false;
}

void test_stops(const leman_dataset *data, const leman_kernel *kernel)
{
    int asked = 0;
    leman_settings settings = leman_settings_default();
    leman_context *ctx = NULL;
    lm_triples triples;
    settings.threads = 2;
    settings.progress = cancel;
    settings.callback_user = &asked;
    assert_int_equal(leman_context_new(&settings, &ctx), LEMAN_OK);
    assert_int_equal(lm_triples_new(ctx, leman_dataset_shape(data)->graphs, 1, &triples), LEMAN_OK);
    assert_int_equal(fill(ctx, data, kernel, &triples), LEMAN_ERROR_CANCELLED);
    assert_int_equal(asked, 1);
    assert_non_null(strstr(leman_context_message(ctx), "was stopped"));
    lm_triples_free(&triples);
    leman_context_free(ctx);
}
