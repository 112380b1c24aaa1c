/* The published tables of networks: what they hold, and how each cell is computed again. */
#ifndef LM_PUBLISHED_NETWORKS_H
#define LM_PUBLISHED_NETWORKS_H

#include "base/context.h"

enum { LM_NETWORK_ROWS = 8, LM_NETWORK_COLUMNS = 8 }; /* of a table, at most */

typedef struct lm_network_set {
    const char *name; /* "ZINC_50k" */
    const char *file; /* "ZINC_full": NAME.zip, or a folder */
    /* Lists of graphs that train, validate and test, beside the data; NULL: drawn anew for every run. */
    const char *part[3];
    size_t epochs; /* at most, of regressions */
} lm_network_set;

/* Column `column` of a table; the name under which the library knows the method of a row. */
const lm_network_set *lm_network_set_of(leman_network_table table, size_t column);
const char *lm_network_method_known(leman_network_table table, size_t row);
/* Is the method of a row a kernel? */
bool lm_network_method_is_kernel(leman_network_table table, size_t row);

#endif
