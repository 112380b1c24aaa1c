/* Molecules that are the same after they were standardised, and those of them whose classes or targets differ: found by
 * canonical forms, or where these need a library that the build does not have, by hashes of delta-2-LWL. O(graphs log
 * graphs), and the canonical forms or the colouring. */
#include "base/drop.h"
#include "cli/commands.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct keyed {
    leman_exact_hash hash;
    size_t graph;
} keyed;

typedef struct found {
    size_t molecules, graphs; /* that appear more than once */
    size_t differing;         /* molecules of them with different classes or targets */
    size_t first, second;     /* two graphs of the first of these */
} found;

static int compare(const void *a, const void *b)
{
    const keyed *x = a, *y = b;
    const int order = memcmp(&x->hash, &y->hash, sizeof x->hash);
    return order ? order : (x->graph > y->graph) - (x->graph < y->graph);
}

/* Returns true if both graphs have a class, or a value of a target, and these differ. */
static bool labels_differ(const leman_dataset *data, size_t a, size_t b)
{
    const int64_t *label = leman_dataset_classes(data);
    const double *value = leman_dataset_targets(data);
    const size_t columns = leman_dataset_shape(data)->columns->targets;
    if (label && label[a] != LEMAN_CLASS_MISSING && label[b] != LEMAN_CLASS_MISSING && label[a] != label[b])
        return true;
    for (size_t i = 0; i < columns; i++)
        if (fabs(value[a * columns + i] - value[b * columns + i]) > 0) return true; /* not if one is NAN */
    return false;
}

/* Counts a group of equal molecules. */
static void count_group(const leman_dataset *data, const keyed *of, size_t count, found *f)
{
    if (count < 2) return;
    f->molecules++;
    f->graphs += count;
    for (size_t i = 0; i < count; i++)
        for (size_t j = 0; j < i; j++) {
            if (!labels_differ(data, of[j].graph, of[i].graph)) continue;
            if (!f->differing++ || of[j].graph < f->first) {
                f->first = of[j].graph;
                f->second = of[i].graph;
            }
            return;
        }
}

/* Writes "graph 3 (aspirin)" into text[size]. */
static const char *graph_text(const leman_dataset *data, size_t graph, char *text, size_t size)
{
    size_t length;
    const char *name = leman_dataset_graph_name(data, graph, &length);
    if (length)
        snprintf(text, size, "graph %zu (%.*s)", graph, (int)length, name);
    else
        snprintf(text, size, "graph %zu", graph);
    return text;
}

static leman_status hashes_of_pairs(leman_context *ctx, const leman_dataset *data, size_t graphs,
                                    leman_exact_hash *hash)
{
    leman_coloring coloring = leman_coloring_default();
    AUTO(lm_release_at) leman_graph_hash *colored = NULL;
    coloring.algorithm = LEMAN_ALGORITHM_LOCAL;
    coloring.k = 2;
    coloring.rounds = LEMAN_STABLE;
    PASS_NEW(ctx, colored, graphs);
    PASS(leman_graph_hashes(ctx, data, &coloring, colored));
    memset(hash, 0, graphs * sizeof *hash);
    for (size_t g = 0; g < graphs; g++) memcpy(&hash[g], colored[g].hash, sizeof colored[g].hash);
    return LEMAN_OK;
}

leman_status lm_duplicates_log(lm_work *work, const leman_dataset *data)
{
    leman_context *ctx = work->ctx;
    const size_t graphs = leman_dataset_shape(data)->graphs;
    leman_read_options read = leman_read_options_default();
    AUTO(leman_dataset_drop) leman_dataset *bare = NULL; /* without coordinates */
    leman_columns kept = *leman_dataset_shape(data)->columns;
    AUTO(lm_release_at) leman_exact_hash *hash = NULL;
    AUTO(lm_release_at) keyed *list = NULL;
    found f = {0};
    char text[2][128];
    PASS(leman_reading_apply(ctx, leman_dataset_reading(data), &read, NULL));
    if (!(read.atom_labels & LEMAN_STANDARDIZE_ALL) || !graphs) return LEMAN_OK;
    PASS_NEW(ctx, hash, graphs);
    PASS_NEW(ctx, list, graphs);
    kept.vertex_attributes = 0;
    PASS(leman_dataset_keep(ctx, data, &kept, &bare));
    leman_status exact = leman_exact_hashes(ctx, bare, hash);
    if (exact == LEMAN_ERROR_UNSUPPORTED) exact = hashes_of_pairs(ctx, bare, graphs, hash);
    PASS(exact);
    for (size_t g = 0; g < graphs; g++) list[g] = (keyed){hash[g], g};
    qsort(list, graphs, sizeof *list, compare);
    for (size_t begin = 0, end = 1; end <= graphs; end++) {
        if (end < graphs && !memcmp(&list[begin].hash, &list[end].hash, sizeof list->hash)) continue;
        count_group(data, list + begin, end - begin, &f);
        begin = end;
    }
    const char *name = leman_dataset_shape(data)->name;
    if (f.molecules)
        lm_work_log(work,
                    "%s: %zu molecule%s in more than one row, in %zu rows together; leman unique --exact leaves "
                    "one of each",
                    name, f.molecules, f.molecules == 1 ? " is" : "s are", f.graphs);
    if (f.differing)
        lm_work_log(work,
                    "%s: %zu of these molecules with different classes or values; the first: %s and %s, counted "
                    "from 0",
                    name, f.differing, graph_text(data, f.first, text[0], sizeof *text),
                    graph_text(data, f.second, text[1], sizeof *text));
    return LEMAN_OK;
}
