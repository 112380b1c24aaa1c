/* Makes data sets of SMILES from files and from strings in memory. */
#include "base/arguments.h"
#include "base/drop.h"
#include "io/molecule/rows.h"
#include "io/molecule/smiles_table.h"
#include <string.h>

void lm_smiles_log(const lm_smiles_reader *r, const char *name)
{
    leman_context *ctx = r->text.ctx;
    lm_mol_log(ctx, &r->choices, &r->counts, name);
    if (r->extensions) lm_log(ctx, "%s: extensions of CXSMILES, |...|, that are left out: %zu", name, r->extensions);
    if (r->skipped)
        lm_log(ctx, "%s: SMILES that cannot be read and are left out: %zu; the first: %s", name, r->skipped,
               r->first_skipped);
}

lm_smiles_reader lm_smiles_reader_of(leman_context *ctx, const char *path, lm_bytes bytes,
                                     const leman_read_options *options)
{
    return (lm_smiles_reader){.text = lm_text_of(ctx, path, bytes),
                              .choices = lm_mol_choices_of(options),
                              .smiles_column = options->smiles_column,
                              .skip = options->skip_unreadable,
                              .properties = {.ctx = ctx,
                                             .file = path,
                                             .noun = "column",
                                             .class_column = options->class_column,
                                             .positive = options->positive,
                                             .class_optional = options->class_optional,
                                             .censored = options->censored},
                              .path = path};
}

leman_columns lm_smiles_columns(const lm_mol_choices *choices, bool names)
{
    return (leman_columns){.vertex_labels = lm_label_columns(choices->labels), .edge_labels = 1, .graph_names = names};
}

static leman_status smiles_read(leman_context *ctx, const char *path, lm_bytes *bytes,
                                const leman_read_options *options, leman_cleaning *cleaning, leman_dataset **out)
{
    AUTO(leman_builder_drop) leman_builder *builder = NULL;
    AUTO(lm_smiles_end) lm_smiles_reader reader = lm_smiles_reader_of(ctx, path, *bytes, options);
    const leman_columns kinds = lm_smiles_columns(&reader.choices, true);
    AUTO(lm_release_at) char *name = NULL;
    PASS(lm_path_stem(ctx, path, &name));
    PASS(leman_builder_new(ctx, name, &kinds, &builder));
    lm_raw *raw = lm_builder_raw(builder);
    lm_progress_begin(ctx, bytes->size, "reading %s", path);
    if (options->rows) PASS(lm_rows_new(ctx, options->row_columns, &reader.rows));
    PASS(lm_smiles_begin(&reader));
    if (reader.rows) PASS(lm_rows_check(ctx, reader.rows, path, "column"));
    while (!reader.ended) PASS(lm_smiles_lines(&reader, raw, SIZE_MAX));
    lm_smiles_log(&reader, name);
    PASS(lm_properties_finish(&reader.properties, raw));
    PASS(lm_flat_finish(ctx, &reader.flat, raw, options->policy, cleaning, out));
    lm_mol_clean(&reader.counts, 0, cleaning);
    if (options->rows) {
        *options->rows = reader.rows;
        reader.rows = NULL;
    }
    return LEMAN_OK;
}

static bool smiles_is(leman_context *ctx, lm_bytes bytes, const leman_read_options *options)
{
    return options->smiles_column || lm_smiles_table_is(bytes) || lm_smiles_structures_are(ctx, bytes);
}

const lm_format_row lm_format_smiles = {.endings = {".smi", ".smiles", ".ism"},
                                        .read = smiles_read,
                                        .write = lm_smiles_write,
                                        .is = smiles_is,
                                        .in_tables = true,
                                        .molecules = true,
                                        .slices = LM_STREAM_SMILES};

static leman_status add_all(lm_smiles_reader *r, lm_raw *raw, const char *const *smiles, const char *const *names,
                            size_t count, bool *refused)
{
    leman_context *ctx = r->text.ctx;
    lm_progress_begin(ctx, count, "reading SMILES");
    for (size_t i = 0; i < count; i++) {
        lm_text text = r->text;
        bool kept;
        if (!smiles[i]) return lm_fail(ctx, LEMAN_ERROR_ARGUMENT, "leman_dataset_from_smiles: smiles[%zu] is NULL", i);
        const size_t length = strlen(smiles[i]), line_end = length && smiles[i][length - 1] == '\n';
        const lm_field field = lm_smiles_trimmed(smiles[i], smiles[i] + length - line_end);
        text.at = field.at;
        text.end = field.at + field.length;
        text.line = i;
        PASS(lm_smiles_add(r, raw, &text, smiles[i], &kept));
        if (refused) refused[i] = !kept;
        text.at = names && names[i] ? names[i] : "";
        text.end = text.at + strlen(text.at);
        if (kept && names) PASS(lm_mol_name(&text, "name", raw));
        if (i % 256 == 0) PASS(lm_progress_step(ctx, i));
    }
    return LEMAN_OK;
}

leman_status leman_dataset_from_smiles(leman_context *ctx, const char *const *smiles, const char *const *names,
                                       size_t count, const leman_read_options *given, bool *refused,
                                       leman_dataset **out)
{
    leman_read_options options = leman_read_options_default();
    leman_policy policy;
    AUTO(leman_builder_drop) leman_builder *builder = NULL;
    AUTO(lm_smiles_end) lm_smiles_reader reader = {0};
    REQUIRE(ctx, smiles, out);
    PASS(lm_read_options_copy(ctx, given, &options, &policy));
    reader = lm_smiles_reader_of(ctx, "SMILES", (lm_bytes){0}, &options);
    const leman_columns kinds = lm_smiles_columns(&reader.choices, names != NULL);
    PASS(leman_builder_new(ctx, "SMILES", &kinds, &builder));
    PASS(add_all(&reader, lm_builder_raw(builder), smiles, names, count, refused));
    lm_smiles_log(&reader, "SMILES");
    PASS(lm_flat_finish(ctx, &reader.flat, lm_builder_raw(builder), &policy, options.cleaning, out));
    lm_mol_clean(&reader.counts, 0, options.cleaning);
    (*out)->reading = leman_reading_of(&options, true);
    return LEMAN_OK;
}
