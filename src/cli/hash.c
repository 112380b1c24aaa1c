/* leman hash: a hash of each graph, of its colours or, exactly, of its canonical form. */
#include "base/drop.h"
#include "cli/commands.h"
#include "cli/options/coloring.h"

typedef struct hash_options {
    lm_coloring_options coloring;
    uint64_t digits;
    bool exact, sha256;
} hash_options;

#define FIELD(member) offsetof(hash_options, member)

static const lm_option ROWS[] = {
    LM_ROW("digits", 0, LM_UNSIGNED, FIELD(digits), "N", HELP_HASH_DIGITS, .max = 15),
    LM_FLAG_ROW("exact", FIELD(exact), HELP_HASH_EXACT),
    LM_FLAG_ROW("sha256", FIELD(sha256), HELP_HASH_SHA256, .needs = "exact"),
    LM_RESULT_ROW,
    {0},
};

/* ---- The data that is hashed ----------------------------------------------------------------- */

/* Replaces *data by a copy without the columns that are ignored. */
static leman_status drop_ignored(leman_context *ctx, uint64_t ignore, leman_dataset **data)
{
    leman_dataset *kept = NULL;
    leman_columns keep = *leman_dataset_shape(*data)->columns;
    if (ignore & LM_IGNORE_VERTEX_LABELS) keep.vertex_labels = 0;
    if (ignore & LM_IGNORE_EDGE_LABELS) keep.edge_labels = 0;
    if (ignore & LM_IGNORE_ATTRIBUTES) keep.vertex_attributes = keep.edge_attributes = 0;
    PASS(leman_dataset_keep(ctx, *data, &keep, &kept));
    leman_dataset_free(*data);
    *data = kept;
    return LEMAN_OK;
}

/* Returns true if the attributes of vertices are coordinates of atoms, which leman_exact_hashes() leaves out. */
static bool is_molecules(const leman_dataset *data)
{
    const uint64_t reading = leman_dataset_reading(data);
    return reading & LEMAN_READING_MOLECULES && !(reading & LEMAN_READING_ASSUMED);
}

/* Replaces attributes by labels. */
static leman_status round_attributes(leman_context *ctx, const hash_options *asked, leman_dataset **data)
{
    leman_dataset *rounded = NULL;
    PASS(leman_dataset_round_attributes(ctx, *data, (unsigned)asked->digits, &rounded));
    leman_dataset_free(*data);
    *data = rounded;
    return LEMAN_OK;
}

static leman_status read_data(lm_work *work, const hash_options *asked, leman_coloring *c, leman_dataset **out)
{
    AUTO(leman_dataset_drop) leman_dataset *data = NULL;
    const lm_common *common = &asked->coloring.common;
    const bool digits = lm_option_given(common, "digits"), ignored = asked->coloring.ignore & LM_IGNORE_ATTRIBUTES;
    if (digits && ignored) return MISUSE(work->ctx, "found --digits and --ignore attributes, expected one of them");
    work->without_vertex_attributes = ignored || !(digits || asked->exact);
    PASS(lm_work_read(work, common->operand[0], NULL, &data));
    const leman_shape *shape = leman_dataset_shape(data);
    if (!digits && !ignored && !asked->exact && (work->attributes_left_out || shape->columns->edge_attributes))
        lm_work_log(work,
                    "%s: the hashes do not use the attributes; --digits 3 rounds them to 3 digits, and --ignore "
                    "attributes leaves them out without this line",
                    shape->name);
    if (!digits && !ignored && asked->exact && shape->columns->vertex_attributes && is_molecules(data))
        lm_work_log(work,
                    "%s: the hashes do not use the coordinates of atoms; --digits 3 uses them, rounded to 3 digits",
                    shape->name);
    if (asked->coloring.ignore) PASS(drop_ignored(work->ctx, asked->coloring.ignore, &data));
    if (digits) PASS(round_attributes(work->ctx, asked, &data));
    c->ignore_vertex_labels = c->ignore_edge_labels = false;
    PASS(lm_coloring_apex(work->ctx, &asked->coloring, c, &data));
    return HAND_OVER(out, data);
}

/* ---- What is written ------------------------------------------------------------------------- */

/* What was computed: hashes of colours, or exact ones, of which so many bytes are shown. */
typedef struct hashes {
    leman_graph_hash *color;
    leman_exact_hash *exact;
    size_t bytes;
} hashes;

static void text_of(const hashes *h, size_t graph, char text[LEMAN_EXACT_HASH_TEXT])
{
    if (h->exact)
        leman_exact_hash_text(h->exact + graph, h->bytes, text, LEMAN_EXACT_HASH_TEXT);
    else
        leman_graph_hash_text(h->color + graph, text, LEMAN_EXACT_HASH_TEXT);
}

/* The name of a graph, or its number if it has none, and its hash. */
static leman_status write_lines(lm_work *work, const leman_dataset *data, const hashes *h)
{
    const size_t graphs = leman_dataset_shape(data)->graphs;
    char text[LEMAN_EXACT_HASH_TEXT];
    lm_output *out;
    PASS(lm_work_results(work, &out));
    for (size_t i = 0; i < graphs; i++) {
        size_t length;
        const char *name = leman_dataset_graph_name(data, i, &length);
        text_of(h, i, text);
        if (length)
            PASS(lm_output_printf(out, "%.*s\t%s\n", (int)length, name, text));
        else
            PASS(lm_output_printf(out, "%zu\t%s\n", i, text));
    }
    return LEMAN_OK;
}

static void put_json(lm_work *work, const hash_options *asked, const leman_coloring *c, const leman_dataset *data,
                     const hashes *h)
{
    lm_json *json = &work->json;
    const size_t graphs = leman_dataset_shape(data)->graphs;
    if (!asked->exact) lm_coloring_name_json(json, json->object, c);
    LM_PUT(json, json->object, MEMBER(asked, exact), MEMBER(asked, sha256),
           KEY_IF(!asked->exact && c->rounds != LEMAN_STABLE, "rounds", c->rounds),
           KEY_IF(lm_option_given(&asked->coloring.common, "digits"), "digits", asked->digits), KEY("graphs", graphs));
    json_t *list = lm_json_array(json, json->object, "hashes");
    for (size_t i = 0; i < graphs; i++) {
        char text[LEMAN_EXACT_HASH_TEXT];
        size_t length;
        const char *name = leman_dataset_graph_name(data, i, &length);
        const int64_t stable = h->color ? h->color[i].stable_round : -1;
        text_of(h, i, text);
        LM_PUT(json, lm_json_object(json, list, NULL), KEY("graph", i), KEY_TEXT("name", name, length),
               KEY("hash", (const char *)text), KEY_IF(stable >= 0, "stable_round", stable));
    }
}

/* ---- The command ----------------------------------------------------------------------------- */

static leman_status compute(leman_context *ctx, const hash_options *asked, const leman_coloring *c,
                            const leman_dataset *data, hashes *h)
{
    const size_t graphs = leman_dataset_shape(data)->graphs;
    h->bytes = asked->sha256 ? 32 : 16;
    if (asked->exact) {
        PASS_SCRATCH(ctx, h->exact, graphs);
        return leman_exact_hashes(ctx, data, h->exact);
    }
    PASS_SCRATCH(ctx, h->color, graphs);
    return leman_graph_hashes(ctx, data, c, h->color);
}

static leman_status hash_run(lm_work *work, const void *options)
{
    const hash_options *asked = options;
    AUTO(leman_dataset_drop) leman_dataset *data = NULL;
    leman_coloring c = leman_coloring_default();
    hashes h = {0};
    c.rounds = LEMAN_STABLE;
    if (!asked->coloring.algorithm && !asked->coloring.k) c.k = 1;
    PASS(lm_coloring_read(work->ctx, &asked->coloring, &c));
    c.in_arcs = true; /* directed graphs are seen from both ends of their arcs */
    if (asked->exact) PASS(lm_coloring_unused(work->ctx, &asked->coloring, "--exact"));
    PASS(read_data(work, asked, &c, &data));
    PASS(compute(work->ctx, asked, &c, data, &h));
    if (!asked->coloring.common.json) return write_lines(work, data, &h);
    put_json(work, asked, &c, data, &h);
    return LEMAN_OK;
}

const lm_command lm_command_hash = {
    .name = "hash",
    .help = &LM_HELP_HASH,
    LM_DATA_OPERAND,
    .common = "algorithm rounds exact digits json",
    .groups = {{"Colouring", LM_COLORING_BOTH_ENDS_OPTIONS},
               {"Result", ROWS},
               {"Reading", LM_READING_OPTIONS},
               {"General", LM_GENERAL_OPTIONS}},
    .size = sizeof(hash_options),
    .run = hash_run,
};
