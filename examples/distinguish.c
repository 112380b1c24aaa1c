/* Asks which algorithms tell two graphs apart: a pair of Cai, Fürer and Immerman.
 *
 *   cc examples/distinguish.c $(pkg-config --cflags --libs leman) -o distinguish && ./distinguish
 */
#include <leman.h>
#include <stdio.h>

static leman_status compare(leman_context *ctx, const leman_dataset *pair)
{
    leman_graph g = leman_dataset_graph(pair, 0), h = leman_dataset_graph(pair, 1);
    printf("two graphs of %zu vertices and %zu edges\n", g.vertices, g.arcs / 2);

    leman_coloring coloring = leman_coloring_default();
    coloring.rounds = LEMAN_STABLE;
    for (leman_algorithm a = LEMAN_ALGORITHM_WL; a <= LEMAN_ALGORITHM_LOCAL; a++) {
        leman_difference difference;
        coloring.algorithm = a;
        leman_status status = leman_distinguish(ctx, &g, &h, &coloring, false, &difference);
        if (status) return status;
        char name[32];
        leman_coloring_paper_name(&coloring, name, sizeof name);
        printf("%-11s: ", name);
        if (difference.distinguished)
            printf("told apart in round %u\n", (unsigned)difference.round);
        else
            printf("the same\n");
    }
    return LEMAN_OK;
}

int main(void)
{
    leman_context *ctx = NULL;
    leman_dataset *pair = NULL;
    leman_settings settings = leman_settings_default();
    if (leman_context_new(&settings, &ctx)) return 1;
    leman_status status = leman_dataset_generate(ctx, LEMAN_FAMILY_CFI, NULL, &pair);
    if (!status) status = compare(ctx, pair);
    if (status) fprintf(stderr, "%s\n", leman_context_message(ctx));
    leman_dataset_free(pair);
    leman_context_free(ctx);
    return status != LEMAN_OK;
}
