/* What every command that colours tuples takes: the algorithm, k, rounds, and which parts of the data it uses. */
#ifndef LM_COLORING_H
#define LM_COLORING_H

#include "cli/work.h"

/* The struct of such a command begins with this one. */
typedef struct lm_coloring_options {
    lm_common common;
    const char *algorithm, *rounds, *count_rounds; /* NULL: not given */
    uint64_t k;                                    /* 0: not given */
    uint64_t ignore;
    bool in_arcs, apex;
    const char *tuples; /* NULL: not given */
} lm_coloring_options;

/* The first rows are -a, -k and -r; commands that take several algorithms have a row of their own, and begin behind it.
 * Commands that take a range of rounds begin behind all three, and take LM_K_ROW. */
extern const lm_option LM_COLORING_OPTIONS[];
enum { LM_MAX_K = 32 };
#define LM_K_ROW                                                                                                       \
    {                                                                                                                  \
        .name = "k", .letter = 'k', .kind = LM_UNSIGNED, .field = offsetof(lm_coloring_options, k), .min = 1,          \
        .max = LM_MAX_K, .value = "N",                                                                                 \
        .help = "colour tuples of N vertices, where the name does not say it (default: 2)"                             \
    }

/* Refuses -k (0: not given) beside a name that says another k (0: none). */
leman_status lm_k_check(leman_context *ctx, const char *name, unsigned said, uint64_t asked);
/* Writes the options that were given into *coloring, which holds the command's defaults. A name that sets k and another
 * -k are a contradiction. */
leman_status lm_coloring_read(leman_context *ctx, const lm_coloring_options *asked, leman_coloring *coloring);
/* --apex: replaces *data by a copy with the marked vertices, and lets *coloring see the mark. */
leman_status lm_coloring_apex(leman_context *ctx, const lm_coloring_options *asked, leman_coloring *coloring,
                              leman_dataset **data);
/* "all", "connected", "components:2"; text[size] where it has to be written. */
const char *lm_tuples_text(const leman_coloring *coloring, char *text, size_t size);
/* {algorithm method k tuples} of parent. */
void lm_coloring_name_json(lm_json *json, json_t *parent, const leman_coloring *coloring);
/* Which parts of the data are used: {ignore apex directed in_arcs policy} of parent; directed: of the data as it was
 * read.
 */
void lm_coloring_json(lm_json *json, json_t *parent, const lm_coloring_options *asked, bool directed);

#endif
