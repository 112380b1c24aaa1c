/* Options of every command that colours tuples: the algorithm, k, rounds, and the parts of the data to use. */
#ifndef LM_COLORING_H
#define LM_COLORING_H

#include "cli/work.h"

/* The first member of the option struct of such a command. */
typedef struct lm_coloring_options {
    lm_common common;
    const char *algorithm, *rounds, *count_rounds; /* NULL: not given */
    uint64_t k;                                    /* 0: not given */
    uint64_t ignore;
    bool in_arcs, apex;
    const char *tuples; /* NULL: not given */
} lm_coloring_options;

/* What --ignore takes, and its bits. Colourings never use attributes. */
extern const char *const LM_IGNORABLE[];
enum { LM_IGNORE_VERTEX_LABELS = 1, LM_IGNORE_EDGE_LABELS = 2, LM_IGNORE_ATTRIBUTES = 4 };

/* The first three rows are -a, -k and -r. Commands that take several algorithms have their own row -a, and use the rows
 * after the first. Commands that take a range of rounds use the rows after the third, and LM_K_ROW. */
extern const lm_option LM_COLORING_OPTIONS[];
/* The same for commands that hash graphs: without --in-arcs, because these see directed graphs from both ends of their
 * arcs. */
extern const lm_option LM_COLORING_BOTH_ENDS_OPTIONS[];
enum { LM_MAX_K = 32 };
/* For LEMAN_ALGORITHMS(): the names of the algorithms for pairs, as the items of a list in a text. */
#define LM_PAIRS_NAME(NAME, name, paper, pairs) pairs ", "
#define LM_K_ROW                                                                                                       \
    LM_ROW("k", 'k', LM_UNSIGNED, offsetof(lm_coloring_options, k), "N", HELP_COLORING_K, .min = 1, .max = LM_MAX_K)

/* Fails if the name of an algorithm implies a k (said; 0: none) and -k (asked; 0: not given) is another one. */
leman_status lm_k_check(leman_context *ctx, const char *name, unsigned said, uint64_t asked);
/* Writes the options that were given into *coloring, which must hold the command's defaults. Fails if a name and -k
 * contradict each other. */
leman_status lm_coloring_read(leman_context *ctx, const lm_coloring_options *asked, leman_coloring *coloring);
/* Fails if an option says how to colour, which has no effect beside `option`. */
leman_status lm_coloring_unused(leman_context *ctx, const lm_coloring_options *asked, const char *option);
/* With --apex, replaces *data by a copy with the marked vertices, and makes *coloring use the mark. */
leman_status lm_coloring_apex(leman_context *ctx, const lm_coloring_options *asked, leman_coloring *coloring,
                              leman_dataset **data);
/* Says once that colourings do not use the attributes of the data, unless --ignore attributes left them out. */
void lm_coloring_attributes_remark(lm_work *work, const lm_coloring_options *asked, const leman_dataset *data);
/* Returns the s of a set of tuples that --tuples takes, "all" (0), "connected" (1) or "components:S". */
size_t lm_tuples_components(const char *tuples);
/* Returns "all", "connected" or "components:2". text[size] is used if the text has to be composed. */
const char *lm_tuples_text(const leman_coloring *coloring, char *text, size_t size);
/* Adds {algorithm method k tuples} to parent. */
void lm_coloring_name_json(lm_json *json, json_t *parent, const leman_coloring *coloring);
/* Adds the parts of the data that are used, {ignore apex directed in_arcs policy}, to parent. `directed` is that of the
 * data as read. */
void lm_coloring_json(lm_json *json, json_t *parent, const lm_coloring_options *asked, bool directed);

#endif
