/* Steps of leman demo: generated graphs, and pairs that are hard to distinguish. */
#include "cli/demo/demo.h"

/* ---- Molecules ------------------------------------------------------------------------------- */

leman_status lm_demo_molecules(lm_demo *d)
{
    leman_status st = LEMAN_OK;
    leman_family_options options = leman_family_options_default();
    leman_cleaning report = {0};
    options.graphs = 200;
    options.seed = d->work->options->seed;
    TRY(leman_dataset_generate(d->ctx, LEMAN_FAMILY_MOLECULES, &options, &d->molecules));
    TRY(lm_write_wrapped(d->out,
                         "Two hundred molecule-like graphs, made from a seed. Their class is a ring pattern: are rings "
                         "fused along a bond, or only linked by one? This is what 'leman info' says about them, and "
                         "what colouring their pairs (k = 2) and triples (k = 3) of atoms would cost.",
                         0, 0));
    TRY(lm_write_text(d->out, "\n"));
    TRY(lm_info_write(d->work, d->molecules, &report, false, d->out));
done:
    return st;
}

/* ---- A pair that looks alike ----------------------------------------------------------------- */

enum { CARBONS = 10 };

/* Two rings of six that share a bond, and two rings of five with a bond between them: ten carbons, eleven bonds. */
static const unsigned char DECALIN[][2] = {{0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 5}, {5, 0},
                                           {4, 6}, {6, 7}, {7, 8}, {8, 9}, {9, 5}};
static const unsigned char BICYCLOPENTYL[][2] = {{0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 0}, {5, 6},
                                                 {6, 7}, {7, 8}, {8, 9}, {9, 5}, {0, 5}};

static leman_status build_pair(leman_context *ctx, leman_dataset **out)
{
    leman_status st = LEMAN_OK;
    leman_builder *builder = NULL;
    leman_columns columns = {.graph_names = true};
    TRY(leman_builder_new(ctx, "pair", &columns, &builder));
    for (int g = 0; g < 2; g++) {
        TRY(leman_builder_graph(builder, g ? "bicyclopentyl" : "decalin", NULL, NULL));
        for (int v = 0; v < CARBONS; v++) TRY(leman_builder_vertex(builder, NULL, NULL, NULL));
        for (size_t e = 0; e < sizeof DECALIN / sizeof *DECALIN; e++) {
            const unsigned char *edge = g ? BICYCLOPENTYL[e] : DECALIN[e];
            TRY(leman_builder_edge(builder, edge[0], edge[1], NULL, NULL));
        }
    }
    TRY(leman_builder_finish(builder, NULL, NULL, out));
done:
    leman_builder_free(builder);
    return st;
}

/* Adds a cell, "in round 2" or "never", for two graphs and an algorithm that runs until its colouring is stable. */
static leman_status add_round(leman_context *ctx, const leman_dataset *pair, leman_algorithm algorithm, unsigned k,
                              lm_table *table)
{
    leman_status st = LEMAN_OK;
    leman_coloring coloring = leman_coloring_default();
    leman_graph a = leman_dataset_graph(pair, 0), b = leman_dataset_graph(pair, 1);
    leman_difference difference;
    coloring.algorithm = algorithm;
    coloring.k = k;
    coloring.rounds = LEMAN_STABLE;
    TRY(leman_distinguish(ctx, &a, &b, &coloring, false, &difference));
    if (difference.distinguished)
        lm_table_cell(table, "in round %u", difference.round);
    else
        lm_table_cell(table, "never");
done:
    return st;
}

leman_status lm_demo_pair(lm_demo *d)
{
    static const struct {
        const char *name;
        leman_algorithm algorithm;
        unsigned k;
    } ROWS[] = {{"single atoms: colour refinement, WL1", LEMAN_ALGORITHM_LOCAL, 1},
                {"pairs, exchanging with every atom: WL2", LEMAN_ALGORITHM_WL, 2},
                {"pairs, moving along the bonds: LWL2", LEMAN_ALGORITHM_LOCAL, 2}};
    leman_status st = LEMAN_OK;
    leman_dataset *pair = NULL;
    lm_table table = {.ctx = d->ctx, .align = "ll"};
    TRY(build_pair(d->ctx, &pair));
    TRY(lm_write_wrapped(d->out,
                         "Decalin has two rings of six atoms that share a bond, bicyclopentyl two rings of five with a "
                         "bond between them. An atom that only looks at its neighbours, and at theirs, and so on, sees "
                         "the same in both: colour refinement, and every ordinary graph neural network, cannot "
                         "distinguish them. Colours of pairs of atoms can, if they look along the bonds.",
                         0, 0));
    TRY(lm_write_text(d->out, "\n"));
    lm_table_cell(&table, "what gets a colour");
    lm_table_cell(&table, "distinguished");
    for (size_t i = 0; i < sizeof ROWS / sizeof *ROWS; i++) {
        lm_table_cell(&table, "%s", ROWS[i].name);
        TRY(add_round(d->ctx, pair, ROWS[i].algorithm, ROWS[i].k, &table));
    }
    TRY(lm_table_write(&table, d->out));
done:
    lm_table_free(&table);
    leman_dataset_free(pair);
    return st;
}

/* ---- Why they differ ------------------------------------------------------------------------- */

leman_status lm_demo_why(lm_demo *d)
{
    leman_status st = LEMAN_OK;
    leman_dataset *data = NULL;
    leman_unrolling *unrolling = NULL;
    leman_explanation *explanation = NULL;
    leman_explained_pair pair = leman_explained_pair_default();
    leman_coloring coloring = leman_coloring_default();
    coloring.rounds = LEMAN_STABLE;
    TRY(leman_dataset_generate(d->ctx, LEMAN_FAMILY_CYCLES, NULL, &data));
    pair.data[0] = pair.data[1] = data;
    leman_graph a = leman_dataset_graph(data, 0), b = leman_dataset_graph(data, 1);
    TRY(lm_write_wrapped(
        d->out,
        "A smaller pair: a ring of six, and two rings of three. A colour can be taken apart into the colours that it "
        "is made of; this is what 'leman distinguish cycles.leman --explain' says. Two bonded atoms of a ring of three "
        "have a neighbour in common, those of a ring of six have none.",
        0, 0));
    TRY(lm_write_text(d->out, "\n"));
    TRY(leman_explain(d->ctx, &a, &b, &coloring, false, 0, &unrolling));
    TRY(leman_explanation_write(d->ctx, unrolling, &pair, LEMAN_EXPLANATION_FORMAT_TEXT, &explanation));
    TRY(lm_output_write(d->out, explanation->text, explanation->length));
done:
    leman_explanation_free(explanation);
    leman_unrolling_free(unrolling);
    leman_dataset_free(data);
    return st;
}

/* ---- Pairs that defeat any k ----------------------------------------------------------------- */

leman_status lm_demo_cfi(lm_demo *d)
{
    enum { SMALLEST = 2, LARGEST = 3 };
    static const char *const HEADINGS[] = {"k", "vertices", "edges", "k-tuples", "k-WL", "local k-WL"};
    leman_status st = LEMAN_OK;
    leman_dataset *pair = NULL;
    lm_table table = {.ctx = d->ctx, .align = "rrrrll"};
    TRY(lm_write_wrapped(d->out,
                         "For every k there are two graphs that k-WL does not distinguish: those of Cai, Fuerer and "
                         "Immerman. The local variant looks at fewer neighbours of each tuple and still sees the "
                         "difference. 'leman generate cfi -k 3 -o pair.g6' writes such a pair.",
                         0, 0));
    TRY(lm_write_text(d->out, "\n"));
    for (size_t i = 0; i < sizeof HEADINGS / sizeof *HEADINGS; i++) lm_table_cell(&table, "%s", HEADINGS[i]);
    for (unsigned k = SMALLEST; k <= LARGEST; k++) {
        leman_family_options options = leman_family_options_default();
        char number[LM_NUMBER_TEXT];
        options.k = k;
        TRY(leman_dataset_generate(d->ctx, LEMAN_FAMILY_CFI, &options, &pair));
        leman_graph g = leman_dataset_graph(pair, 0);
        lm_table_cell(&table, "%u", k);
        lm_table_cell(&table, "%zu", g.vertices);
        lm_table_cell(&table, "%zu", g.arcs / 2);
        lm_table_cell(&table, "%s", lm_count_text(lm_power(g.vertices, k), number));
        TRY(add_round(d->ctx, pair, LEMAN_ALGORITHM_WL, k, &table));
        TRY(add_round(d->ctx, pair, LEMAN_ALGORITHM_LOCAL, k, &table));
        leman_dataset_free(pair);
        pair = NULL;
    }
    TRY(lm_table_write(&table, d->out));
done:
    lm_table_free(&table);
    leman_dataset_free(pair);
    return st;
}
