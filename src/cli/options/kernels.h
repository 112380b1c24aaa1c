/* What commands with kernels share: the options that name kernels, and the kernels that they name. */
#ifndef LM_CLI_KERNELS_H
#define LM_CLI_KERNELS_H

#include "cli/options/coloring.h"

/* What the struct of such a command begins with. */
typedef struct lm_kernel_options {
    lm_coloring_options coloring; /* of every kernel; its algorithm stays NULL */
    lm_texts algorithms;
    const char *weights;
    bool assignment, weighted, normalize;
    bool others_take_k; /* methods beside the kernels do: -k has an effect */
} lm_kernel_options;

/* -a, --weights, --assignment, --weighted, --normalize; what else a colouring takes is LM_COLORING_REST. */
extern const lm_option LM_KERNEL_OPTIONS[];
#define LM_COLORING_REST (LM_COLORING_OPTIONS + 1)

/* The kernels of every -a, one after the other, or one in all where there is none; lm_free() them. Rounds may be
 * LEMAN_STABLE. */
leman_status lm_kernels_parse(leman_context *ctx, const lm_kernel_options *asked, leman_kernel **kernels,
                              size_t *count);
/* Where --rounds was given and none of the kernels has rounds, says so. */
void lm_rounds_remark(leman_context *ctx, const leman_kernel *kernels, size_t count);
/* Where graphs are scaled to length 1 anyway, says so of --normalize. */
void lm_kernels_remark(lm_work *work, const lm_kernel_options *asked);
/* Reads a data set as the reading options and --apex ask. */
leman_status lm_kernels_read(lm_work *work, const lm_kernel_options *asked, const char *path, leman_dataset **out);
/* Refuses a second -a where only one method has a meaning; the sentence says how a sum is written, and ends in
 * `several`. */
leman_status lm_kernels_single(leman_context *ctx, const lm_kernel_options *asked, const char *several);
/* algorithm, method and k of the only kernel, or of the first with a text for all of them; and the list below. */
void lm_algorithm_json(lm_json *json, json_t *parent, const leman_kernel *kernels, size_t count);
/* "method", and "kernels": [{algorithm method k rounds tuples count_rounds weighted size weight assignment}]. */
void lm_kernel_json(lm_json *json, json_t *list, const leman_kernel *kernel);
void lm_kernels_json(lm_json *json, json_t *parent, const leman_kernel *kernels, size_t count);

#define LM_KERNELS_TEXT                                                                                                \
    "A kernel is a colouring of k-tuples (1-WL, 2-WL, delta-2-WL, delta-2-LWL, delta-2-LWL+, 2-FWL, or with another "  \
    "k), compared by the histograms of its rounds; WLOA, 1-WL with --assignment; SP, shortest paths; or GR, "          \
    "connected induced subgraphs on three vertices, or on four or five without labels (GR:4). Names are those of "     \
    "the paper, in any case and with delta or its letter; wl, delta, local, local+ and folklore leave k to -k or say " \
    "it behind a colon (local:2), and WL1 to LWLP3 of the authors' program are known too. A sum of kernels is "        \
    "written "                                                                                                         \
    "A+B (delta-2-LWL+SP), each times its number in --weights. Behind a name, :assignment does for one kernel what "   \
    "--assignment does for all (delta-2-LWL:assignment). "

#endif
