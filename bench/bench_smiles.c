/*
 * How fast SMILES are read, one thread: bench_smiles [FILE of one SMILES a line, .smi]. Parsing alone is what RDKit's
 * MolFromSmiles(sanitize=False) does, one molecule after the other: atoms, bonds, hydrogens. Then the whole file as a
 * data set, with aromatic rings found. Seconds are processor time. bench/compare_rdkit.py puts RDKit beside it. Without
 * an argument it reads some molecules many times.
 */
#include "bench.h"
#include "io/molecule/molecule.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { REPEATS = 5, COPIES = 20000 };

static const char MADE[] = "CC(=O)Oc1ccccc1C(=O)O\nCn1cnc2c1c(=O)n(C)c(=O)n2C\nCC[C@H](C)[NH2+]CC(=O)Nc1ccc(Cl)cc1\n"
                           "O=C1c2ccccc2C(=O)N1CCN1CCOCC1\nCOc1cc2c(cc1OC)CC(N)C2\n";

static double seconds(void)
{
    return (double)clock() / CLOCKS_PER_SEC;
}

static char *whole(const char *path, size_t *size)
{
    FILE *file = path ? fopen(path, "rb") : NULL;
    const size_t made = sizeof MADE - 1, all = path ? (size_t)1 << 30 : made * COPIES;
    char *text = malloc(all + 1);
    if (!text || (path && !file)) fprintf(stderr, "%s: cannot be read\n", path ? path : "memory"), exit(1);
    *size = all;
    for (size_t i = 0; !path && i < COPIES; i++) memcpy(text + i * made, MADE, made);
    if (file) *size = fread(text, 1, all, file), fclose(file);
    text[*size] = '\0';
    return text;
}

/* Parses every line; how many there are. */
static size_t parse_lines(leman_context *ctx, lm_mol *molecule, const char *text, const char *end)
{
    size_t lines = 0;
    for (const char *next; text < end; text = next + 1, lines++) {
        lm_smiles_fault fault = {0};
        next = memchr(text, '\n', (size_t)(end - text));
        if (!next) next = end;
        bench_check(ctx, lm_smiles_parse(ctx, molecule, text, strcspn(text, " \t\r\n"), &fault));
    }
    return lines;
}

int main(int argc, char **argv)
{
    leman_context *ctx = bench_context(1);
    const char *path = argc > 1 ? argv[1] : NULL;
    lm_mol molecule = {0};
    size_t size, lines = 0;
    char *text = whole(path, &size);
    double parsing = 1e30, reading = 1e30;
    for (int i = 0; i < REPEATS; i++) {
        double began = seconds();
        lines = parse_lines(ctx, &molecule, text, text + size);
        if (seconds() - began < parsing) parsing = seconds() - began;
        leman_dataset *data = NULL;
        began = seconds();
        if (path) bench_check(ctx, leman_dataset_read(ctx, path, NULL, NULL, &data));
        if (seconds() - began < reading) reading = seconds() - began;
        leman_dataset_free(data);
    }
    printf("%zu SMILES: parsed in %.3f s, %.2f us each", lines, parsing, 1e6 * parsing / (double)lines);
    if (path) printf("; read as a data set in %.3f s", reading);
    printf("\n");
    lm_mol_free(&molecule);
    free(text);
    leman_context_free(ctx);
    return 0;
}
