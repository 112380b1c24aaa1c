/* SMILES: molecules by hand, columns of files, what is refused and where, Kekulé structures, hydrogens, gzip, failing
 * allocations. tests/python/test_molecules.py compares with RDKit. */
#include "io/molecule/molecule.h"
#include "io/molecule/sdf.h"
#include "support/formats.h"
#include <math.h>
#include <stdio.h>
#include <unistd.h>
#include <zlib.h>

static leman_dataset *read_with(leman_context *ctx, const char *name, const char *text, leman_read_options *options)
{
    leman_dataset *data = NULL;
    leman_policy policy = leman_policy_default();
    lm_bytes bytes = {.data = text, .size = strlen(text)};
    options->policy = &policy;
    if (lm_format_smiles.read(ctx, name, &bytes, options, NULL, &data))
        fail_msg("%s: %s", text, leman_context_message(ctx));
    assert_int_equal(leman_dataset_check(ctx, data), LEMAN_OK);
    return data;
}

static leman_dataset *read_smiles(leman_context *ctx, const char *text)
{
    leman_read_options options = leman_read_options_default();
    return read_with(ctx, "test.smi", text, &options);
}

/* The label of the bond between u and v; 0 where there is none. */
static int64_t bond(const leman_dataset *data, size_t graph, size_t u, size_t v)
{
    leman_graph g = leman_dataset_graph(data, graph);
    for (uint64_t e = g.start[u]; e < g.start[u + 1]; e++)
        if (g.head[e] == v) return g.edge_label[e];
    return 0;
}

static void expect_labels(const leman_dataset *data, size_t graph, const int64_t *expected, size_t count)
{
    leman_graph g = leman_dataset_graph(data, graph);
    assert_int_equal(g.vertices * g.vertex_labels, count);
    assert_memory_equal(g.vertex_label, expected, count * sizeof *expected);
}
#define EXPECT_LABELS(data, graph, ...)                                                                                \
    expect_labels(data, graph, (const int64_t[]){__VA_ARGS__}, sizeof((int64_t[]){__VA_ARGS__}) / sizeof(int64_t))

static void expect_name(const leman_dataset *data, size_t graph, const char *expected)
{
    size_t length;
    const char *name = leman_dataset_graph_name(data, graph, &length);
    assert_int_equal(length, strlen(expected));
    assert_memory_equal(name, expected, length);
}

static void molecules_by_hand(void **state)
{
    (void)state;
    leman_context *ctx = test_context_new(1);
    leman_dataset *data =
        read_smiles(ctx, "CCO ethanol\nC#N\thydrogen cyanide\r\n# a comment\n\nCC(=O)[O-].[Na+] |c:1| a salt\n"
                         "c1ccccc1-c2ccccc2\n[13CH4]\n*ClBr\n");
    assert_int_equal(leman_dataset_shape(data)->graphs, 6);
    EXPECT_LABELS(data, 0, 6, 6, 8);
    EXPECT_LABELS(data, 1, 6, 7);
    EXPECT_LABELS(data, 2, 6, 6, 8, 51008, 1011);
    EXPECT_LABELS(data, 4, 13000006);
    EXPECT_LABELS(data, 5, 0, 17, 35);
    assert_int_equal(bond(data, 1, 0, 1), 3);
    assert_int_equal(bond(data, 2, 1, 2), 2);
    assert_int_equal(bond(data, 2, 3, 4), 0);
    assert_int_equal(bond(data, 3, 0, 5), 4);
    assert_int_equal(bond(data, 3, 5, 6), 1);
    expect_name(data, 0, "ethanol");
    expect_name(data, 1, "hydrogen cyanide");
    expect_name(data, 2, "a salt");
    expect_name(data, 3, "");
    leman_dataset_free(data);
    test_context_free(ctx);
}

/* A bond that nobody wrote is aromatic only inside a ring; the spelling does not change the graph. */
static void implied_bonds(void **state)
{
    (void)state;
    leman_context *ctx = test_context_new(1);
    leman_dataset *data = read_smiles(ctx, "c1ccccc1c1ccccc1\nc1cc.c1\nc1cc2.c1cc2\nn1/c(=N)cccc1\nC1CC1\n");
    assert_int_equal(bond(data, 0, 5, 6), 1);
    assert_int_equal(bond(data, 0, 0, 5), 4);
    assert_int_equal(bond(data, 1, 0, 3), 1); /* joined through a ring number, but in no ring */
    assert_int_equal(bond(data, 1, 0, 1), 1);
    assert_int_equal(bond(data, 2, 0, 1), 4);
    assert_int_equal(bond(data, 2, 0, 3), 4);
    assert_int_equal(bond(data, 3, 0, 1), 4); /* a mark of stereochemistry names no order */
    assert_int_equal(bond(data, 4, 0, 2), 1);
    leman_dataset_free(data);
    test_context_free(ctx);
}

static void tables(void **state)
{
    (void)state;
    test_log log;
    test_log_new(&log);
    leman_read_options options = leman_read_options_default();
    options.class_column = "kind";
    leman_dataset *data = read_with(log.ctx, "t.csv",
                                    "mol_id,Canonical_SMILES,logP,\"active, now\",kind\n"
                                    "m1,CCO,-0.3,1,toxic\n\"m \"\"2\"\"\",\"c1ccccc1\",,0,\nm3,N,2,,safe\n",
                                    &options);
    const double targets[] = {-0.3, 1, NAN, 0, 2, NAN};
    assert_int_equal(leman_dataset_shape(data)->columns->targets, 2);
    assert_memory_equal(leman_dataset_targets(data), targets, sizeof targets);
    expect_name(data, 1, "m \"2\"");
    assert_true(leman_dataset_classes(data)[0] == 1 && leman_dataset_classes(data)[2] == 0);
    assert_true(leman_dataset_classes(data)[1] == LEMAN_CLASS_MISSING);
    assert_non_null(strstr(log.text,
                           "t: columns that are targets, numbered from 0: 0 is logP (missing in 1), 1 is active, "
                           "now (missing in 1)\n"));
    leman_dataset_free(data);
    options = leman_read_options_default();
    options.smiles_column = "structure";
    data = read_with(log.ctx, "t.tsv", "id\tstructure\n1\tCC\n2\tCN\n", &options);
    EXPECT_LABELS(data, 1, 6, 7);
    expect_name(data, 1, "2");
    leman_dataset_free(data);
    options.smiles_column = "1"; /* without a header, and with one */
    data = read_with(log.ctx, "t.csv", "7,CC,8\n6,CN,9\n", &options);
    assert_int_equal(leman_dataset_shape(data)->graphs, 2);
    leman_dataset_free(data);
    data = read_with(log.ctx, "t.csv", "x;y\n7;CC\n6;CN\n", &options);
    assert_int_equal(leman_dataset_shape(data)->graphs, 2);
    assert_int_equal(leman_dataset_shape(data)->columns->targets, 1);
    leman_dataset_free(data);
    options.smiles_column = NULL;
    data = read_with(log.ctx, "t.smi", "SMILES Name\nCC ethane\n", &options);
    expect_name(data, 0, "ethane");
    leman_dataset_free(data);
    test_log_free(&log);
}

/* The first line is a molecule where it begins with a SMILES, whatever its name says. */
static void headers(void **state)
{
    (void)state;
    static const struct {
        const char *file, *text, *column; /* --smiles, NULL: none */
        size_t graphs, atoms;             /* atoms of the first graph */
        const char *name;                 /* of the first graph */
        size_t targets;
    } CASES[] = {
        {"t.smi", "CCO from_smiles_1\nCC b\n", NULL, 2, 3, "from_smiles_1", 0},
        {"t.smi", "CCO\tfrom_smiles_1\nCC\tb\n", NULL, 2, 3, "from_smiles_1", 0},
        {"t.smi", "CCO smiles\nCC b\n", NULL, 2, 3, "smiles", 0},
        {"t.smi", "CCO my;smiles;name\nCC b\n", NULL, 2, 3, "my;smiles;name", 0},
        {"t.smi", "CCO |c:1| smiles\n", NULL, 1, 3, "smiles", 0},
        {"t.csv", "CCO,from_smiles_1\nCC,b\n", NULL, 2, 3, "from_smiles_1", 0},
        {"t.csv", "\"CCO\",\"from smiles\"\n\"CC\",\"b\"\n", NULL, 2, 3, "from smiles", 0},
        {"t.csv.gz", "CCO;from_smiles_1\nCC;b\n", NULL, 2, 3, "from_smiles_1", 0},
        {"t.csv", "CCO,0\nCC,1\n", "0", 2, 3, "0", 0}, /* the first column, and none that is called 0 */
        /* headers: the second line of each has a SMILES in the column that is called so */
        {"t.smi", "smiles\nCCO\n", NULL, 1, 3, "", 0},
        {"t.smi", "Canonical_SMILES Name\nCCO x\n", NULL, 1, 3, "x", 0},
        {"t.csv", "no,smiles,y\n1,CCO,3\n", NULL, 1, 3, "", 2},
        {"t.csv", "N atoms;SMILES\n3;CCO\n", NULL, 1, 3, "", 1},
        {"t.csv", "name,smiles\nN,CCO\n", NULL, 1, 3, "N", 0},
        {"t.csv", "CNS,smiles,y\n0.5,CCO,3\n", "smiles", 1, 3, "", 2},
        {"t.csv", ",0,1\n0,CCO,3\n", "0", 1, 3, "", 1}, /* a column that is called 0 */
        /* separators in quotes do not count */
        {"t.csv", "smiles,\"logP; exp\"\nCCO,3\n", NULL, 1, 3, "", 1},
        {"t.csv", "\"a\tb\",\"x;y, \"\"z\"\"\",smiles\n1,2,CCO\n", NULL, 1, 3, "", 2},
        {"t.csv", "smiles;5\" pipe; 6\" pipe\nCCO;3;4\n", NULL, 1, 3, "", 2}, /* quotes that are inches */
        {"t.csv", "\"CCO\",\"a;b\"\n\"CC\",\"c\"\n", "0", 2, 3, "a;b", 0},
    };
    leman_context *ctx = test_context_new(1);
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        leman_read_options options = leman_read_options_default();
        options.smiles_column = CASES[i].column;
        leman_dataset *data = read_with(ctx, CASES[i].file, CASES[i].text, &options);
        assert_int_equal(leman_dataset_shape(data)->graphs, CASES[i].graphs);
        assert_int_equal(leman_dataset_graph(data, 0).vertices, CASES[i].atoms);
        expect_name(data, 0, CASES[i].name);
        assert_int_equal(leman_dataset_shape(data)->columns->targets, CASES[i].targets);
        leman_dataset_free(data);
    }
    test_context_free(ctx);
}

static void refused_with_line_and_column(void **state)
{
    (void)state;
    static const struct {
        const char *text, *sentence;
    } CASES[] = {
        {"CC\nC1CC\n", "m.smi:2: column 2: found '1', expected the other end of this ring bond"},
        {"CC(\n", "m.smi:1: column 3: found '(', expected a ')' that closes this branch"},
        {"  CC=\n", "m.smi:1: column 6: found the end of the SMILES, expected an atom"},
        {"C[Xx]C\n", "m.smi:1: column 3: found 'X', expected an element symbol"},
        {"[D]C\n", "m.smi:1: column 2: found 'D', expected an element symbol; deuterium is [2H], tritium [3H]"},
        {"C=1CC#1\n", "m.smi:1: column 7: found '1', expected the same bond at both ends of a ring bond"},
        {"C11\n", "m.smi:1: column 3: found '1', expected a ring bond to another atom"},
        {"C1C1\n", "m.smi:1: column 4: found '1', expected a ring bond to an atom that it is not joined to yet"},
        {"C12CCC12\n", "m.smi:1: column 8: found '2', expected a ring bond to an atom that it is not joined to yet"},
        {"C1C2C(C)12\n", "m.smi:1: column 10: found '2', expected a ring bond to an atom that it is not joined to yet"},
        {"C2C1C(C2)(C)1\n",
         "m.smi:1: column 13: found '1', expected a ring bond to an atom that it is not joined to yet"},
        {"C12C(C1)(C)2\n",
         "m.smi:1: column 12: found '2', expected a ring bond to an atom that it is not joined to yet"},
        {"C1CC(C)11\n", "m.smi:1: column 9: found '1', expected the other end of this ring bond"},
        /* no ring number stands between '(' and the first atom of the branch */
        {"C(-5ccccc5)\n", "m.smi:1: column 4: found '5', expected an atom"},
        {"C(=1O)CC1\n", "m.smi:1: column 4: found '1', expected an atom"},
        {"C(1O)CC1\n", "m.smi:1: column 3: found '1', expected an atom or a bond"},
        {"C1CC(/1)C\n", "m.smi:1: column 7: found '1', expected an atom"},
        {"C1CC(C(~1))C\n", "m.smi:1: column 9: found '1', expected an atom"},
        {"C(->%12C)C%12\n", "m.smi:1: column 5: found '%', expected an atom"},
        {"C(.1C)C1\n", "m.smi:1: column 4: found '1', expected an atom"},
        {"C(=)C\n", "m.smi:1: column 4: found ')', expected an atom"},
        {"C(=(C))C\n", "m.smi:1: column 4: found '(', expected an atom"},
        {"C((C))C\n", "m.smi:1: column 3: found '(', expected an atom or a bond"},
        {"C%1C\n",
         "m.smi:1: column 2: found '%', expected a ring number: a digit, % and two digits, or %(up to five digits)"},
        {"[C+16]\n", "m.smi:1: column 3: found '+', expected a charge from -15 to 15"},
        {"[1234C]\n", "m.smi:1: column 2: found '1', expected an isotope up to 999"},
        {"C\xc3\xa9\n", "m.smi:1: column 2: found byte 195, expected an atom, a bond, a ring number, '.', '(' or ')'"},
        {"\n\n", "m.smi:3: found the end of the file, expected a SMILES"},
        {"smiles,a\nCC,1\n,2\n", "m.smi:3: column 1: found nothing, expected an atom"},
        {"smiles,a\nCC,1,2\n", "m.smi:2: found 3 columns, expected 2 as in the first line"},
        {"smiles,a\n\"CC,1\n", "m.smi:2: found a quote that is not closed"},
        {"smiles,a\n\"CC\"O,3\n", "m.smi:2: found text behind a closing quote, expected the end of the field"},
        {"smiles,a\nCC,\"1\"2\n", "m.smi:2: found text behind a closing quote, expected the end of the field"},
        {"smiles\t\"a\"b\nCC\t1\n", "m.smi:1: found text behind a closing quote, expected the end of the field"},
        /* no header but a molecule with a fault: names are no SMILES */
        {"C1CC from_smiles_1\nCC b\n", "m.smi:1: column 2: found '1', expected the other end of this ring bond"},
        {"C1CC\tfrom_smiles_1\nCC\tb\n", "m.smi:1: column 2: found '1', expected the other end of this ring bond"},
        {"C\tbad\xff\n", "m.smi:1: found bytes in the name that are no printable UTF-8 text"},
    };
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++)
        test_text_fails(lm_format_smiles.read, "m.smi", CASES[i].text, CASES[i].sentence);
}

/* Quoted cells of several lines: in headers, names, words and columns that are not used; line numbers stay right. */
static void several_lines(void **state)
{
    (void)state;
    static const struct {
        const char *text, *name, *target;
    } CASES[] = {
        {"smiles,name,y\nC,\"a\nb\",1\nCC,c,2\n", "a b", "y"},
        {"smiles,name,y\r\nC,\"a\r\nb\",1\r\nCC,c,2\r\n", "a b", "y"},
        {"smiles;\"IC50\n(nM)\";name\nC;1;\"a \"\"x\"\"\n\nb\"\nCC;2;c\n", "a \"x\"  b", "IC50 (nM)"},
        {"\"IC50\n(nM)\"\tsmiles\tname\n1\tC\t\"x\ny\"\n2\tCC\tc", "x y", "IC50 (nM)"},
        {"name,smiles,y\n\"a,\n# no comment,\nb\",C,1\nc,CC,2\n", "a, # no comment, b", "y"},
    };
    leman_context *ctx = test_context_new(1);
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        leman_read_options options = leman_read_options_default();
        leman_dataset *data = read_with(ctx, "t.csv", CASES[i].text, &options);
        size_t length;
        assert_int_equal(leman_dataset_shape(data)->graphs, 2);
        expect_name(data, 0, CASES[i].name);
        expect_name(data, 1, "c");
        assert_int_equal(leman_dataset_shape(data)->columns->targets, 1);
        const char *target = leman_dataset_target_name(data, 0, &length);
        assert_int_equal(length, strlen(CASES[i].target));
        assert_memory_equal(target, CASES[i].target, length);
        assert_true(leman_dataset_targets(data)[0] == 1 && leman_dataset_targets(data)[1] == 2);
        leman_dataset_free(data);
    }
    test_context_free(ctx);
    test_text_fails(lm_format_smiles.read, "m.smi", "smiles,a\nC,\"1\n2\n3\"\nC(,4\n",
                    "m.smi:5: column 2: found '(', expected a ')' that closes this branch");
    test_text_fails(lm_format_smiles.read, "m.smi", "smiles,a\nC,1\nC,\"2\nC,3\n",
                    "m.smi:3: found a quote that is not closed");
}

/* The words of class 1, in any case and as numbers of any spelling; all others are class 0. */
static void positive_words(void **state)
{
    (void)state;
    static const char TEXT[] = "smiles,a,b\nC,TRUE,1\nCC,True,x\nCCC,1,2\nCCCC,0,1.0\nO,,y\nN,FALSE,?\nS,1.0,x\n";
    static const int64_t A[] = {1, 1, 1, 0, LEMAN_CLASS_MISSING, 0, 1};
    test_log log;
    test_log_new(&log);
    leman_read_options options = leman_read_options_default();
    options.class_column = "a";
    options.positive = "yes, true,1";
    leman_dataset *data = read_with(log.ctx, "t.csv", TEXT, &options);
    assert_memory_equal(leman_dataset_classes(data), A, sizeof A);
    assert_non_null(strstr(
        log.text, "t: of column 'a', class 1 is TRUE (1), True (1), 1 (1), 1.0 (1); class 0 is 0 (1), FALSE (1)"));
    leman_dataset_free(data);
    test_log_free(&log);
    leman_context *ctx = test_context_new(1);
    leman_dataset *none = NULL;
    lm_bytes bytes = {.data = TEXT, .size = sizeof TEXT - 1};
    leman_policy policy = leman_policy_default();
    options.policy = &policy;
    options.positive = "active";
    assert_int_equal(lm_format_smiles.read(ctx, "t.csv", &bytes, &options, NULL, &none), LEMAN_ERROR_INPUT);
    assert_string_equal(leman_context_message(ctx),
                        "t.csv: found no word of active in column 'a', expected some of: TRUE (1), True (1), 1 (1), 0 "
                        "(1), FALSE (1), 1.0 (1)");
    options.class_column = "0";
    assert_int_equal(lm_format_smiles.read(ctx, "t.csv", &bytes, &options, NULL, &none), LEMAN_ERROR_INPUT);
    options.class_column = NULL;
    assert_int_equal(leman_dataset_read(ctx, "t.csv", &options, NULL, &none), LEMAN_ERROR_ARGUMENT);
    test_context_free(ctx);
}

/* Numbers behind signs are bounds, which a last column of each target describes; a column that has other words is none. */
static void censored_values(void **state)
{
    (void)state;
    static const char TEXT[] = "smiles,a,b,c,d\nC,>10,1,>x,1\nCC,<=0.5,2,1,2\nCCC,7,3,2,<3\nCCCC,,4,3,>= 4\n";
    static const char *const NAMES[] = {"a", "b", "d", "a censoring", "d censoring"};
    const double expected[] = {10, 1, 1, 1, 0, 0.5, 2, 2, -1, 0, 7, 3, 3, 0, -1, NAN, 4, 4, NAN, 1};
    test_log log;
    test_log_new(&log);
    leman_read_options options = leman_read_options_default();
    leman_dataset *data = read_with(log.ctx, "t.csv", TEXT, &options);
    assert_int_equal(leman_dataset_shape(data)->columns->targets, 1);
    assert_non_null(
        strstr(log.text, "column 'a' is no target, since '>10' in line 2 is no number; leman fit --censored"));
    leman_dataset_free(data);
    options.censored = true;
    data = read_with(log.ctx, "t.csv", TEXT, &options);
    assert_int_equal(leman_dataset_shape(data)->columns->targets, 5);
    for (size_t c = 0; c < 5; c++) {
        size_t length;
        const char *name = leman_dataset_target_name(data, c, &length);
        assert_int_equal(length, strlen(NAMES[c]));
        assert_memory_equal(name, NAMES[c], length);
    }
    for (size_t i = 0; i < 20; i++) {
        const double found = leman_dataset_targets(data)[i];
        if (isnan(expected[i]) ? !isnan(found) : !(fabs(found - expected[i]) < 1e-12))
            fail_msg("value %zu: found %g, expected %g", i, found, expected[i]);
    }
    assert_non_null(strstr(log.text, "t: 2 of 3 values of column 'a' are bounds\n"));
    leman_dataset_free(data);
    test_log_free(&log);
}

static void skipping(void **state)
{
    (void)state;
    test_log log;
    test_log_new(&log);
    leman_read_options options = leman_read_options_default();
    options.skip_unreadable = true;
    leman_dataset *data = read_with(log.ctx, "t.csv", "smiles,y\nC,1\nC(,2\nC1,3\nN,4\n", &options);
    assert_int_equal(leman_dataset_shape(data)->graphs, 2);
    assert_true(leman_dataset_targets(data)[1] == 4);
    assert_non_null(
        strstr(log.text, "t: SMILES that cannot be read and are left out: 2; the first: t.csv:3: column 2"));
    leman_dataset_free(data);
    test_log_free(&log);
}

static void hydrogens(void **state)
{
    (void)state;
    leman_context *ctx = test_context_new(1);
    leman_read_options options = leman_read_options_default();
    const char *text = "[H]C([H])O\n[2H]OC\n[H][H]\n[NH4+]\n";
    options.hydrogens = LEMAN_HYDROGENS_IMPLICIT;
    leman_dataset *data = read_with(ctx, "t.smi", text, &options);
    EXPECT_LABELS(data, 0, 6, 8);
    EXPECT_LABELS(data, 1, 2000001, 8, 6);
    EXPECT_LABELS(data, 2, 1, 1);
    leman_dataset_free(data);
    options.hydrogens = LEMAN_HYDROGENS_LABELS;
    data = read_with(ctx, "t.smi", text, &options);
    EXPECT_LABELS(data, 0, 6 + 3 * INT64_C(1000000000), 8 + INT64_C(1000000000));
    EXPECT_LABELS(data, 3, 1007 + 4 * INT64_C(1000000000));
    leman_dataset_free(data);
    options.hydrogens = LEMAN_HYDROGENS_EXPLICIT;
    data = read_with(ctx, "t.smi", text, &options);
    EXPECT_LABELS(data, 0, 1, 6, 1, 8, 1, 1);
    assert_true(test_has_arc(data, 0, 1, 4) && test_has_arc(data, 0, 3, 5));
    EXPECT_LABELS(data, 3, 1007, 1, 1, 1, 1);
    leman_dataset_free(data);
    options.hydrogens = LEMAN_HYDROGENS_AS_WRITTEN;
    options.atom_labels = LEMAN_ATOM_ELEMENT | LEMAN_ATOM_HYDROGENS | LEMAN_ATOM_AROMATIC | LEMAN_ATOM_COLUMNS;
    data = read_with(ctx, "t.smi", "c1cc[nH]c1\n", &options);
    EXPECT_LABELS(data, 0, 6, 1, 1, 6, 1, 1, 6, 1, 1, 7, 1, 1, 6, 1, 1);
    leman_dataset_free(data);
    test_context_free(ctx);
}

/* No number of neighbours makes an atom look as if it had few: 32,768 single bonds are twice 65,536. */
static void many_neighbors(void **state)
{
    (void)state;
    enum { NEIGHBORS = 32768, HYDROGENS = 150, COUNTED = 99 };
    static char text[1 + 3 * NEIGHBORS + 1];
    leman_context *ctx = test_context_new(1);
    leman_read_options options = leman_read_options_default();
    options.atom_labels = LEMAN_ATOM_ELEMENT | LEMAN_ATOM_HYDROGENS | LEMAN_ATOM_COLUMNS;
    for (int fewer = 0; fewer < 3; fewer++) {
        char *at = text;
        *at++ = 'C';
        for (int i = fewer; i < NEIGHBORS; i++, at += 3) memcpy(at, "(F)", 3);
        *at = 0;
        leman_dataset *data = read_with(ctx, "t.smi", text, &options);
        leman_graph g = leman_dataset_graph(data, 0);
        assert_int_equal(g.vertices, 1 + NEIGHBORS - fewer);
        assert_int_equal(g.vertex_label[1], 0);
        leman_dataset_free(data);
    }
    char *at = text;
    *at++ = 'C';
    for (int i = 0; i < HYDROGENS; i++, at += 5) memcpy(at, "([H])", 5);
    *at = 0;
    options.hydrogens = LEMAN_HYDROGENS_IMPLICIT; /* those that no label has room for stay atoms */
    leman_dataset *data = read_with(ctx, "t.smi", text, &options);
    leman_graph g = leman_dataset_graph(data, 0);
    assert_int_equal(g.vertices, 1 + HYDROGENS - COUNTED);
    assert_int_equal(g.vertex_label[1], COUNTED);
    leman_dataset_free(data);
    test_context_free(ctx);
}

/* Every aromatic carbon of these has exactly one double bond; the last two need blossoms, C60 among them. */
static void kekule(void **state)
{
    (void)state;
    static const char *const TEXTS[] = {"c1ccccc1",
                                        "c1ccc2ccccc2c1",
                                        "c1cc2cccc2c1",
                                        "c1ccc2cccc2cc1",
                                        "c1cc2ccc3cccc4ccc(c1)c2c34",
                                        "c12c3c4c5c1c6c7c8c2c9c1c3c2c3c4c4c%10c5c5c6c6c7c7c%"
                                        "11c8c9c8c9c1c2c1c2c3c4c3c4c%10c5c5c6c6c7c7c%11c8c8c9c1c1c2c3c2"
                                        "c4c5c6c3c7c8c1c23"};
    leman_context *ctx = test_context_new(1);
    leman_read_options options = leman_read_options_default();
    options.aromatic = LEMAN_AROMATIC_KEKULE;
    for (size_t i = 0; i < sizeof TEXTS / sizeof *TEXTS; i++) {
        leman_dataset *data = read_with(ctx, "t.smi", TEXTS[i], &options);
        leman_graph g = leman_dataset_graph(data, 0);
        for (size_t v = 0; v < g.vertices; v++) {
            size_t doubles = 0;
            for (uint64_t e = g.start[v]; e < g.start[v + 1]; e++) {
                assert_true(g.edge_label[e] == 1 || g.edge_label[e] == 2);
                doubles += g.edge_label[e] == 2;
            }
            assert_int_equal(doubles, 1);
        }
        leman_dataset_free(data);
    }
    leman_dataset *out = NULL;
    leman_policy policy = leman_policy_default();
    options.policy = &policy;
    lm_bytes bytes = {.data = "C\nc1ccnc1\n", .size = 10};
    assert_int_equal(lm_format_smiles.read(ctx, "t.smi", &bytes, &options, NULL, &out), LEMAN_ERROR_INPUT);
    assert_non_null(
        strstr(leman_context_message(ctx), "t.smi:2: found aromatic bonds that cannot be made single and double"));
    test_context_free(ctx);
}

/* A chain of n aromatic carbons with random bonds between: the matching is perfect where a search says that one exists.
 */
static bool has_matching(const bool joined[12][12], size_t atoms, unsigned used)
{
    size_t a = 0;
    while (a < atoms && used >> a & 1) a++;
    if (a == atoms) return true;
    for (size_t b = a + 1; b < atoms; b++)
        if (joined[a][b] && !(used >> b & 1) && has_matching(joined, atoms, used | 1u << a | 1u << b)) return true;
    return false;
}

static void kekule_finds_what_there_is(void **state)
{
    (void)state;
    leman_context *ctx = test_context_new(1);
    lm_mol m = {0};
    uint64_t seed = 1;
    size_t yes = 0;
    for (size_t trial = 0; trial < 3000; trial++) {
        bool joined[12][12] = {{false}};
        uint8_t order[66];
        size_t atom, missing;
        m.atoms = 0;
        m.bonds = 0;
        assert_int_equal(lm_mol_reserve(ctx, &m, 80), LEMAN_OK);
        m.atoms = 4 + trial % 9;
        for (size_t a = 0; a < m.atoms; a++) m.atom[a] = (lm_atom){.element = 6, .aromatic = true, .fixed = true};
        for (uint32_t a = 0; a < m.atoms; a++)
            for (uint32_t b = a + 1; b < m.atoms; b++) {
                seed = seed * 6364136223846793005u + 1442695040888963407u;
                if (seed >> 61 > 1 || m.atom[a].valence2 >= 9 || m.atom[b].valence2 >= 9) continue;
                joined[a][b] = true;
                m.bond[m.bonds++] = (lm_mol_bond){.from = a, .to = b, .type = LM_BOND_AROMATIC};
                m.atom[a].valence2 += 3;
                m.atom[b].valence2 += 3;
            }
        bool single = false;
        for (size_t a = 0; a < m.atoms; a++) { /* each is one short of its valence */
            single |= m.atom[a].valence2 == 0;
            m.atom[a].hydrogens = (uint8_t)(3 - m.atom[a].valence2 / 3);
        }
        if (single) continue;
        assert_int_equal(lm_mol_kekule(ctx, &m, order, &missing, &atom), LEMAN_OK);
        const bool found = !missing;
        assert_int_equal(found, has_matching(joined, m.atoms, 0));
        size_t doubles[12] = {0};
        for (size_t i = 0; i < m.bonds && found; i++)
            if (order[i] == 2) doubles[m.bond[i].from]++, doubles[m.bond[i].to]++;
        for (size_t a = 0; a < m.atoms && found; a++) assert_int_equal(doubles[a], 1);
        yes += found;
    }
    assert_true(yes > 100);
    lm_mol_free(&m);
    test_context_free(ctx);
}

static void labels_come_back(void **state)
{
    (void)state;
    const lm_atom atom = {.element = 7, .charge = -3, .hydrogens = 12, .radical = 2, .isotope = 15, .aromatic = true};
    for (unsigned labels = 1; labels < 2 * LEMAN_ATOM_AROMATIC; labels++) {
        int64_t label[8] = {0};
        lm_atom_label(&atom, labels, label);
        lm_atom back = lm_label_atom(label, labels);
        assert_int_equal(back.element, labels & LEMAN_ATOM_ELEMENT ? 7 : 0);
        assert_int_equal(back.charge, labels & LEMAN_ATOM_CHARGE ? -3 : 0);
        assert_int_equal(back.hydrogens, labels & LEMAN_ATOM_HYDROGENS ? 12 : 0);
        assert_int_equal(back.isotope, labels & LEMAN_ATOM_ISOTOPE ? 15 : 0);
        assert_int_equal(back.radical, labels & LEMAN_ATOM_RADICAL ? 2 : 0);
        assert_int_equal(back.aromatic, (labels & LEMAN_ATOM_AROMATIC) != 0);
    }
}

static void gzipped(void **state)
{
    (void)state;
    leman_context *ctx = test_context_new(1);
    const char *folder = test_folder_new();
    char path[4096];
    leman_dataset *plain = NULL, *packed = NULL;
    const char *text = "smiles,y\nCCO,1\nc1ccccc1,2\n", *file = test_file_text(folder, "m.csv", text);
    snprintf(path, sizeof path, "%s/n.csv.gz", folder);
    for (int part = 0; part < 2; part++) { /* two members that follow each other */
        gzFile out = gzopen(path, part ? "ab" : "wb");
        assert_non_null(out);
        gzwrite(out, part ? text + 14 : text, part ? (unsigned)strlen(text) - 14 : 14);
        gzclose(out);
    }
    assert_int_equal(leman_dataset_read(ctx, file, NULL, NULL, &plain), LEMAN_OK);
    assert_int_equal(leman_dataset_read(ctx, path, NULL, NULL, &packed), LEMAN_OK);
    assert_true(leman_dataset_checksum(plain) == leman_dataset_checksum(packed));
    assert_string_equal(leman_dataset_shape(packed)->name, "n");
    leman_dataset_free(plain);
    leman_dataset_free(packed);
    assert_int_equal(truncate(path, 40), 0);
    assert_int_equal(leman_dataset_read(ctx, path, NULL, NULL, &packed), LEMAN_ERROR_INPUT);

    /* The limit is one of decompressed bytes, whatever the buffer holds. */
    char lines[4000] = "smiles,y\n";
    size_t size = strlen(lines);
    for (int i = 0; i < 200; i++) size += (size_t)snprintf(lines + size, sizeof lines - size, "CCO,%d\n", i * i);
    gzFile out = gzopen(path, "wb");
    assert_non_null(out);
    gzwrite(out, lines, (unsigned)size);
    gzclose(out);
    leman_read_options options = leman_read_options_default();
    options.max_bytes = size - 1;
    assert_int_equal(leman_dataset_read(ctx, path, &options, NULL, &packed), LEMAN_ERROR_INPUT);
    assert_non_null(strstr(leman_context_message(ctx), "when it is decompressed"));
    options.max_bytes = size;
    assert_int_equal(leman_dataset_read(ctx, path, &options, NULL, &packed), LEMAN_OK);
    leman_dataset_free(packed);
    test_context_free(ctx);
}

static leman_status read_once(leman_context *ctx, void *user)
{
    leman_dataset *data = NULL;
    leman_read_options options = leman_read_options_default();
    leman_policy policy = leman_policy_default();
    const char *text =
        "smiles,name,y,kind\nc1cc[nH]c1,\"a \"\"b\"\"\",1,x\n[H]C%(200)CC%(200),b,2,y\nc1cc.c1,c,,x\nC(C)1CC1,d,3,x\n";
    lm_bytes bytes = {.data = text, .size = strlen(text)};
    (void)user;
    options.policy = &policy;
    options.class_column = "kind";
    options.aromatic = LEMAN_AROMATIC_AS_WRITTEN;
    options.hydrogens = LEMAN_HYDROGENS_IMPLICIT;
    leman_status st = lm_format_smiles.read(ctx, "m.csv", &bytes, &options, NULL, &data);
    leman_dataset_free(data);
    return st;
}

static void allocations_may_fail(void **state)
{
    (void)state;
    assert_true(test_fail_each_allocation(read_once, NULL) > 15);
}

/* One atom with a ring bond to each of many others: opened there, or closed there. Written again, it is the same. */
static void ring_bonds_of_one_atom(void **unused)
{
    (void)unused;
    enum { RINGS = 99998 };
    leman_context *ctx = test_context_new(1);
    char *text = malloc(24 * (size_t)RINGS);
    for (int closed = 0; closed < 2; closed++) {
        char *at = text;
        leman_dataset *data = NULL, *again = NULL;
        if (!closed) at += sprintf(at, "[U]");
        for (int i = 1; i <= RINGS; i++) at += sprintf(at, closed ? "C%%(%d)" : "%%(%d)", i);
        at += sprintf(at, closed ? "C[U]" : "C");
        for (int i = 1; i <= RINGS; i++) at += sprintf(at, closed ? "%%(%d)" : "C%%(%d)", i);
        const char *given = text;
        assert_int_equal(leman_dataset_from_smiles(ctx, &given, NULL, 1, NULL, NULL, &data), LEMAN_OK);
        assert_int_equal(leman_dataset_shape(data)->edges, 2 * RINGS + 1);
        assert_int_equal(leman_dataset_shape(data)->max_degree, RINGS + 1);
        char *written = test_text_written(ctx, lm_format_smiles.write, data);
        again = test_text_read(ctx, lm_format_smiles.read, written, NULL);
        assert_int_equal(leman_dataset_shape(again)->edges, 2 * RINGS + 1);
        assert_int_equal(leman_dataset_shape(again)->max_degree, RINGS + 1);
        free(written);
        leman_dataset_free(again);
        leman_dataset_free(data);
    }
    free(text);
    test_context_free(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(molecules_by_hand),
        cmocka_unit_test(implied_bonds),
        cmocka_unit_test(tables),
        cmocka_unit_test(headers),
        cmocka_unit_test(refused_with_line_and_column),
        cmocka_unit_test(several_lines),
        cmocka_unit_test(positive_words),
        cmocka_unit_test(censored_values),
        cmocka_unit_test(skipping),
        cmocka_unit_test(hydrogens),
        cmocka_unit_test(many_neighbors),
        cmocka_unit_test(kekule),
        cmocka_unit_test(kekule_finds_what_there_is),
        cmocka_unit_test(labels_come_back),
        cmocka_unit_test(gzipped),
        cmocka_unit_test(ring_bonds_of_one_atom),
        cmocka_unit_test(allocations_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
