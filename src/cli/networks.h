/* Networks as methods of leman compare: their options, their names, their scores on the splits of the kernels. */
#ifndef LM_CLI_NETWORKS_H
#define LM_CLI_NETWORKS_H

#include "cli/options/protocol.h"

typedef struct lm_network_options {
    uint64_t epochs;         /* lm_networks_prepare() sets it */
    lm_ranges layers, width; /* that validation chooses from; none: the defaults */
} lm_network_options;

enum { LM_NETWORK_EPOCHS = 30, LM_NETWORK_LAYERS = 3, LM_NETWORK_WIDTH = 32 };
void lm_networks_prepare(lm_network_options *options);
/* Their rows, for a struct whose member at `at` is an lm_network_options. */
#define LM_NETWORK_ROWS(at)                                                                                            \
    LM_EPOCHS_ROW((at) + offsetof(lm_network_options, epochs), 1,                                                      \
                  "networks: epochs of training in every fold (default: 30)"),                                         \
        LM_LAYERS_ROW((at) + offsetof(lm_network_options, layers),                                                     \
                      "networks: number of layers, or a list that validation chooses from, such as 1-5 (default: 3)"), \
        LM_WIDTH_ROW((at) + offsetof(lm_network_options, width),                                                       \
                     "networks: width of the layers, or a list, such as 32,64,128 (default: 32)")

/* Is it the name of a network? Names that are kernels too ("local:2") are networks only behind "network:". */
bool lm_network_is(leman_context *ctx, const char *name);
/* Is -k a choice of the network? Otherwise it is on vertices, on sets, or always on pairs. */
bool lm_network_takes_k(const leman_architecture *architecture);
/* The network of that name, for the data of the request. */
leman_status lm_network_read(leman_context *ctx, const lm_request *request, const lm_network_options *options,
                             const char *name, leman_architecture *architecture);
/* Its scores on the data and splits of the request. *parameters: of the network that the first fold chose. */
leman_status lm_network_evaluate(lm_work *work, const lm_request *request, const lm_network_options *options,
                                 const leman_architecture *architecture, const char *journal, size_t *parameters,
                                 leman_evaluation **out);
/* The numbers of ranges, NULL where there are none; lm_free(). At most a thousand. */
leman_status lm_ranges_list(leman_context *ctx, const lm_ranges *ranges, size_t **out, size_t *count);

#endif
