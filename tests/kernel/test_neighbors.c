/* Nearest graphs and clusters against sorted rows of Gram matrices; files against data in memory; failing allocations. */
#include "support/support.h"
#include <math.h>
#include <stdio.h>

enum { N = 40, NEAREST = 7 };

static const char *const NAMES[] = {"1-WL:minmax", "WLOA", "delta-2-LWL", "SP:tanimoto", "1-WL + SP", "GR", "NH:2"};
enum {
    NAME_COUNT = sizeof NAMES / sizeof *NAMES,
    EXACT = 1 /* integers are divided once: equal quotients are equal */
};

/* Trees of two labels, so small that many are equal, and one graph without vertices. */
static leman_dataset *trees(leman_context *ctx, uint64_t state, size_t graphs)
{
    const leman_columns columns = {.vertex_labels = 1, .graph_names = true};
    leman_builder *b = NULL;
    leman_dataset *data = NULL;
    assert_int_equal(leman_builder_new(ctx, "trees", &columns, &b), LEMAN_OK);
    for (size_t g = 0; g < graphs; g++) {
        char name[16];
        const size_t n = g == 5 ? 0 : 2 + test_random(&state) % 5;
        snprintf(name, sizeof name, "tree%zu", g);
        assert_int_equal(leman_builder_graph(b, name, NULL, NULL), LEMAN_OK);
        for (size_t v = 0; v < n; v++) {
            leman_builder_vertex(b, NULL, (int64_t[]){(int64_t)(test_random(&state) % 2)}, NULL);
            if (v) leman_builder_edge(b, test_random(&state) % v, v, NULL, NULL);
        }
    }
    assert_int_equal(leman_builder_finish(b, NULL, NULL, &data), LEMAN_OK);
    leman_builder_free(b);
    return data;
}

/* The kernels of a name, with two rounds. */
static size_t named(leman_context *ctx, const char *name, leman_kernel kernels[2])
{
    const size_t count = leman_kernels_count(name);
    for (size_t i = 0; i < 2; i++) {
        kernels[i] = leman_kernel_default();
        kernels[i].coloring.rounds = 2;
    }
    assert_int_equal(leman_kernels_parse(ctx, name, kernels, count), LEMAN_OK);
    return count;
}

/* The definition: the number of graphs of a row that come before graph g, by similarity and then by number. */
static size_t rank_of(const double *row, size_t graphs, size_t g, size_t without)
{
    size_t rank = 0;
    for (size_t i = 0; i < graphs; i++) rank += i != without && (row[i] > row[g] || (row[i] == row[g] && i < g));
    return rank;
}

/* Compares the neighbours of every query with its row of the matrix; own: no graph is its own neighbour. */
static void compare(const leman_neighbors *found, const double *gram, size_t queries, size_t graphs, bool own,
                    bool exact)
{
    const size_t there = graphs - own, expected = there < NEAREST ? there : NEAREST;
    assert_int_equal(leman_neighbors_queries(found), queries);
    assert_int_equal(leman_neighbors_graphs(found), graphs);
    assert_int_equal(leman_neighbors_count(found), expected);
    for (size_t q = 0; q < queries; q++) {
        const double *row = gram + q * graphs;
        bool seen[N] = {false};
        for (size_t rank = 0; rank < expected; rank++) {
            const leman_neighbor near = leman_neighbors_get(found, q, rank);
            char name[32];
            assert_true(near.row < graphs && !seen[near.row]);
            seen[near.row] = true;
            assert_true(fabs(near.similarity - row[near.row]) < 1e-12);
            if (exact) assert_int_equal(rank_of(row, graphs, near.row, own ? q : graphs), rank);
            if (own) assert_int_not_equal(near.row, q);
            snprintf(name, sizeof name, "tree%zu", (size_t)near.row);
            assert_string_equal(near.name, name);
            assert_string_equal(near.smiles, "");
        }
        const double last = leman_neighbors_get(found, q, expected - 1).similarity;
        for (size_t g = 0; g < graphs; g++) assert_true(seen[g] || (own && g == q) || row[g] < last + 1e-12);
        assert_true(leman_neighbors_get(found, q, expected).similarity < 0);
    }
    assert_true(leman_neighbors_get(found, queries, 0).similarity < 0);
}

static void test_definition(void **unused)
{
    (void)unused;
    static double gram[N * N];
    for (int threads = 1; threads <= 3; threads += 2) {
        leman_context *ctx = test_context_new(threads);
        leman_dataset *data = trees(ctx, 3, N), *queries = trees(ctx, 8, 9);
        for (size_t name = 0; name < NAME_COUNT; name++) {
            leman_kernel kernels[2];
            leman_neighbors *found = NULL;
            const size_t count = named(ctx, NAMES[name], kernels);
            assert_int_equal(leman_gram_compute(ctx, queries, data, kernels, count, true, gram), LEMAN_OK);
            assert_int_equal(leman_neighbors_among(ctx, queries, data, kernels, count, NEAREST, &found), LEMAN_OK);
            compare(found, gram, 9, N, false, name < EXACT);
            leman_neighbors_free(found);
            assert_int_equal(leman_gram_compute(ctx, data, NULL, kernels, count, true, gram), LEMAN_OK);
            assert_int_equal(leman_neighbors_among(ctx, data, NULL, kernels, count, NEAREST, &found), LEMAN_OK);
            compare(found, gram, N, N, true, name < EXACT);
            leman_neighbors_free(found);
        }
        leman_dataset_free(data);
        leman_dataset_free(queries);
        test_context_free(ctx);
    }
}

/* More neighbours are asked for than there are. A graph with the features of the query has the similarity 1, to the last
 * bit; colours are features of every graph with vertices. */
static void test_few(void **unused)
{
    (void)unused;
    leman_context *ctx = test_context_new(1);
    leman_dataset *data = trees(ctx, 3, 4);
    leman_kernel kernels[2];
    leman_neighbors *found = NULL;
    for (size_t name = 0; name < 3; name++) {
        const size_t count = named(ctx, NAMES[name], kernels);
        assert_int_equal(leman_neighbors_among(ctx, data, data, kernels, count, 1000, &found), LEMAN_OK);
        assert_int_equal(leman_neighbors_count(found), 4);
        for (size_t q = 0; q < 4; q++) {
            assert_true(leman_neighbors_get(found, q, 0).similarity == 1);
            for (size_t rank = 0; rank < 4; rank++)
                if (leman_neighbors_get(found, q, rank).row == q)
                    assert_true(leman_neighbors_get(found, q, rank).similarity == 1);
        }
        leman_neighbors_free(found);
    }
    leman_dataset_free(data);
    test_context_free(ctx);
}

/* ---- Files ----------------------------------------------------------------------------------- */

static const char SMILES[] = "smiles,name,weight\n"
                             "CCO,ethanol,46\n"
                             "CC(=O)Nc1ccc(O)cc1,para,151\n"
                             "not a molecule,none,1\n"
                             "OCC,again,46\n"
                             "CCN,amine,45\n";

/* Rows count those that cannot be read, names and SMILES are those of the file; molecules have ECFP4 as their kernel. */
static void test_file(void **unused)
{
    (void)unused;
    leman_context *ctx = test_context_new(2);
    const char *folder = test_folder_new();
    const char *path = test_file_text(folder, "x.csv", SMILES), *query = test_file_text(folder, "q.smi", "CCO q\n");
    leman_read_options reading = leman_read_options_default();
    leman_kernel kernel = leman_kernel_default(), plain = leman_kernel_default();
    leman_dataset *queries = NULL, *other = NULL;
    leman_neighbors *found = NULL;
    leman_cleaning cleaning;
    reading.atom_labels = LEMAN_ATOM_ECFP;
    reading.skip_unreadable = true;
    assert_int_equal(leman_dataset_read(ctx, query, &reading, NULL, &queries), LEMAN_OK);
    assert_int_equal(leman_neighbors_kernel(ctx, queries, &kernel), LEMAN_OK);
    assert_int_equal(kernel.atom_labels, LEMAN_ATOM_ECFP);
    assert_int_equal(leman_neighbors_find(ctx, queries, path, &reading, &kernel, 1, 3, &cleaning, &found), LEMAN_OK);
    assert_int_equal(leman_neighbors_graphs(found), 4);
    assert_int_equal(leman_neighbors_count(found), 3);
    const leman_neighbor first = leman_neighbors_get(found, 0, 0), second = leman_neighbors_get(found, 0, 1);
    assert_int_equal(first.row, 0);
    assert_int_equal(second.row, 3); /* row 2 cannot be read */
    assert_string_equal(second.name, "again");
    assert_string_equal(second.smiles, "OCC");
    assert_true(first.similarity == 1 && second.similarity == 1);
    assert_int_equal(leman_neighbors_get(found, 0, 2).row, 4);
    leman_neighbors_free(found);
    found = NULL;

    reading.atom_labels = 0; /* other labels than those of the queries */
    assert_int_equal(leman_neighbors_find(ctx, queries, path, &reading, &kernel, 1, 3, NULL, &found),
                     LEMAN_ERROR_INPUT);
    assert_int_equal(leman_dataset_read(ctx, query, &reading, NULL, &other), LEMAN_OK);
    assert_int_equal(leman_neighbors_kernel(ctx, other, &plain), LEMAN_OK);
    assert_int_equal(plain.atom_labels, 0);
    assert_int_equal(leman_neighbors_find(ctx, other, path, &reading, &plain, 1, 3, NULL, &found), LEMAN_OK);
    assert_int_equal(leman_neighbors_get(found, 0, 1).row, 3);
    leman_neighbors_free(found);
    leman_dataset_free(queries);
    leman_dataset_free(other);
    test_folder_remove(folder);
    test_context_free(ctx);
}

/* ---- Clusters -------------------------------------------------------------------------------- */

/* The definition: again and again the graph with the most neighbours of those that no cluster has. */
static size_t slow_clusters(const double *gram, size_t graphs, double least, uint32_t *cluster, uint32_t *centre)
{
    bool taken[N] = {false};
    size_t clusters = 0;
    for (;; clusters++) {
        size_t best = graphs, most = 0;
        for (size_t i = 0; i < graphs; i++) {
            size_t count = 1;
            for (size_t j = 0; j < graphs; j++) count += i != j && gram[i * graphs + j] >= least;
            if (!taken[i] && count > most) best = i, most = count;
        }
        if (best == graphs) return clusters;
        for (size_t j = 0; j < graphs; j++) {
            if (taken[j] || (j != best && gram[best * graphs + j] < least)) continue;
            taken[j] = true;
            cluster[j] = (uint32_t)clusters;
            centre[j] = (uint32_t)best;
        }
    }
}

static void test_clusters(void **unused)
{
    (void)unused;
    static double gram[N * N];
    leman_context *ctx = test_context_new(2);
    leman_dataset *data = trees(ctx, 3, N);
    for (size_t name = 0; name < NAME_COUNT; name++)
        for (double least = 0.21; least < 1; least += 0.13) {
            leman_kernel kernels[2];
            uint32_t cluster[N], centre[N], slow[N], slow_centre[N];
            double similarity[N];
            size_t clusters = 0;
            const size_t count = named(ctx, NAMES[name], kernels);
            assert_int_equal(leman_gram_compute(ctx, data, NULL, kernels, count, true, gram), LEMAN_OK);
            assert_int_equal(
                leman_clusters_find(ctx, data, kernels, count, least, cluster, centre, similarity, &clusters),
                LEMAN_OK);
            assert_int_equal(slow_clusters(gram, N, least, slow, slow_centre), clusters);
            assert_memory_equal(cluster, slow, sizeof slow);
            assert_memory_equal(centre, slow_centre, sizeof slow);
            for (size_t i = 0; i < N; i++)
                assert_true(fabs(similarity[i] - (centre[i] == i ? 1 : gram[i * N + centre[i]])) < 1e-12);
        }
    leman_dataset_free(data);
    test_context_free(ctx);
}

/* ---- Memory ---------------------------------------------------------------------------------- */

static leman_status search(leman_context *ctx, void *path)
{
    leman_read_options reading = leman_read_options_default();
    leman_kernel kernel;
    leman_dataset *queries = NULL;
    leman_neighbors *found = NULL;
    uint32_t cluster[8];
    size_t clusters;
    reading.skip_unreadable = true;
    leman_status st = leman_dataset_read(ctx, path, &reading, NULL, &queries);
    leman_kernel_init(&kernel, sizeof kernel);
    if (!st) st = leman_neighbors_kernel(ctx, queries, &kernel);
    if (!st) st = leman_neighbors_find(ctx, queries, path, &reading, &kernel, 1, 2, NULL, &found);
    leman_neighbors_free(found);
    found = NULL;
    if (!st) st = leman_neighbors_among(ctx, queries, NULL, &kernel, 1, 2, &found);
    leman_neighbors_free(found);
    if (!st) st = leman_clusters_find(ctx, queries, &kernel, 1, 0.5, cluster, NULL, NULL, &clusters);
    leman_dataset_free(queries);
    return st;
}

static void test_allocations(void **unused)
{
    (void)unused;
    const char *folder = test_folder_new();
    char path[512];
    snprintf(path, sizeof path, "%s", test_file_text(folder, "x.csv", SMILES));
    assert_true(test_fail_each_allocation(search, path) > 30);
    test_folder_remove(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_definition), cmocka_unit_test(test_few),         cmocka_unit_test(test_file),
        cmocka_unit_test(test_clusters),   cmocka_unit_test(test_allocations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
