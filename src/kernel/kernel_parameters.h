/* Parameters of kernels in their names: "RandomWalk:exponential:lambda=0.05". */
#ifndef LM_KERNEL_PARAMETERS_H
#define LM_KERNEL_PARAMETERS_H

#include "kernel/kernel.h"

/* Parses ":exponential:lambda=0.05", the folded parameters of a kernel whose kind is set. *known is false if one of
 * them is not a parameter of this kind. A value that is no number fails with LEMAN_ERROR_ARGUMENT; `name` is the
 * original text for the sentence. */
leman_status lm_parameters_parse(leman_context *ctx, const char *name, const char *folded, leman_kernel *kernel,
                                 bool *known);
/* Writes the parameters that are not the default, in the form that lm_parameters_parse() reads, cut off like
 * snprintf(). */
void lm_parameters_write(const leman_kernel *kernel, char *text, size_t size);

#endif
