/*
 * The known data sets: the numbers of graphs, classes or targets, and the average numbers of vertices and (undirected)
 * edges of a graph, as printed in the paper with one decimal. A file agrees if its averages round to the same decimal.
 */
#include "base/context.h"
#include "io/download/cache.h"
#include <math.h>
#include <string.h>

static const struct known {
    const char *name;
    size_t graphs;
    size_t classes; /* 0: not checked */
    size_t targets; /* at least this many; a file may hold more than the twelve that the paper uses */
    double vertices, edges;
} KNOWN[] = {
    {"ENZYMES", 600, 6, 0, 32.6, 62.1},
    {"IMDB-BINARY", 1000, 2, 0, 19.8, 96.5},
    {"IMDB-MULTI", 1500, 3, 0, 13.0, 65.9},
    {"NCI1", 4110, 2, 0, 29.9, 32.3},
    {"NCI109", 4127, 2, 0, 29.7, 32.1},
    {"PTC_FM", 349, 2, 0, 14.1, 14.5},
    {"PROTEINS", 1113, 2, 0, 39.1, 72.8},
    {"REDDIT-BINARY", 2000, 2, 0, 429.6, 497.8},
    {"Yeast", 79601, 2, 0, 21.5, 22.8},
    {"YeastH", 79601, 2, 0, 39.4, 40.7},
    {"UACC257", 39988, 2, 0, 26.1, 28.1},
    {"UACC257H", 39988, 2, 0, 46.7, 48.7},
    {"OVCAR-8", 40516, 2, 0, 26.1, 28.1},
    {"OVCAR-8H", 40516, 2, 0, 46.7, 48.7},
    /* Each under the name of the paper and of the collection. The paper's table gives ZINC 12 targets, its experiments
     * use one. */
    {"ZINC", 249456, 0, 1, 23.1, 24.9},
    {"ZINC_full", 249456, 0, 1, 23.1, 24.9},
    {"Alchemy", 202579, 0, 12, 10.1, 10.4},
    {"alchemy_full", 202579, 0, 12, 10.1, 10.4},
    {"QM9", 129433, 0, 12, 18.0, 18.6},
    /* Not in the paper, but popular; figures of the collection. */
    {"MUTAG", 188, 2, 0, 17.9, 19.8},
    {"Mutagenicity", 4337, 2, 0, 30.3, 30.8},
};

/* Returns the number of different classes; stops counting at MAX, which no known data set reaches. */
static size_t distinct_classes(const leman_dataset *data, size_t graphs)
{
    enum { MAX = 32 };
    const int64_t *classes = leman_dataset_classes(data);
    int64_t seen[MAX];
    size_t count = 0;
    for (size_t i = 0; classes && i < graphs && count < MAX; i++) {
        size_t j = 0;
        while (j < count && seen[j] != classes[i]) j++;
        if (j == count) seen[count++] = classes[i];
    }
    return count;
}

/* Returns true if the average is printed as `shown` with one decimal. A half may have been rounded either way. */
static bool agrees(double average, double shown)
{
    return fabs(average - shown) < 0.05 + 1e-9;
}

/* Returns NULL if the name is not known. */
static const struct known *find_known(const char *name)
{
    for (size_t i = 0; i < sizeof KNOWN / sizeof *KNOWN; i++)
        if (!strcmp(KNOWN[i].name, name)) return KNOWN + i;
    return NULL;
}

size_t leman_dataset_known_graphs(const char *name)
{
    const struct known *known = name ? find_known(name) : NULL;
    return known ? known->graphs : 0;
}

leman_status lm_catalogue_check(leman_context *ctx, const char *file, const char *name, const leman_dataset *data)
{
    const struct known *known = find_known(name);
    if (!known) return LEMAN_OK;
    const leman_shape *shape = leman_dataset_shape(data);
    double graphs = shape->graphs ? (double)shape->graphs : 1;
    double vertices = (double)shape->vertices / graphs, edges = (double)shape->edges / graphs;
    size_t classes = distinct_classes(data, shape->graphs);
    if (shape->graphs != known->graphs || !agrees(vertices, known->vertices) || !agrees(edges, known->edges))
        return lm_fail(ctx, LEMAN_ERROR_INPUT,
                       "%s: found %zu graph%s with %.2f vertices and %.2f edges on average, expected %zu with %.1f and "
                       "%.1f as %s has",
                       file, shape->graphs, lm_plural(shape->graphs), vertices, edges, known->graphs, known->vertices,
                       known->edges, name);
    if (known->classes && classes != known->classes)
        return lm_fail(ctx, LEMAN_ERROR_INPUT, "%s: found %zu class%s, expected %zu as %s has", file, classes,
                       lm_plural_of(classes, "", "es"), known->classes, name);
    if (shape->columns->targets < known->targets)
        return lm_fail(ctx, LEMAN_ERROR_INPUT, "%s: found %zu target%s, expected at least %zu as %s has", file,
                       shape->columns->targets, lm_plural(shape->columns->targets), known->targets, name);
    return LEMAN_OK;
}
