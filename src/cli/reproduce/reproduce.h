/* leman reproduce: its JSON. */
#ifndef LM_CLI_REPRODUCE_H
#define LM_CLI_REPRODUCE_H

#include "cli/work.h"

typedef struct lm_reproduction_request {
    uint64_t tables, sets; /* bits of leman_paper_table and leman_paper_set */
    uint64_t repetitions, seed;
} lm_reproduction_request;

/* One object with everything. */
leman_status lm_reproduction_json(leman_context *ctx, const leman_reproduction *r,
                                  const lm_reproduction_request *request, lm_output *out);

#endif
