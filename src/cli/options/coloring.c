/* The options of colourings, and their conversion to a leman_coloring. */
#include "cli/options/coloring.h"
#include "base/drop.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_ROUNDS = 65535 };

static const char *const ROUNDS[] = {"stable", NULL};
static const char *const TUPLES[] = {"all",          "connected",    "components:1",
                                     "components:2", "components:3", "components:4",
                                     "components:5", "components:6", NULL};
static const char *const COUNT_ROUNDS[] = {"last", "all", NULL};
const char *const LM_IGNORABLE[] = {"vertex-labels", "edge-labels", "attributes", NULL};

#define OWN_NAME(NAME, name, paper, pairs) " " name ","
#define FIELD(member) offsetof(lm_coloring_options, member)

#define ALGORITHM_ROWS(default_text, rounds_text)                                                                      \
    LM_ROW("algorithm", 'a', LM_TEXT, FIELD(algorithm), "NAME",                                                        \
           "1-WL, " LEMAN_ALGORITHMS(LM_PAIRS_NAME) default_text LEMAN_ALGORITHMS(OWN_NAME)                            \
               HELP_COLORING_ALGORITHM_AUTHORS,                                                                        \
           .suggestion = leman_coloring_known_name),                                                                   \
        LM_K_ROW, LM_ROW("rounds", 'r', LM_TEXT, FIELD(rounds), "H", rounds_text, .choices = ROUNDS)
#define TUPLES_ROWS                                                                                                    \
    LM_ROW("tuples", 0, LM_CHOICE, FIELD(tuples), "SET", HELP_COLORING_TUPLES, .choices = TUPLES),                     \
        LM_ROW("count-rounds", 0, LM_CHOICE, FIELD(count_rounds), "WHICH", HELP_COLORING_COUNT_ROUNDS,                 \
               .choices = COUNT_ROUNDS),                                                                               \
        LM_ROW("ignore", 0, LM_SET, FIELD(ignore), "LIST", HELP_COLORING_IGNORE, .choices = LM_IGNORABLE)

const lm_option LM_COLORING_OPTIONS[] = {
    ALGORITHM_ROWS(HELP_COLORING_ALGORITHM, HELP_COLORING_ROUNDS),
    TUPLES_ROWS,
    LM_FLAG_ROW("in-arcs", FIELD(in_arcs), HELP_COLORING_IN_ARCS, .needs = "directed"),
    LM_FLAG_ROW("apex", FIELD(apex), HELP_COLORING_APEX),
    {0},
};

const lm_option LM_COLORING_BOTH_ENDS_OPTIONS[] = {
    ALGORITHM_ROWS(HELP_COLORING_ALGORITHM_OF_HASHES, HELP_COLORING_ROUNDS_OF_HASHES),
    TUPLES_ROWS,
    LM_FLAG_ROW("apex", FIELD(apex), HELP_COLORING_APEX),
    {0},
};

/* Reads the algorithm. Most names also set k; "local" leaves k unchanged. */
static leman_status read_algorithm(leman_context *ctx, const lm_coloring_options *asked, leman_coloring *c)
{
    leman_coloring named = *c;
    named.k = 0;
    PASS(leman_coloring_parse(ctx, asked->algorithm, &named));
    PASS(lm_k_check(ctx, asked->algorithm, named.k, asked->k));
    c->algorithm = named.algorithm;
    c->distance = named.distance;
    if (named.k) c->k = named.k;
    return LEMAN_OK;
}

leman_status lm_k_check(leman_context *ctx, const char *name, unsigned said, uint64_t asked)
{
    if (!said || !asked || said == asked) return LEMAN_OK;
    return MISUSE(ctx, "found -a %s, which sets k to %u, and -k %u, expected one of them", name, said, (unsigned)asked);
}

static leman_status read_rounds(leman_context *ctx, const char *text, uint32_t *rounds)
{
    char *end;
    if (!strcmp(text, "stable")) {
        *rounds = LEMAN_STABLE;
        return LEMAN_OK;
    }
    unsigned long value = *text >= '0' && *text <= '9' ? strtoul(text, &end, 10) : MAX_ROUNDS + 1ul;
    if (value > MAX_ROUNDS || *end)
        return MISUSE(ctx, "option '--rounds': found '%s', expected a whole number from 0 to %d, or stable", text,
                      MAX_ROUNDS);
    *rounds = (uint32_t)value;
    return LEMAN_OK;
}

size_t lm_tuples_components(const char *tuples)
{
    if (!strcmp(tuples, "all")) return 0;
    return !strcmp(tuples, "connected") ? 1 : strtoul(strchr(tuples, ':') + 1, NULL, 10);
}

void lm_coloring_attributes_remark(lm_work *work, const lm_coloring_options *asked, const leman_dataset *data)
{
    const leman_shape *shape = leman_dataset_shape(data);
    const bool vertices = work->attributes_left_out || shape->columns->vertex_attributes;
    const bool edges = shape->columns->edge_attributes;
    if (asked->ignore & LM_IGNORE_ATTRIBUTES || work->attributes_remarked || (!vertices && !edges)) return;
    lm_work_log(
        work, "%s: colourings use labels, not the %s attributes; --ignore attributes leaves them out without this line",
        shape->name,
        !edges     ? "vertex"
        : vertices ? "vertex and edge"
                   : "edge");
    work->attributes_remarked = true;
}

const char *lm_tuples_text(const leman_coloring *c, char *text, size_t size)
{
    if (!c->components || c->k == 1) return "all";
    if (c->components == 1) return "connected";
    snprintf(text, size, "components:%u", (unsigned)(c->components < c->k ? c->components : c->k));
    return text;
}

leman_status lm_coloring_read(leman_context *ctx, const lm_coloring_options *asked, leman_coloring *coloring)
{
    leman_coloring c = *coloring;
    if (asked->algorithm) PASS(read_algorithm(ctx, asked, &c));
    if (asked->k) c.k = (unsigned)asked->k;
    if (asked->rounds) PASS(read_rounds(ctx, asked->rounds, &c.rounds));
    if (asked->tuples) c.components = lm_tuples_components(asked->tuples);
    if (asked->count_rounds) c.count_every_round = !strcmp(asked->count_rounds, "all");
    if (!asked->count_rounds && c.rounds == LEMAN_STABLE) c.count_every_round = true; /* there is no last round */
    if (c.algorithm == LEMAN_ALGORITHM_LOCAL_PLUS && c.rounds == LEMAN_STABLE && !c.count_every_round)
        return MISUSE(
            ctx, "found --count-rounds last with -r stable, which has no last round; expected --count-rounds all or a "
                 "number of rounds");
    c.ignore_vertex_labels = (asked->ignore & LM_IGNORE_VERTEX_LABELS) != 0;
    c.ignore_edge_labels = (asked->ignore & LM_IGNORE_EDGE_LABELS) != 0;
    c.in_arcs = asked->in_arcs;
    *coloring = c;
    return LEMAN_OK;
}

leman_status lm_coloring_unused(leman_context *ctx, const lm_coloring_options *asked, const char *option)
{
    static const char *const NAMES[] = {"algorithm", "k", "rounds", "tuples", "count-rounds", "apex"};
    for (size_t i = 0; i < sizeof NAMES / sizeof *NAMES; i++)
        if (lm_option_given(&asked->common, NAMES[i]))
            return MISUSE(ctx, "found %s and --%s, expected one of them: canonical forms need no colouring", option,
                          NAMES[i]);
    return LEMAN_OK;
}

leman_status lm_coloring_apex(leman_context *ctx, const lm_coloring_options *asked, leman_coloring *coloring,
                              leman_dataset **data)
{
    AUTO(leman_dataset_drop) leman_dataset *bare = NULL;
    leman_dataset *marked = NULL;
    if (!asked->apex) return LEMAN_OK;
    if (coloring->ignore_vertex_labels) { /* the mark is a label, so the other labels are removed instead */
        leman_columns keep = *leman_dataset_shape(*data)->columns;
        keep.vertex_labels = 0;
        PASS(leman_dataset_keep(ctx, *data, &keep, &bare));
    }
    PASS(leman_dataset_apex(ctx, bare ? bare : *data, &marked));
    leman_dataset_free(*data);
    *data = marked;
    coloring->ignore_vertex_labels = false;
    return LEMAN_OK;
}

void lm_coloring_name_json(lm_json *json, json_t *parent, const leman_coloring *coloring)
{
    char name[64], tuples[32];
    leman_coloring_paper_name(coloring, name, sizeof name);
    LM_PUT(json, parent, KEY("algorithm", leman_algorithm_name(coloring->algorithm)), KEY("method", name),
           MEMBER(coloring, k), KEY("tuples", lm_tuples_text(coloring, tuples, sizeof tuples)));
}

void lm_coloring_json(lm_json *json, json_t *parent, const lm_coloring_options *asked, bool directed)
{
    json_t *ignored = lm_json_array(json, parent, "ignore");
    for (size_t i = 0; LM_IGNORABLE[i]; i++)
        if (asked->ignore >> i & 1) LM_PUT(json, ignored, KEY(NULL, LM_IGNORABLE[i]));
    LM_PUT(json, parent, MEMBER(asked, apex), KEY("directed", directed), MEMBER(asked, in_arcs),
           KEY("policy", asked->common.policy));
}
