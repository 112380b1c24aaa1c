/* Networks as methods of leman compare: their options, their names, and their scores on the splits of the kernels. */
#ifndef LM_CLI_NETWORKS_H
#define LM_CLI_NETWORKS_H

#include "cli/options/protocol.h"

typedef struct lm_network_options {
    uint64_t epochs;         /* 0: the default */
    lm_ranges layers, width; /* validation chooses from them; empty: the default */
    const char *encode;      /* of pair networks; NULL: the default */
} lm_network_options;

/* Defaults, and the largest number of layers or widths that validation chooses from. */
enum { LM_NETWORK_EPOCHS = 30, LM_NETWORK_LAYERS = 3, LM_NETWORK_WIDTH = 32, LM_NETWORK_CHOICES = 1 << 10 };
/* Returns true if the name is that of a network. A name that is also a kernel ("local:2") is a network only after
 * "network:". */
bool lm_network_is(leman_context *ctx, const char *name);
/* Returns true if -k selects k of the network. Other networks work on vertices, on sets, or always on pairs. */
bool lm_network_takes_k(const leman_architecture *architecture);
/* Returns true if the network reads encodings of pairs. */
bool lm_network_has_pairs(const leman_architecture *architecture);
/* Numbers of columns of attributes that are learned, and not read. */
typedef struct lm_learned_columns {
    size_t vertices, edges;
} lm_learned_columns;
/* Logs which attributes of the data the network reads, unless the user was told (`told`), and which it cannot read. */
leman_status lm_network_attributes_log(lm_work *work, const leman_dataset *data, const leman_architecture *architecture,
                                       bool told, const lm_learned_columns *learned);
/* Writes the architecture of the network `name`, with the options of the request, to *architecture. */
leman_status lm_network_read(leman_context *ctx, const lm_request *request, const lm_network_options *options,
                             const char *name, leman_architecture *architecture);
/* Evaluates the network on the data and splits of the request. *parameters becomes the number of parameters of the
 * network that the first fold chose, or 0 if they cannot be counted. journal may be NULL. */
leman_status lm_network_evaluate(lm_work *work, const lm_request *request, const lm_network_options *options,
                                 const leman_architecture *architecture, const char *journal, size_t *parameters,
                                 leman_evaluation **out);
#endif
