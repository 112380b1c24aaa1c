/* leman distinguish --family: all tests on one corpus. */
#ifndef LM_FAMILY_H
#define LM_FAMILY_H

#include "cli/work.h"

typedef struct lm_family_request {
    const leman_coloring *coloring; /* members that all tests share, and the largest k */
    const char *corpus;             /* pairs or graphs */
    bool listed;                    /* the corpus is a list of pairs */
    const char *groups;             /* "NAME=PAIRS,...", or NULL */
    const char *page;               /* FILE.html, or NULL */
} lm_family_request;

/* Returns true if the ending of the path is that of a list of pairs. */
bool lm_is_pair_list(const char *path);
/* Compares all tests on the corpus, and writes the page and a table, or JSON. */
leman_status lm_family_run(lm_work *work, const lm_family_request *request);

#endif
