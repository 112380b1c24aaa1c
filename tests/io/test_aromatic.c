/* Aromatic rings: molecules whose aromatic bonds RDKit's documentation and textbooks tell, in several spellings and
 * formats; charges of nitro groups; relevant cycles against a slow definition; failing allocations.
 * tests/python/test_aromatic.py compares with RDKit. */
#include "io/molecule/cycles.h"
#include "io/molecule/sdf.h"
#include "support/formats.h"
#include <stdio.h>

static leman_dataset *read_as(leman_context *ctx, const char *smiles, leman_aromatic aromatic)
{
    leman_dataset *data = NULL;
    leman_read_options options = leman_read_options_default();
    options.aromatic = aromatic;
    if (leman_dataset_from_smiles(ctx, &smiles, NULL, 1, &options, NULL, &data))
        fail_msg("%s: %s", smiles, leman_context_message(ctx));
    return data;
}

/* Number of bonds with this label. */
static size_t bonds_of(const leman_dataset *data, int64_t label)
{
    const leman_graph g = leman_dataset_graph(data, 0);
    size_t count = 0;
    for (size_t e = 0; e < g.arcs; e++) count += g.edge_label[e] == label;
    return count / 2;
}

static size_t aromatic_bonds(leman_context *ctx, const char *smiles, leman_aromatic model)
{
    leman_dataset *data = read_as(ctx, smiles, model);
    const size_t count = bonds_of(data, 4);
    leman_dataset_free(data);
    return count;
}

/* ---- RDKit's model --------------------------------------------------------------------------- */

static void known_molecules(void **state)
{
    static const struct {
        const char *smiles, *name;
        size_t bonds; /* aromatic */
    } KNOWN[] = {
        {"C1=CC=CC=C1", "benzene", 6},
        {"C1C=CC=CC=1", "benzene, the other Kekulé structure", 6},
        {"c1ccccc1", "benzene", 6},
        {"[H]C1=C([H])C([H])=C([H])C([H])=C1[H]", "benzene with hydrogens", 6},
        {"C1=CC=NC=C1", "pyridine", 6},
        {"C1=CNC=C1", "pyrrole", 5},
        {"C1=COC=C1", "furan", 5},
        {"C1=CSC=C1", "thiophene", 5},
        {"C1=C[Se]C=C1", "selenophene", 5},
        {"C1=CC=PC=C1", "phosphinine", 6},
        {"C1=CC=[SiH]C=C1", "silabenzene", 6},
        {"B1C=CC=CC=1", "borabenzene has six electrons", 6},
        {"C1=CC=C2C=CC=CC2=C1", "naphthalene", 11},
        {"C1=CC2=CC=CC=CC2=C1", "azulene: ten electrons, but not the bond between the rings", 10},
        {"C1=CC=C2C(=C1)C1=CC=CC=C21", "biphenylene: the ring of four has four electrons", 12},
        {"C1=CC=C(C=C1)C1=CC=CC=C1", "biphenyl", 12},
        {"C1=CC=CC=CC=C1", "cyclooctatetraene: eight electrons", 0},
        {"C1=CC=C1", "cyclobutadiene: four electrons", 0},
        {"C1=CC=CC=CC=CC=CC=CC=CC=CC=C1", "annulene of eighteen", 18},
        {"C=C1C=CC=C1", "fulvene: five electrons", 0},
        {"O=C1C=CC=CC=C1", "tropone: oxygen takes one of seven electrons", 7},
        {"O=C1C=CC(=O)C=C1", "quinone: four electrons", 0},
        {"O=C1C=CC=CN1", "pyridone", 6},
        {"CN1C=NC2=C1C(=O)N(C(=O)N2C)C", "caffeine", 10},
        {"C1=C[CH+]1", "cyclopropenyl cation", 3},
        {"C1=CC=C[CH+]C=C1", "tropylium cation", 7},
        {"C1=C[CH-]C=C1", "cyclopentadienyl anion", 5},
        {"C1=CCC=C1", "cyclopentadiene", 0},
        {"O=S1(=O)C=CC=C1", "a sulfone has too many bonds", 0},
        {"CN1(C)C=CC=C1", "nitrogen with four neighbours", 0},
        {"C1CCCCC1", "cyclohexane", 0},
        {"C1=CCCC=C1", "cyclohexadiene", 0},
        {"O=C1C=CC(=O)C2=C1OC=CO2", "RDKit Book: fused, not the bond between the rings", 10},
        {"C1=CC2=C(C=C1)C1=CC=CC=C21", "biphenylene again", 12},
        {"C1=CC=CC=C1C#N", "a triple bond outside", 6},
        {"C1=CC#CC=C1", "benzyne: five aromatic bonds beside the triple one", 5},
        {"*1C=CC=C1", "a placeholder gives two electrons", 5},
        {"C1=CC=CC=[O+]1", "pyrylium", 6},
        {"[O-][N+]1=CC=CC=C1", "pyridine oxide", 6},
        {"O=N1=CC=CC=C1", "pyridine oxide without charges", 6},
        {"CCO", "no ring", 0},
        {"N->[Cu]<-N", "dative bonds", 0},
    };
    (void)state;
    leman_context *ctx = test_context_new(1);
    for (size_t i = 0; i < sizeof KNOWN / sizeof *KNOWN; i++)
        if (aromatic_bonds(ctx, KNOWN[i].smiles, LEMAN_AROMATIC_RDKIT) != KNOWN[i].bonds)
            fail_msg("%s (%s): found %zu aromatic bonds, expected %zu", KNOWN[i].smiles, KNOWN[i].name,
                     aromatic_bonds(ctx, KNOWN[i].smiles, LEMAN_AROMATIC_RDKIT), KNOWN[i].bonds);
    leman_context_free(ctx);
}

/* The MDL model has no aromatic rings of five, none with other elements, and none with C=O. */
static void mdl_model(void **state)
{
    (void)state;
    leman_context *ctx = test_context_new(1);
    assert_int_equal(aromatic_bonds(ctx, "C1=CC=CC=C1", LEMAN_AROMATIC_MDL), 6);
    assert_int_equal(aromatic_bonds(ctx, "c1ccncc1", LEMAN_AROMATIC_MDL), 6);
    assert_int_equal(aromatic_bonds(ctx, "c1cc[nH]c1", LEMAN_AROMATIC_MDL), 0);
    assert_int_equal(aromatic_bonds(ctx, "c1ccoc1", LEMAN_AROMATIC_MDL), 0);
    assert_int_equal(aromatic_bonds(ctx, "c1ccpcc1", LEMAN_AROMATIC_MDL), 0);
    assert_int_equal(aromatic_bonds(ctx, "O=c1cccc[nH]1", LEMAN_AROMATIC_MDL), 0);
    leman_dataset *data = read_as(ctx, "c1cc[nH]c1", LEMAN_AROMATIC_MDL);
    assert_int_equal(bonds_of(data, 2), 2); /* its double bonds are written out */
    assert_int_equal(bonds_of(data, 1), 3);
    leman_dataset_free(data);
    leman_context_free(ctx);
}

/* Groups that are written with five bonds at nitrogen, and what has no Kekulé structure. */
static void other_repairs(void **state)
{
    (void)state;
    leman_context *ctx = test_context_new(1);
    static const char *const PAIRS[][2] = {{"CN(=O)=O", "C[N+](=O)[O-]"},
                                           {"CN=N#N", "CN=[N+]=[N-]"},
                                           {"OCl(=O)(=O)=O", "O[Cl+3]([O-])([O-])[O-]"},
                                           {"C=P(=O)C", "C=P(=O)C"},
                                           {"CC=P(=O)C", "CC=[P+]([O-])C"}};
    for (size_t i = 0; i < sizeof PAIRS / sizeof *PAIRS; i++) {
        leman_dataset *one = read_as(ctx, PAIRS[i][0], LEMAN_AROMATIC_RDKIT);
        leman_dataset *other = read_as(ctx, PAIRS[i][1], LEMAN_AROMATIC_RDKIT);
        const leman_graph a = leman_dataset_graph(one, 0), b = leman_dataset_graph(other, 0);
        int64_t difference = 0;
        for (size_t v = 0; v < a.vertices; v++) difference += a.vertex_label[v] - b.vertex_label[v];
        assert_int_equal(difference, 0); /* the oxygen with the charge may be another one */
        assert_int_equal(bonds_of(one, 2), bonds_of(other, 2));
        leman_dataset_free(one);
        leman_dataset_free(other);
    }
    assert_int_equal(aromatic_bonds(ctx, "c1cccc1", LEMAN_AROMATIC_RDKIT), 5); /* as it is written */
    assert_int_equal(aromatic_bonds(ctx, "C1=CC=CC=C1", LEMAN_AROMATIC_AS_WRITTEN), 0);
    leman_context_free(ctx);
}

/* ---- Formats --------------------------------------------------------------------------------- */

static void connection_tables(void **state)
{
    static const char *const BLOCKS[] = {
        "\n\n\n  6  6  0  0  0  0  0  0  0  0999 V2000\n"
        "    0.0000    0.0000    0.0000 C   0  0\n    1.0000    0.0000    0.0000 C   0  0\n"
        "    2.0000    0.0000    0.0000 C   0  0\n    3.0000    0.0000    0.0000 N   0  0\n"
        "    4.0000    0.0000    0.0000 C   0  0\n    5.0000    0.0000    0.0000 C   0  0\n"
        "  1  2  2  0\n  2  3  1  0\n  3  4  2  0\n  4  5  1  0\n  5  6  2  0\n  6  1  1  0\nM  END\n$$$$\n",
        "\n\n\n  0  0  0     0  0            999 V3000\nM  V30 BEGIN CTAB\nM  V30 COUNTS 6 6 0 0 0\n"
        "M  V30 BEGIN ATOM\nM  V30 1 C 0 0 0 0\nM  V30 2 C 0 0 0 0\nM  V30 3 C 0 0 0 0\nM  V30 4 N 0 0 0 0\n"
        "M  V30 5 C 0 0 0 0\nM  V30 6 C 0 0 0 0\nM  V30 END ATOM\nM  V30 BEGIN BOND\nM  V30 1 1 1 2\n"
        "M  V30 2 2 2 3\nM  V30 3 1 3 4\nM  V30 4 2 4 5\nM  V30 5 1 5 6\nM  V30 6 2 6 1\nM  V30 END BOND\n"
        "M  V30 END CTAB\nM  END\n$$$$\n"};
    (void)state;
    leman_context *ctx = test_context_new(1);
    for (size_t i = 0; i < 2; i++) {
        leman_dataset *data = NULL;
        leman_read_options options = leman_read_options_default();
        leman_policy policy = leman_policy_default();
        lm_bytes bytes = {.data = BLOCKS[i], .size = strlen(BLOCKS[i])};
        options.policy = &policy;
        options.aromatic = LEMAN_AROMATIC_RDKIT;
        if (lm_format_sdf.read(ctx, "m.sdf", &bytes, &options, NULL, &data)) fail_msg("%s", leman_context_message(ctx));
        assert_int_equal(bonds_of(data, 4), 6);
        leman_dataset_free(data);
    }
    leman_context_free(ctx);
}

static leman_graph_hash hash_of(leman_context *ctx, const leman_dataset *data)
{
    leman_graph_hash hash;
    leman_coloring coloring = leman_coloring_default();
    coloring.k = 1;
    assert_int_equal(leman_graph_hashes(ctx, data, &coloring, &hash), LEMAN_OK);
    return hash;
}

/* A molecule is one graph by default: with aromatic bonds, in both of its Kekulé structures, with some or all of its
 * hydrogens, with charges or without. */
static void one_molecule_is_one_graph(void **state)
{
    enum { SPELLINGS = 5 };
    static const char *const MOLECULES[][SPELLINGS] = {
        {"c1ccccc1", "C1=CC=CC=C1", "C1C=CC=CC=1", "[H]c1ccccc1", "C1([H])=C([H])C([H])=C([H])C([H])=C1[H]"},
        {"Cc1cc[nH]c1", "CC1=CNC=C1", "Cc1ccn([H])c1", "[H]C([H])([H])C1=CN([H])C=C1", "Cc1c[nH]cc1"},
        {"O=c1cccc[nH]1", "O=C1C=CC=CN1", "O=c1ccccn1[H]", "O=C1C=CC=CN1[H]", "O=C1C=CC=C[NH]1"},
        {"C[n+]1ccccc1", "C[N+]1=CC=CC=C1", "C[N+]1C=CC=CC=1", "C[n+]1ccc([H])cc1", "[H]C([H])([H])[n+]1ccccc1"},
        {"CN(=O)=O", "C[N+](=O)[O-]", "[CH3]N(=O)=O", "[H]C([H])([H])N(=O)=O", "CN(=O)=O"},
        {"[2H]OC", "[2H]OC[H]", "[2H]OC([H])([H])[H]", "[2H]O[CH3]", "[2H][O][CH2][H]"}};
    (void)state;
    test_log log;
    test_log_new(&log);
    for (size_t i = 0; i < sizeof MOLECULES / sizeof *MOLECULES; i++) {
        leman_graph_hash hash[SPELLINGS];
        for (size_t j = 0; j < SPELLINGS; j++) {
            leman_dataset *data = NULL;
            if (leman_dataset_from_smiles(log.ctx, MOLECULES[i] + j, NULL, 1, NULL, NULL, &data))
                fail_msg("%s: %s", MOLECULES[i][j], leman_context_message(log.ctx));
            hash[j] = hash_of(log.ctx, data);
            leman_dataset_free(data);
        }
        for (size_t j = 1; j < SPELLINGS; j++)
            if (memcmp(hash + j, hash, sizeof *hash)) fail_msg("%s is not %s", MOLECULES[i][j], MOLECULES[i][0]);
    }
    assert_non_null(strstr(log.text, "hydrogen atoms that were merged into their neighbours: 6\n"));
    test_log_free(&log);
}

/* ---- Relevant cycles ------------------------------------------------------------------------- */

/* All simple cycles as sets of bonds, by depth-first search from their smallest atom. */
typedef struct all_cycles {
    const lm_mol *m;
    uint64_t set[20000];
    size_t count, root;
    bool used[64];
} all_cycles;

static void walk(all_cycles *all, size_t at, uint64_t set)
{
    for (size_t i = 0; i < all->m->bonds; i++) {
        const lm_mol_bond *bond = all->m->bond + i;
        if ((bond->from != at && bond->to != at) || set >> i & 1) continue;
        const size_t next = bond->from == at ? bond->to : bond->from;
        if (next == all->root && __builtin_popcountll(set) > 1) {
            bool known = false; /* in the other direction */
            for (size_t c = 0; c < all->count; c++) known |= all->set[c] == (set | UINT64_C(1) << i);
            assert_true(all->count < 20000);
            if (!known) all->set[all->count++] = set | UINT64_C(1) << i;
        }
        if (next <= all->root || all->used[next]) continue;
        all->used[next] = true;
        walk(all, next, set | UINT64_C(1) << i);
        all->used[next] = false;
    }
}

/* Is the cycle a sum of shorter ones? Gaussian elimination over all shorter cycles. */
static bool is_relevant(const all_cycles *all, uint64_t cycle)
{
    uint64_t row[64] = {0};
    for (size_t c = 0; c < all->count; c++) {
        uint64_t set = all->set[c];
        if (__builtin_popcountll(set) >= __builtin_popcountll(cycle)) continue;
        for (int bit = 63; bit >= 0 && set; bit--) {
            if (!(set >> bit & 1)) continue;
            if (!row[bit]) {
                row[bit] = set;
                break;
            }
            set ^= row[bit];
        }
    }
    for (int bit = 63; bit >= 0; bit--)
        if (cycle >> bit & 1) {
            if (!row[bit]) return true;
            cycle ^= row[bit];
        }
    return false;
}

static void cycles_by_definition(void **state)
{
    static const char *const MOLECULES[] = {"C1CC2CC1CC2",
                                            "C12C3C4C1C5C2C3C45",
                                            "C1CC2CCC1CC2",
                                            "C1CCC2CCCCC2C1",
                                            "C1CC11CC1",
                                            "C1CC1C1CC1",
                                            "C12CCC(CC1)CCCC2",
                                            "c1cc2ccc3cccc4ccc(c1)c2c34",
                                            "C1C2CC3CC1CC(C2)C3",
                                            "C1CC2CCC3CCC(CCC1)C2C3",
                                            "C12=CON=C1C(C4)CC3CC2CC4C3",
                                            "C1CCCCC1.C1CC1",
                                            "CCO"};
    static all_cycles all;
    static bool wanted[64];
    (void)state;
    leman_context *ctx = test_context_new(1);
    memset(wanted, true, sizeof wanted);
    for (size_t i = 0; i < sizeof MOLECULES / sizeof *MOLECULES; i++) {
        lm_mol m = {0};
        lm_mol_search search;
        lm_cycles found = {0};
        lm_smiles_fault fault = {0};
        size_t expected = 0;
        lm_arena_mark before = lm_arena_now(&ctx->scratch);
        assert_int_equal(lm_smiles_parse(ctx, &m, MOLECULES[i], strlen(MOLECULES[i]), &fault), LEMAN_OK);
        assert_int_equal(lm_mol_rings(ctx, &m, true, &search), LEMAN_OK);
        assert_int_equal(lm_mol_cycles(ctx, &m, &search, wanted, &found), LEMAN_OK);
        all = (all_cycles){.m = &m};
        for (all.root = 0; all.root < m.atoms; all.root++) walk(&all, all.root, 0);
        for (size_t c = 0; c < all.count; c++) {
            if (!is_relevant(&all, all.set[c])) continue;
            expected++;
            size_t times = 0;
            for (size_t r = 0; r < found.end.count; r++) {
                uint64_t set = 0;
                for (size_t j = lm_cycle_begin(&found, r); j < lm_cycle_end(&found, r); j++)
                    set |= UINT64_C(1) << ((uint32_t *)found.bond.items)[j];
                times += set == all.set[c];
            }
            if (times != 1) fail_msg("%s: a relevant cycle is listed %zu times", MOLECULES[i], times);
        }
        assert_int_equal(found.end.count, expected);
        lm_cycles_free(&found);
        lm_mol_free(&m);
        lm_arena_reset(&ctx->scratch, before);
    }
    leman_context_free(ctx);
}

/* ---- Large molecules and memory -------------------------------------------------------------- */

/* Ladders of rings: a system of too many atoms stays as it is written; one that is just small enough is read. */
static void large_systems(void **state)
{
    (void)state;
    leman_context *ctx = test_context_new(1);
    for (size_t rings = 100; rings <= 1000; rings += 900) {
        char *text = malloc(32 * rings), *at = text;
        for (size_t i = 0; i < rings; i++) at += sprintf(at, "C%%(%zu)=C%%(%zu)", i, i + rings);
        for (size_t i = 0; i < rings; i++) at += sprintf(at, "C%%(%zu)=C%%(%zu)", i, i + rings);
        leman_dataset *data = read_as(ctx, text, LEMAN_AROMATIC_RDKIT);
        assert_int_equal(leman_dataset_graph(data, 0).vertices, 4 * rings);
        leman_dataset_free(data);
        free(text);
    }
    leman_context_free(ctx);
}

static leman_status read_once(leman_context *ctx, void *argument)
{
    static const char *const SMILES[] = {"CN1C=NC2=C1C(=O)N(C(=O)N2C)C", "c1cc2ccc3cccc4ccc(c1)c2c34", "CN(=O)=O"};
    leman_dataset *data = NULL;
    leman_read_options options = leman_read_options_default();
    (void)argument;
    options.aromatic = LEMAN_AROMATIC_RDKIT;
    const leman_status st = leman_dataset_from_smiles(ctx, SMILES, NULL, 3, &options, NULL, &data);
    leman_dataset_free(data);
    return st;
}

static void allocations_may_fail(void **state)
{
    (void)state;
    assert_true(test_fail_each_allocation(read_once, NULL) > 15);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_molecules),      cmocka_unit_test(mdl_model),
        cmocka_unit_test(other_repairs),        cmocka_unit_test(connection_tables),
        cmocka_unit_test(cycles_by_definition), cmocka_unit_test(large_systems),
        cmocka_unit_test(allocations_may_fail), cmocka_unit_test(one_molecule_is_one_graph),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
