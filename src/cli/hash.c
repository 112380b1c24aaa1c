/* leman hash: a hash of each graph, equal where a colouring does not tell graphs apart. */
#include "base/drop.h"
#include "cli/commands.h"
#include "cli/options/coloring.h"

typedef struct hash_options {
    lm_coloring_options coloring;
    uint64_t digits;
} hash_options;

#define FIELD(member) offsetof(hash_options, member)

static const lm_option ROWS[] = {
    LM_ROW("digits", 0, LM_UNSIGNED, FIELD(digits), "N", HELP_HASH_DIGITS, .max = 15),
    LM_RESULT_ROW,
    {0},
};

/* ---- The data that is hashed ----------------------------------------------------------------- */

/* Replaces attributes by labels. Ignored labels are removed here, because attributes are labels afterwards. */
static leman_status round_attributes(leman_context *ctx, const hash_options *asked, leman_coloring *c,
                                     leman_dataset **data)
{
    AUTO(leman_dataset_drop) leman_dataset *kept = NULL;
    leman_dataset *rounded;
    leman_columns keep = *leman_dataset_shape(*data)->columns;
    if (c->ignore_vertex_labels) keep.vertex_labels = 0;
    if (c->ignore_edge_labels) keep.edge_labels = 0;
    PASS(leman_dataset_keep(ctx, *data, &keep, &kept));
    PASS(leman_dataset_round_attributes(ctx, kept, (unsigned)asked->digits, &rounded));
    leman_dataset_free(*data);
    *data = rounded;
    c->ignore_vertex_labels = c->ignore_edge_labels = false;
    return LEMAN_OK;
}

static leman_status read_data(lm_work *work, const hash_options *asked, leman_coloring *c, leman_dataset **out)
{
    AUTO(leman_dataset_drop) leman_dataset *data = NULL;
    const lm_common *common = &asked->coloring.common;
    const bool digits = lm_option_given(common, "digits"), ignored = asked->coloring.ignore & LM_IGNORE_ATTRIBUTES;
    if (digits && ignored) return MISUSE(work->ctx, "found --digits and --ignore attributes, expected one of them");
    work->without_vertex_attributes = !digits;
    PASS(lm_work_read(work, common->operand[0], NULL, &data));
    const leman_shape *shape = leman_dataset_shape(data);
    if (!digits && !ignored && (work->attributes_left_out || shape->columns->edge_attributes))
        lm_work_log(work,
                    "%s: the hashes do not use the attributes; --digits 3 rounds them to 3 digits, and --ignore "
                    "attributes leaves them out without this line",
                    shape->name);
    if (digits) PASS(round_attributes(work->ctx, asked, c, &data));
    PASS(lm_coloring_apex(work->ctx, &asked->coloring, c, &data));
    return HAND_OVER(out, data);
}

/* ---- What is written ------------------------------------------------------------------------- */

/* The name of a graph, or its number if it has none, and its hash. */
static leman_status write_lines(lm_work *work, const leman_dataset *data, const leman_graph_hash *hash)
{
    const size_t graphs = leman_dataset_shape(data)->graphs;
    char text[LEMAN_GRAPH_HASH_TEXT];
    lm_output *out;
    PASS(lm_work_results(work, &out));
    for (size_t i = 0; i < graphs; i++) {
        size_t length;
        const char *name = leman_dataset_graph_name(data, i, &length);
        leman_graph_hash_text(hash + i, text, sizeof text);
        if (length)
            PASS(lm_output_printf(out, "%.*s\t%s\n", (int)length, name, text));
        else
            PASS(lm_output_printf(out, "%zu\t%s\n", i, text));
    }
    return LEMAN_OK;
}

static void put_json(lm_work *work, const hash_options *asked, const leman_coloring *c, const leman_dataset *data,
                     const leman_graph_hash *hash)
{
    lm_json *json = &work->json;
    const size_t graphs = leman_dataset_shape(data)->graphs;
    lm_coloring_name_json(json, json->object, c);
    LM_PUT(json, json->object, KEY_IF(c->rounds != LEMAN_STABLE, "rounds", c->rounds),
           KEY_IF(lm_option_given(&asked->coloring.common, "digits"), "digits", asked->digits), KEY("graphs", graphs));
    json_t *list = lm_json_array(json, json->object, "hashes");
    for (size_t i = 0; i < graphs; i++) {
        char text[LEMAN_GRAPH_HASH_TEXT];
        size_t length;
        const char *name = leman_dataset_graph_name(data, i, &length);
        leman_graph_hash_text(hash + i, text, sizeof text);
        LM_PUT(json, lm_json_object(json, list, NULL), KEY("graph", i), KEY_TEXT("name", name, length),
               KEY("hash", (const char *)text),
               KEY_IF(hash[i].stable_round >= 0, "stable_round", hash[i].stable_round));
    }
}

/* ---- The command ----------------------------------------------------------------------------- */

static leman_status hash_run(lm_work *work, const void *options)
{
    const hash_options *asked = options;
    AUTO(leman_dataset_drop) leman_dataset *data = NULL;
    leman_coloring c = leman_coloring_default();
    leman_graph_hash *hash;
    c.rounds = LEMAN_STABLE;
    if (!asked->coloring.algorithm && !asked->coloring.k) c.k = 1;
    PASS(lm_coloring_read(work->ctx, &asked->coloring, &c));
    c.in_arcs = true; /* directed graphs are seen from both ends of their arcs */
    PASS(read_data(work, asked, &c, &data));
    PASS_SCRATCH(work->ctx, hash, leman_dataset_shape(data)->graphs);
    PASS(leman_graph_hashes(work->ctx, data, &c, hash));
    if (!asked->coloring.common.json) return write_lines(work, data, hash);
    put_json(work, asked, &c, data, hash);
    return LEMAN_OK;
}

const lm_command lm_command_hash = {
    .name = "hash",
    .help = &LM_HELP_HASH,
    LM_DATA_OPERAND,
    .common = "algorithm rounds digits json",
    .groups = {{"Colouring", LM_COLORING_BOTH_ENDS_OPTIONS},
               {"Result", ROWS},
               {"Reading", LM_READING_OPTIONS},
               {"General", LM_GENERAL_OPTIONS}},
    .size = sizeof(hash_options),
    .run = hash_run,
};
