/*
 * leman/report.h - pages about evaluations and training runs.
 */
#ifndef LEMAN_REPORT_H
#define LEMAN_REPORT_H

#include "leman/attribution.h"
#include "leman/evaluate.h"
#include "leman/explain.h"
#include "leman/model.h"
#include "leman/network.h"

#ifdef __cplusplus
extern "C" {
#endif

/* One of the methods of a page. Zero-initialise: new members take the place of reserved ones. */
typedef struct leman_method {
    const char *name;                   /* NULL: made from the kernels, as the paper has it: "δ-2-LWL" */
    const leman_kernel *kernels;        /* NULL: a network, which has a name */
    size_t count;                       /* of kernels, summed; of a network 0 */
    const leman_evaluation *evaluation; /* on the data of the page */
    uint64_t parameters;                /* of a network, for the figure of errors and costs; 0: not known */
    uint64_t reserved[3];               /* 0 */
} leman_method;

/*
 * A page about one or several evaluations of the same data: accuracy (regression: error), accuracy by number of rounds,
 * training against test accuracy, confusion matrix, Gram matrix, kernel PCA, the most discriminative colours of each
 * class drawn on example graphs, running times, of several methods errors against seconds and parameters. One file of
 * HTML that needs neither network nor scripts; it appears whole or not at all. command, which may be NULL, is the
 * command line that writes the page again. docs/report.md explains the figures. Computes features and Gram matrices of
 * at most a thousand graphs anew; figures that do not fit the memory budget are left out with a sentence.
 */
LEMAN_API leman_status leman_report_write(leman_context *ctx, const leman_dataset *data, const leman_method *methods,
                                          size_t count, const char *command, const char *path);

/* A page about several tasks, from what leman_evaluate_tasks() took and gave: the area under the ROC curve and the
 * accuracy of each, beside 50 % and the accuracy of its majority class, and their means. Like leman_report_write(). */
LEMAN_API leman_status leman_tasks_report_write(leman_context *ctx, const leman_dataset *data,
                                                const leman_kernel *kernels, size_t count, const size_t *columns,
                                                size_t tasks, leman_evaluation *const *evaluations, const char *command,
                                                const char *path);

/* A page about a training run: training curves, and predictions for the test part (or the validation part, where there
 * is no test part) against the labels. Like leman_report_write(). */
LEMAN_API leman_status leman_training_page_write(leman_context *ctx, const leman_dataset *data,
                                                 const leman_parts *parts, const leman_network *network,
                                                 const leman_history *history, const char *command, const char *path);
/* The same about several runs and the network of the best of them: scores and curves of all runs beside it. */
LEMAN_API leman_status leman_runs_page_write(leman_context *ctx, const leman_dataset *data, const leman_parts *parts,
                                             const leman_network *network, const leman_runs *runs, const char *command,
                                             const char *path);

/* ---- Attributions ---------------------------------------------------------------------------- */

/* A page about attributions[count], at least one, of graphs of the data: a picture for each, in which vertices and
 * edges are coloured by what they contribute, red for the class or the larger value and blue against it; the
 * prediction; what its score is made of; support graphs. Pictures have one scale, and the bias is spread evenly over
 * what they show. Graphs of more than 256 vertices have no picture. model says what predicts, in words, and training is
 * what it was fitted on, for pictures of its support graphs; each, and command, may be NULL. Like leman_report_write();
 * some ten kilobytes for each. */
LEMAN_API leman_status leman_attribution_page_write(leman_context *ctx, const leman_dataset *data,
                                                    const leman_attribution *const *attributions, size_t count,
                                                    const char *model, const leman_dataset *training,
                                                    const char *command, const char *path);
/* The pictures alone, side by side in one SVG, for leman_explanation_free(). */
LEMAN_API leman_status leman_attribution_draw(leman_context *ctx, const leman_dataset *data,
                                              const leman_attribution *const *attributions, size_t count,
                                              leman_explanation **svg);
/* Are its labels those of atoms and bonds? Then leman_atom_symbol() of vertex labels is what pictures write. */
LEMAN_API bool leman_graph_is_molecule(const leman_graph *graph);

/* A page about a model, or about those of several tasks: what leman_model_describe() says, and the colours of its
 * method that most set the classes of data apart, drawn on graphs of data. A model keeps no graphs: without data, which
 * may be NULL, nothing is drawn. Data must have what the model looks at, and a class; for tasks, columns of targets
 * with their names. Like leman_report_write(). */
LEMAN_API leman_status leman_model_page_write(leman_context *ctx, leman_model *const *models, size_t count,
                                              const leman_dataset *data, const char *command, const char *path);

#ifdef __cplusplus
}
#endif
#endif
