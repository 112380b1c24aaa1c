/* Options that name kernels, shared by several commands, and the kernels made from them. */
#ifndef LM_CLI_KERNELS_H
#define LM_CLI_KERNELS_H

#include "cli/options/coloring.h"

/* The first member of the option struct of such a command. */
typedef struct lm_kernel_options {
    lm_coloring_options coloring; /* for every kernel; its algorithm is NULL */
    lm_texts algorithms;
    const char *weights;
    const char *attributes, *propagation; /* lists such as "bins:1,count:20"; NULL: not given */
    const char *normalize;                /* "cosine", "tanimoto" or "minmax"; NULL: not given */
    bool assignment, weighted;
    bool others_take_k;          /* other methods of the command use -k, so it has an effect without kernels */
    bool others_read_attributes; /* compare: a network is among the methods */
    bool separate_methods;       /* compare: methods may need data with other atom labels */
} lm_kernel_options;

/* -a, --weights, --assignment, --weighted, --normalize. LM_COLORING_REST is the remaining rows of a colouring. */
extern const lm_option LM_KERNEL_OPTIONS[];
#define LM_COLORING_REST (LM_COLORING_OPTIONS + 1)
#define LM_KERNEL_GROUP                                                                                                \
    {                                                                                                                  \
        "Kernels", LM_KERNEL_OPTIONS                                                                                   \
    }

/* Makes the kernels of every -a, in order, or one default kernel if there is no -a. Their rounds may be
 * LEMAN_STABLE. Logs which options have no effect on them. */
leman_status lm_kernels_parse(leman_context *ctx, const lm_kernel_options *asked, leman_kernel **kernels,
                              size_t *count);
/* Called if --rounds was given. Logs that it has no effect if none of the kernels has rounds. */
void lm_rounds_remark(leman_context *ctx, const leman_kernel *kernels, size_t count);
/* Makes lm_work_read() and its kin read the atom labels that the kernels need, such as ECFP4's, unless --atom-labels is
 * given. Fails if two kernels need different ones. */
leman_status lm_kernels_atoms(lm_work *work, const leman_kernel *kernels, size_t count);
/* Logs that --normalize cosine has no effect. For commands that scale all graphs to length 1. */
void lm_kernels_remark(lm_work *work, const lm_kernel_options *asked);
/* Reads a data set with the reading options and --apex. With --attributes, vertex attributes are standardised;
 * lm_kernels_read_raw() leaves them as they are. Logs once that the data has attributes which no kernel uses. */
leman_status lm_kernels_read_raw(lm_work *work, const lm_kernel_options *asked, const char *path, leman_dataset **out);
/* The log of lm_kernels_read() for commands that read a data set by other means. */
void lm_attributes_remark(lm_work *work, const lm_kernel_options *asked, const leman_dataset *data);
leman_status lm_kernels_read(lm_work *work, const lm_kernel_options *asked, const char *path, leman_dataset **out);
/* Fails if -a is given more than once to a command that takes one method. The message says how to write a sum, and ends
 * with `several`. */
leman_status lm_kernels_single(leman_context *ctx, const lm_kernel_options *asked, const char *several);
/* Adds the algorithm and k of the only kernel to parent, or of several kernels a text for all and the k of the first;
 * then calls lm_kernels_json(). */
void lm_algorithm_json(lm_json *json, json_t *parent, const leman_kernel *kernels, size_t count);
/* Add "method", and "kernels": [{algorithm method k rounds tuples count_rounds weighted size weight assignment}].
 * lm_kernel_json() adds one element to the list. */
void lm_kernel_json(lm_json *json, json_t *list, const leman_kernel *kernel);
void lm_kernels_json(lm_json *json, json_t *parent, const leman_kernel *kernels, size_t count);

#endif
