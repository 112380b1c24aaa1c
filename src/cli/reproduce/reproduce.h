/* leman reproduce: its options, and the tables of networks. */
#ifndef LM_CLI_REPRODUCE_H
#define LM_CLI_REPRODUCE_H

#include "cli/work.h"

typedef struct lm_reproduce_options {
    lm_common common;
    uint64_t tables, sets; /* bits of the choices; 0: not given */
    lm_texts methods;
    uint64_t repetitions;
    double limit;
    const char *data, *resume;
    bool offline, finished;
    uint64_t runs, epochs;  /* of networks; 0: not given */
    lm_texts merge, beside; /* of networks: files */
} lm_reproduce_options;

enum { LM_REASON = 1024 };
/* path[size] <- where the set of this file name is; "" and a sentence in why[LM_REASON] where it is not. folder: a
 * folder goes before a zip. */
leman_status lm_reproduce_locate(lm_work *work, const lm_reproduce_options *asked, const char *name, bool folder,
                                 char *path, size_t size, char *why);
/* Tables of networks (networks.c): the bits of leman_network_table, and of lm_choices_sets. */
leman_status lm_reproduce_networks(lm_work *work, const lm_reproduce_options *asked, uint64_t tables);
/* --beside (beside.c): the results of evaluate, compare and train in a file of JSON, into the tables. */
leman_status lm_reproduce_beside(lm_work *work, const char *path, leman_network_tables *tables);
/* The page of either kind of tables, with the command that made it; path NULL: standard output. */
typedef leman_status lm_page_writer(leman_context *ctx, const void *tables, const char *command, const char *path);
leman_status lm_reproduce_page(lm_work *work, lm_page_writer *write, const void *tables, const char *path);

typedef struct lm_reproduction_request {
    uint64_t tables, sets; /* bits of leman_paper_table and leman_paper_set */
    uint64_t repetitions, seed;
} lm_reproduction_request;

/* One object with everything. */
leman_status lm_reproduction_json(leman_context *ctx, const leman_reproduction *r,
                                  const lm_reproduction_request *request, lm_output *out);

#endif
