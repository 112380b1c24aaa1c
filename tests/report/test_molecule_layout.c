/*
 * Layouts of molecules, measured here from the places alone: bonds of one length, atoms apart, no crossings, regular
 * rings, zigzag chains, straight triple bonds; over known molecules, real and generated ones.
 */
#include "report/drawing/molecule_layout.h"
#include "support/support.h"
#include <math.h>
#include <unistd.h>

enum { MAX = LM_SKELETON_ATOMS };
static const double PI = 3.14159265358979323846;

/* ---- Measuring ------------------------------------------------------------------------------- */

static double apart(const lm_point *p, size_t a, size_t b)
{
    return hypot(p[a].x - p[b].x, p[a].y - p[b].y);
}

/* The angle at b between a and c, in degrees. */
static double bent(const lm_point *p, size_t a, size_t b, size_t c)
{
    const double x = (p[a].x - p[b].x) * (p[c].x - p[b].x) + (p[a].y - p[b].y) * (p[c].y - p[b].y);
    return acos(fmax(-1, fmin(1, x / (apart(p, a, b) * apart(p, b, c))))) * 180 / PI;
}

/* Do two segments meet? Where lines a + s (b - a) and c + t (d - c) do, by Cramer's rule. */
static bool meet(lm_point a, lm_point b, lm_point c, lm_point d)
{
    const double x = b.x - a.x, y = b.y - a.y, u = d.x - c.x, v = d.y - c.y, area = x * v - y * u;
    if (fabs(area) < 1e-12) return false;
    const double s = ((c.x - a.x) * v - (c.y - a.y) * u) / area, t = ((c.x - a.x) * y - (c.y - a.y) * x) / area;
    return s > 1e-4 && s < 1 - 1e-4 && t > 1e-4 && t < 1 - 1e-4;
}

typedef struct measure {
    size_t clashes, crossings;
    double shortest, longest;
} measure;

static measure measure_of(const leman_graph *g, const lm_point *p)
{
    measure m = {0, 0, INFINITY, 0};
    for (size_t a = 0; a < g->vertices; a++) {
        assert_true(isfinite(p[a].x) && isfinite(p[a].y));
        for (size_t b = 0; b < a; b++) m.clashes += apart(p, a, b) < 0.5;
        for (uint64_t e = g->start[a]; e < g->start[a + 1]; e++) {
            const size_t b = g->head[e];
            m.shortest = fmin(m.shortest, apart(p, a, b));
            m.longest = fmax(m.longest, apart(p, a, b));
            for (size_t c = a + 1; c < g->vertices && b > a; c++)
                for (uint64_t f = g->start[c]; f < g->start[c + 1]; f++) {
                    const size_t d = g->head[f];
                    if (d > c && c != b && d != b && d != a) m.crossings += meet(p[a], p[b], p[c], p[d]);
                }
        }
    }
    return m;
}

static bool is_regular(const lm_ring_path *ring, const lm_point *p)
{
    lm_point middle = {0, 0};
    for (size_t i = 0; i < ring->size; i++)
        middle.x += p[ring->atom[i]].x / (double)ring->size, middle.y += p[ring->atom[i]].y / (double)ring->size;
    const double radius = 0.5 / sin(PI / (double)ring->size);
    for (size_t i = 0; i < ring->size; i++)
        if (fabs(hypot(p[ring->atom[i]].x - middle.x, p[ring->atom[i]].y - middle.y) - radius) > 0.02 ||
            fabs(apart(p, ring->atom[i], ring->atom[(i + 1) % ring->size]) - 1) > 0.02)
            return false;
    return true;
}

static size_t shared_atoms(const lm_ring_path *a, const lm_ring_path *b)
{
    size_t count = 0;
    for (size_t i = 0; i < a->size; i++)
        for (size_t k = 0; k < b->size; k++) count += a->atom[i] == b->atom[k];
    return count;
}

/* ---- Drawing --------------------------------------------------------------------------------- */

static void lay_out(leman_context *ctx, const leman_graph *g, lm_point *place)
{
    uint8_t order[4 * LM_SKELETON_BONDS];
    bool clean;
    assert_true(lm_skeleton_suits(g));
    for (size_t i = 0; i < g->arcs; i++)
        order[i] = g->edge_label ? (uint8_t)g->edge_label[(g->start[0] + i) * g->edge_labels] : 1;
    assert_int_equal(lm_molecule_layout(ctx, g, order, NULL, place, &clean), LEMAN_OK);
    const measure m = measure_of(g, place);
    assert_int_equal(clean, !m.clashes && !m.crossings);
}

static leman_dataset *molecule(leman_context *ctx, const char *smiles)
{
    leman_dataset *data = NULL;
    leman_read_options options = leman_read_options_default();
    options.hydrogens = LEMAN_HYDROGENS_AS_WRITTEN;
    assert_int_equal(leman_dataset_from_smiles(ctx, &smiles, NULL, 1, &options, NULL, &data), LEMAN_OK);
    return data;
}

/* Rings of chemists: how many, and their sizes from the smallest. */
static void test_rings(void **unused)
{
    (void)unused;
    static const struct {
        const char *smiles;
        size_t rings, size[8];
    } CASES[] = {{"CCO", 0, {0}},
                 {"c1ccc2ccccc2c1", 2, {6, 6}},
                 {"C1CC2CCC1C2", 2, {5, 5}},                       /* norbornane */
                 {"C1C2CC3CC1CC(C2)C3", 3, {6, 6, 6}},             /* adamantane */
                 {"C12C3C4C1C5C2C3C45", 5, {4, 4, 4, 4, 4}},       /* cubane */
                 {"C1CCC2(C1)CC2", 2, {3, 5}},                     /* spiro: two blocks */
                 {"c1cc2ccc3cccc4ccc(c1)c2c34", 4, {6, 6, 6, 6}}}; /* pyrene */
    leman_context *ctx = test_context_new(1);
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        leman_dataset *data = molecule(ctx, CASES[i].smiles);
        const leman_graph g = leman_dataset_graph(data, 0);
        const lm_arena_mark mark = lm_arena_now(&ctx->scratch);
        lm_skeleton s;
        size_t found = 0, count[16] = {0}, expected[16] = {0};
        assert_int_equal(lm_skeleton_new(ctx, &g, NULL, &s), LEMAN_OK);
        for (uint32_t b = 0; b < s.blocks; b++) {
            lm_ring_path *ring;
            size_t rings;
            assert_int_equal(lm_ring_basis(ctx, &s, b, &ring, &rings), LEMAN_OK);
            for (size_t r = 0; r < rings; r++) {
                count[ring[r].size]++;
                for (size_t k = 0; k < ring[r].size; k++) /* it is a cycle */
                    assert_true(lm_bond_between(&s, ring[r].atom[k], ring[r].atom[(k + 1) % ring[r].size]) !=
                                UINT32_MAX);
            }
            found += rings;
        }
        for (size_t r = 0; r < CASES[i].rings; r++) expected[CASES[i].size[r]]++;
        assert_int_equal(found, CASES[i].rings);
        assert_memory_equal(count, expected, sizeof count);
        lm_arena_reset(&ctx->scratch, mark);
        leman_dataset_free(data);
    }
    test_context_free(ctx);
}

/* Chains zigzag, triple bonds and cumulated double bonds are straight, four bonds make a cross. */
static void test_angles(void **unused)
{
    (void)unused;
    leman_context *ctx = test_context_new(1);
    lm_point p[MAX];
    leman_dataset *data = molecule(ctx, "CCCCCCCCCC");
    leman_graph g = leman_dataset_graph(data, 0);
    lay_out(ctx, &g, p);
    for (size_t a = 2; a < 10; a++) {
        assert_true(fabs(bent(p, a - 2, a - 1, a) - 120) < 1e-6);
        assert_true(fabs(apart(p, a - 2, a) - sqrt(3)) < 1e-6);
        assert_true(a < 4 || fabs(apart(p, a - 4, a) - 2 * sqrt(3)) < 1e-6); /* it does not curl */
    }
    assert_true(fabs(p[0].y - p[2].y) < 1e-6); /* level */
    leman_dataset_free(data);
    data = molecule(ctx, "CC#CC=C=C");
    g = leman_dataset_graph(data, 0);
    lay_out(ctx, &g, p);
    assert_true(bent(p, 0, 1, 2) > 179.9 && bent(p, 1, 2, 3) > 179.9 && bent(p, 3, 4, 5) > 179.9);
    assert_true(fabs(bent(p, 2, 3, 4) - 120) < 1e-6);
    leman_dataset_free(data);
    data = molecule(ctx, "CC(F)(F)F");
    g = leman_dataset_graph(data, 0);
    lay_out(ctx, &g, p);
    size_t right = 0;
    for (size_t a = 0; a < 5; a++)
        for (size_t b = 0; b < a; b++) right += a != 1 && b != 1 && fabs(bent(p, a, 1, b) - 90) < 1e-6;
    assert_int_equal(right, 4);
    leman_dataset_free(data);
    test_context_free(ctx);
}

/* Hydrogens that are atoms stand nearer to the only neighbour that they have. */
static void test_hydrogens(void **unused)
{
    (void)unused;
    leman_context *ctx = test_context_new(1);
    leman_dataset *data = molecule(ctx, "[H]C([H])([H])OC1([H])CC1([H])[H]");
    const leman_graph g = leman_dataset_graph(data, 0);
    lm_point p[MAX];
    bool small[MAX], clean;
    size_t hydrogens = 0;
    for (size_t v = 0; v < g.vertices; v++) hydrogens += small[v] = g.vertex_label[v] == 1;
    assert_int_equal(hydrogens, 6);
    assert_int_equal(lm_molecule_layout(ctx, &g, NULL, small, p, &clean), LEMAN_OK);
    assert_true(clean);
    for (size_t v = 0; v < g.vertices; v++)
        for (uint64_t e = g.start[v]; e < g.start[v + 1]; e++) {
            const bool near = small[v] || small[g.head[e]];
            assert_true(fabs(apart(p, v, g.head[e]) - (near ? LM_SHORT_BOND : 1)) < 1e-6);
        }
    leman_dataset_free(data);
    test_context_free(ctx);
}

/* Nothing on anything else, and the same every time. Those with the mark have regular rings and bonds of 1. */
static void test_known_molecules(void **unused)
{
    (void)unused;
    static const struct {
        const char *smiles;
        bool regular;
    } CASES[] = {{"c1ccccc1", true},
                 {"CC(=O)Oc1ccccc1C(=O)O", true},      /* aspirin */
                 {"Cn1cnc2c1c(=O)n(C)c(=O)n2C", true}, /* caffeine */
                 {"c1cc2ccc3cccc4ccc(c1)c2c34", true}, /* pyrene */
                 {"C1CCC2(C1)CC2", true},              /* spiro */
                 {"c1ccc2c(c1)[nH]c1ccccc12", true},   /* carbazole: 5- and 6-rings */
                 {"C1CCCCCCCCCCC1", true},             /* a large ring */
                 {"[Na+].[Cl-]", true},                /* parts without bonds */
                 {"CC(C)Cc1ccc(cc1)C(C)C(=O)[O-].[Na+]", true},
                 {"C1CC2CCC1C2", false},                        /* norbornane */
                 {"C1CC2CCC1CC2", false},                       /* bicyclooctane */
                 {"C1C2CC3CC1CC(C2)C3", false},                 /* adamantane */
                 {"CN1C2CCC1CC(C2)OC(=O)C(CO)c1ccccc1", false}, /* atropine */
                 {"C12C3C4C1C5C2C3C45", false},                 /* cubane */
                 {"CN1CCC23C4C1CC5=C2C(=C(C=C5)O)OC3C(C=C4)O", false}};
    leman_context *ctx = test_context_new(1);
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        leman_dataset *data = molecule(ctx, CASES[i].smiles);
        const leman_graph g = leman_dataset_graph(data, 0);
        const lm_arena_mark mark = lm_arena_now(&ctx->scratch);
        lm_point p[MAX], again[MAX];
        lm_skeleton s;
        lay_out(ctx, &g, p);
        lay_out(ctx, &g, again);
        assert_memory_equal(p, again, g.vertices * sizeof *p);
        const measure m = measure_of(&g, p);
        assert_int_equal(m.clashes, 0);
        if (i + 1 < sizeof CASES / sizeof *CASES) assert_int_equal(m.crossings, 0); /* morphine is not that flat */
        if (CASES[i].regular && g.arcs) assert_true(m.shortest > 0.98 && m.longest < 1.02);
        assert_int_equal(lm_skeleton_new(ctx, &g, NULL, &s), LEMAN_OK);
        for (uint32_t b = 0; b < s.blocks && CASES[i].regular; b++) {
            lm_ring_path *ring;
            size_t rings;
            assert_int_equal(lm_ring_basis(ctx, &s, b, &ring, &rings), LEMAN_OK);
            for (size_t r = 0; r < rings; r++) assert_true(is_regular(ring + r, p));
        }
        lm_arena_reset(&ctx->scratch, mark);
        leman_dataset_free(data);
    }
    test_context_free(ctx);
}

/* Returns the smallest distance of an atom from a bond that does not end there. */
static double beside_bonds(const leman_graph *g, const lm_point *p)
{
    double least = INFINITY;
    for (size_t a = 0; a < g->vertices; a++)
        for (uint64_t e = g->start[a]; e < g->start[a + 1]; e++)
            for (size_t c = 0; c < g->vertices; c++) {
                const size_t b = g->head[e];
                const double x = p[b].x - p[a].x, y = p[b].y - p[a].y;
                const double along = ((p[c].x - p[a].x) * x + (p[c].y - p[a].y) * y) / (x * x + y * y);
                const double t = along < 0 ? 0 : along > 1 ? 1 : along;
                if (c != a && c != b) least = fmin(least, hypot(p[c].x - p[a].x - t * x, p[c].y - p[a].y - t * y));
            }
    return least;
}

/* Bridged rings without crossings, with atoms off the bonds of others, and with corners at all atoms of two bonds:
 * a carbon atom on the line between its neighbours would not be seen. */
static void test_bridged(void **unused)
{
    (void)unused;
    static const char *const SMILES[] = {
        "C1CC2CCC1C2",                                          /* norbornane */
        "C1C2CC3CC1CC(C2)C3",                                   /* adamantane */
        "CC1(C)C2CCC1(C)C(=O)C2",                               /* camphor */
        "CC1=CCC2CC1C2(C)C",                                    /* pinene */
        "C12C3C4C1C5C2C3C45",                                   /* cubane */
        "CN1C2CCCC1CC2",                                        /* tropane */
        "C1CN2CCC1CC2",                                         /* quinuclidine */
        "C1=CC2C=CC1C=C2",                                      /* barrelene */
        "C1N2CN3CN1CN(C2)C3",                                   /* urotropine */
        "CC12CC3CC(C)(C1)CC(N)(C3)C2",                          /* memantine */
        "C1CC2CC3CCC2CC13",                                     /* twistane */
        "CC1(C)CCCC2(C)C3CCC(C12)C3=C",                         /* longifolene */
        "C1CN2CC3=CCOC4CC(=O)N5C6C4C3CC2C61C7=CC=CC=C75",       /* strychnine */
        "COc1ccc2nccc(C(O)C3CC4CCN3CC4C=C)c2c1",                /* quinine */
        "COC(=O)C1C(OC(=O)c2ccccc2)CC2CCC1N2C",                 /* cocaine */
        "CC1CCC2C(C)C(=O)OC3OC4(C)CCC1C23OO4",                  /* artemisinin */
        "C1=CC2=CC3=CC=C(N3)C=C4C=CC(=N4)C=C5C=CC(=CC1=N2)N5"}; /* porphine, a ring of rings */
    leman_context *ctx = test_context_new(1);
    for (size_t i = 0; i < sizeof SMILES / sizeof *SMILES; i++) {
        leman_dataset *data = molecule(ctx, SMILES[i]);
        const leman_graph g = leman_dataset_graph(data, 0);
        lm_point p[MAX];
        lay_out(ctx, &g, p);
        const measure m = measure_of(&g, p);
        assert_int_equal(m.clashes + m.crossings, 0);
        assert_true(m.shortest > 0.5 && m.longest < 2.2 && beside_bonds(&g, p) > 0.3);
        for (size_t a = 0; a < g.vertices; a++)
            if (g.start[a + 1] - g.start[a] == 2)
                assert_true(bent(p, g.head[g.start[a]], a, g.head[g.start[a] + 1]) < 166);
        leman_dataset_free(data);
    }
    test_context_free(ctx);
}

/* ---- Many ------------------------------------------------------------------------------------ */

typedef struct shares {
    size_t graphs, clean, even, rings, regular;
} shares;

/* Rings that share no more than a bond with another one, and that with no third, can be regular. */
static void count_rings(leman_context *ctx, const leman_graph *g, const lm_point *p, shares *all)
{
    const lm_arena_mark mark = lm_arena_now(&ctx->scratch);
    lm_skeleton s;
    assert_int_equal(lm_skeleton_new(ctx, g, NULL, &s), LEMAN_OK);
    for (uint32_t b = 0; b < s.blocks; b++) {
        lm_ring_path *ring;
        size_t rings;
        bool bridged = false;
        assert_int_equal(lm_ring_basis(ctx, &s, b, &ring, &rings), LEMAN_OK);
        for (size_t r = 0; r < rings; r++)
            for (size_t q = 0; q < r; q++) bridged |= shared_atoms(ring + r, ring + q) > 2;
        for (uint32_t i = 0; i < s.bonds; i++) {
            size_t of = 0;
            for (size_t r = 0; r < rings; r++) of += lm_bit(ring[r].bond, i);
            bridged |= of > 2;
        }
        for (size_t r = 0; r < rings && !bridged; r++) {
            all->rings++;
            all->regular += is_regular(ring + r, p);
        }
    }
    lm_arena_reset(&ctx->scratch, mark);
}

static shares share_of(leman_context *ctx, const leman_dataset *data, size_t step)
{
    shares all = {0};
    for (size_t i = 0; i < leman_dataset_shape(data)->graphs; i += step) {
        const leman_graph g = leman_dataset_graph(data, i);
        lm_point p[MAX];
        lay_out(ctx, &g, p);
        const measure m = measure_of(&g, p);
        all.graphs++;
        all.clean += !m.clashes && !m.crossings;
        all.even += m.shortest > 0.8 && m.longest < 1.2;
        count_rings(ctx, &g, p, &all);
    }
    print_message(
        "%zu molecules: %.2f %% without clashes and crossings, %.2f %% with all bonds within 20 %%, %.2f %% of "
        "%zu rings without bridges regular\n",
        all.graphs, 100.0 * (double)all.clean / (double)all.graphs, 100.0 * (double)all.even / (double)all.graphs,
        100.0 * (double)all.regular / (double)all.rings, all.rings);
    return all;
}

static void test_real_molecules(void **unused)
{
    (void)unused;
    const char *given = getenv("LEMAN_DATA");
    const char *path = test_path(given ? given : LEMAN_SOURCE_DIR "/../shared/data", "ZINC_full.csv.gz");
    if (access(path, R_OK)) test_skip("the data set ZINC_full.csv.gz is not here");
    leman_context *ctx = test_context_new(1);
    leman_dataset *data = NULL;
    assert_int_equal(leman_dataset_read(ctx, path, NULL, NULL, &data), LEMAN_OK);
    const shares all = share_of(ctx, data, 101);
    assert_true(1000 * all.clean >= 995 * all.graphs);
    assert_true(1000 * all.even >= 980 * all.graphs);
    assert_true(1000 * all.regular >= 995 * all.rings);
    leman_dataset_free(data);
    test_context_free(ctx);
}

static void test_generated_molecules(void **unused)
{
    (void)unused;
    leman_context *ctx = test_context_new(1);
    leman_dataset *data = NULL;
    leman_family_options options = leman_family_options_default();
    options.graphs = 300;
    assert_int_equal(leman_dataset_generate(ctx, LEMAN_FAMILY_MOLECULES, &options, &data), LEMAN_OK);
    const shares all = share_of(ctx, data, 1);
    assert_true(100 * all.clean >= 80 * all.graphs); /* many are propellanes with branches on every ring */
    assert_true(1000 * all.regular >= 995 * all.rings);
    leman_dataset_free(data);
    test_context_free(ctx);
}

/* ---- Other graphs ---------------------------------------------------------------------------- */

/* Any graph that suits gets finite places. */
static void test_random_graphs(void **unused)
{
    (void)unused;
    leman_context *ctx = test_context_new(1);
    uint64_t state = 31;
    size_t suited = 0;
    for (size_t i = 0; i < 120; i++) {
        leman_dataset *data =
            test_random_graph(ctx, &state, test_random(&state) % 16, 5 + (unsigned)(i % 50), 0, 0, false);
        const leman_graph g = leman_dataset_graph(data, 0);
        lm_point p[MAX];
        if (lm_skeleton_suits(&g)) lay_out(ctx, &g, p), suited++;
        leman_dataset_free(data);
    }
    assert_true(suited > 60);
    test_context_free(ctx);
}

/* Coordinates of the data are taken where they make a drawing. */
static void test_given_coordinates(void **unused)
{
    (void)unused;
    static const struct {
        double at[3][3];
        bool good;
    } CASES[] = {{{{0, 0, 0}, {1.5, 0, 0}, {2.25, 1.3, 0}}, true},
                 {{{0, 0, 0}, {1.5, 0, 0}, {0.1, 0.1, 0}}, false},  /* two on each other */
                 {{{0, 0, 0}, {1.5, 0, 0}, {9, 1, 0}}, false},      /* a long bond */
                 {{{0, 0, 0}, {0, 0, 0}, {0, 0, 0}}, false},        /* none */
                 {{{0, 0, 0}, {1.2, 0, 0.9}, {2.25, 1, 0}}, true}}; /* seen from above */
    leman_context *ctx = test_context_new(1);
    const leman_columns columns = {.vertex_labels = 1, .edge_labels = 1, .vertex_attributes = 3};
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        leman_builder *b = NULL;
        leman_dataset *data = NULL;
        lm_point p[3];
        assert_int_equal(leman_builder_new(ctx, "x", &columns, &b), LEMAN_OK);
        assert_int_equal(leman_builder_graph(b, NULL, NULL, NULL), LEMAN_OK);
        for (size_t v = 0; v < 3; v++)
            assert_int_equal(leman_builder_vertex(b, NULL, &(int64_t){6}, CASES[i].at[v]), LEMAN_OK);
        for (size_t v = 0; v < 2; v++) assert_int_equal(leman_builder_edge(b, v, v + 1, &(int64_t){1}, NULL), LEMAN_OK);
        assert_int_equal(leman_builder_finish(b, NULL, NULL, &data), LEMAN_OK);
        const leman_graph g = leman_dataset_graph(data, 0);
        assert_int_equal(lm_molecule_layout_given(&g, p), CASES[i].good);
        if (CASES[i].good) assert_true(apart(p, 0, 1) > 0.8 && apart(p, 0, 1) < 1.2 && p[2].y > p[0].y);
        leman_builder_free(b);
        leman_dataset_free(data);
    }
    test_context_free(ctx);
}

static leman_status take(leman_context *ctx, void *state)
{
    lm_point p[MAX];
    bool clean;
    return lm_molecule_layout(ctx, state, NULL, NULL, p, &clean);
}

static void test_allocations(void **unused)
{
    (void)unused;
    leman_context *ctx = test_context_new(1);
    leman_dataset *data = molecule(ctx, "CN1C2CCC1CC(C2)OC(=O)C(CO)c1ccccc1.[Na+]");
    leman_graph g = leman_dataset_graph(data, 0);
    assert_true(test_fail_each_allocation(take, &g) > 0);
    leman_dataset_free(data);
    test_context_free(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_rings),
                                       cmocka_unit_test(test_angles),
                                       cmocka_unit_test(test_hydrogens),
                                       cmocka_unit_test(test_known_molecules),
                                       cmocka_unit_test(test_bridged),
                                       cmocka_unit_test(test_real_molecules),
                                       cmocka_unit_test(test_generated_molecules),
                                       cmocka_unit_test(test_random_graphs),
                                       cmocka_unit_test(test_given_coordinates),
                                       cmocka_unit_test(test_allocations)};
    return test_run(tests);
}
