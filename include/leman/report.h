/*
 * leman/report.h - HTML pages about evaluations, training runs, attributions and models.
 */
#ifndef LEMAN_REPORT_H
#define LEMAN_REPORT_H

#include "leman/attribution.h"
#include "leman/evaluate.h"
#include "leman/explain.h"
#include "leman/model.h"
#include "leman/network.h"
#include "leman/runs.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A method that a page shows. Initialise it with zeros: new members will replace reserved ones. */
typedef struct leman_method {
    const char *name;                   /* NULL: made from the kernels, as in the paper: "δ-2-LWL" */
    const leman_kernel *kernels;        /* NULL: a network, which must have a name */
    size_t count;                       /* number of kernels in the sum; 0 for a network */
    const leman_evaluation *evaluation; /* on the data of the page */
    uint64_t parameters;                /* of a network, for the figure of errors and costs; 0: not known */
    uint64_t reserved[3];               /* 0 */
} leman_method;

/*
 * Writes a page about one or several evaluations of the same data: accuracy (in a regression, error), accuracy by
 * number of rounds, training and test accuracy, confusion matrix, Gram matrix, kernel PCA, the most discriminative
 * colours of each class drawn on example graphs, running times and, for several methods, errors against seconds and
 * parameters (docs/report.md). The page is one HTML file without scripts that needs no network; it appears whole or not
 * at all. command, which may be NULL, is shown as the command line that writes the page again. Features are computed
 * again for all graphs that have a label. The Gram matrix and the kernel PCA are computed again, for a random sample if
 * there are more than a thousand such graphs. If a figure needs more than the memory budget, a sentence replaces the
 * figure.
 */
LEMAN_API leman_status leman_report_write(leman_context *ctx, const leman_dataset *data, const leman_method *methods,
                                          size_t count, const char *command, const char *path);

/* Writes a page about the arguments and results of leman_evaluate_tasks(): area under the ROC curve and accuracy of
 * each, beside 50 % and the accuracy of the majority class, and means. File and command as in leman_report_write(). */
LEMAN_API leman_status leman_tasks_report_write(leman_context *ctx, const leman_dataset *data,
                                                const leman_kernel *kernels, size_t count, const size_t *columns,
                                                size_t tasks, leman_evaluation *const *evaluations, const char *command,
                                                const char *path);

/* Writes a page about a training run: training curves, and predictions for the test part (without one, the validation
 * part) against the labels. Without epochs LEMAN_ERROR_ARGUMENT. File and command as in leman_report_write(). */
LEMAN_API leman_status leman_training_page_write(leman_context *ctx, const leman_dataset *data,
                                                 const leman_parts *parts, const leman_network *network,
                                                 const leman_history *history, const char *command, const char *path);
/* Writes the page of leman_training_page_write() about several runs and the best network, with scores of all runs. */
LEMAN_API leman_status leman_runs_page_write(leman_context *ctx, const leman_dataset *data, const leman_parts *parts,
                                             const leman_network *network, const leman_runs *runs, const char *command,
                                             const char *path);

/* Writes a page about leman_hierarchy_compute() on these data: what each test tells apart, a warning for each proved inclusion
 * that is violated, the diagram of what was seen with the smallest pair for each step, and tables. The pairs of a list may be
 * divided into groups: names[groups] and sizes[groups], consecutive, all pairs. Graphs with more than 64 vertices are not
 * drawn. File and command as in leman_report_write(). */
LEMAN_API leman_status leman_hierarchy_page_write(leman_context *ctx, const leman_dataset *data,
                                                  const leman_hierarchy *hierarchy, const char *const *names,
                                                  const size_t *sizes, size_t groups, const char *command,
                                                  const char *path);

/* Predictions for graphs whose classes or targets are known. */
typedef struct leman_predictions_view {
    size_t size;       /* leman_predictions_view_init() sets it */
    const char *data;  /* the name of the graphs */
    const char *model; /* what predicted, in words; NULL: not said */
    const char *score; /* a sentence about the score, without a full stop; NULL: none */
    size_t graphs;
    size_t outputs;          /* tasks, targets, or 1 */
    const char *const *name; /* [outputs] what is predicted */
    const char *positive;    /* of classes: what `predicted` is the probability of; NULL: targets */
    const double *predicted; /* [graphs][outputs] probabilities of the positive class, or values; NULL: more than two
                              * classes, which have no curves */
    const double *truth; /* [graphs][outputs] 1 for the positive class and 0 for the other, or values; NAN: unknown */
    const double *error; /* [graphs] 1 for a wrong class and 0 for the right one, or the absolute error; NAN: unknown;
                              * NULL: no figure of errors */
    const double *similarity; /* [graphs] to the training graphs (leman_model_domain()), NAN: unknown; or NULL */
} leman_predictions_view;

LEMAN_API void leman_predictions_view_init(leman_predictions_view *view, size_t size);
static inline leman_predictions_view leman_predictions_view_default(void)
{
    leman_predictions_view view;
    leman_predictions_view_init(&view, sizeof view);
    return view;
}

/* Writes a page about predictions: of two classes the ROC curve, precision and recall, and the calibration of the
 * probabilities; of targets predicted against known values; errors by similarity to the training graphs. File and command
 * as in leman_report_write(). O(graphs outputs log graphs). */
LEMAN_API leman_status leman_predictions_page_write(leman_context *ctx, const leman_predictions_view *view,
                                                    const char *command, const char *path);

/* ---- Attributions ---------------------------------------------------------------------------- */

/* How graphs are drawn. */
typedef struct leman_drawing_options {
    size_t size;               /* leman_drawing_options_init() sets it */
    bool atom_numbers;         /* write the number of each vertex, from 0 in the order of the input, beside it */
    bool transparent;          /* of an SVG: no background, and dark lines in dark mode too, for a slide or a figure */
    const char *const *smiles; /* [graphs of the data] text below each name on pages, such as its SMILES; NULL: none */
} leman_drawing_options;

LEMAN_API void leman_drawing_options_init(leman_drawing_options *options, size_t size);
static inline leman_drawing_options leman_drawing_options_default(void)
{
    leman_drawing_options options;
    leman_drawing_options_init(&options, sizeof options);
    return options;
}

/* Writes a page about attributions[count], at least one, of graphs of the data. For each there are a picture, the
 * prediction, the parts of its score, and support graphs. Vertices and edges are coloured by their contributions: red
 * for the class or a larger value, blue against it. All pictures have the same scale; the bias is spread evenly over
 * vertices and edges. Graphs with more than 256 vertices have no picture. model describes the model in words. training
 * is its training data, for pictures of support graphs. model, training, options and command may be NULL. File and command as in
 * leman_report_write(); about ten kilobytes for each attribution. */
LEMAN_API leman_status leman_attribution_page_write(leman_context *ctx, const leman_dataset *data,
                                                    const leman_attribution *const *attributions, size_t count,
                                                    const char *model, const leman_dataset *training,
                                                    const leman_drawing_options *options, const char *command,
                                                    const char *path);
/* Draws the pictures of leman_attribution_page_write() into one SVG, which needs no other file and states its size in
 * millimetres: 79 mm and 58 mm for each picture. options may be NULL. Free with leman_explanation_free(). */
LEMAN_API leman_status leman_attribution_draw(leman_context *ctx, const leman_dataset *data,
                                              const leman_attribution *const *attributions, size_t count,
                                              const leman_drawing_options *options, leman_explanation **svg);
/* Returns true if the labels are those of atoms and bonds; pictures then show leman_atom_symbol() of vertex labels. */
LEMAN_API bool leman_graph_is_molecule(const leman_graph *graph);

/* What leman_clusters_find() found, and what else colours the map of the page. */
typedef struct leman_clusters_view {
    size_t size;             /* leman_clusters_view_init() sets it */
    const uint32_t *cluster; /* [graphs] */
    const uint32_t *centre;  /* [graphs] */
    size_t clusters;
    double least;           /* the similarity from which graphs are neighbours */
    const double *value;    /* [graphs] numbers for a second map, coloured by thirds; NAN: missing; NULL: no such map */
    const char *value_name; /* what they are */
} leman_clusters_view;

LEMAN_API void leman_clusters_view_init(leman_clusters_view *view, size_t size);
static inline leman_clusters_view leman_clusters_view_default(void)
{
    leman_clusters_view view;
    leman_clusters_view_init(&view, sizeof view);
    return view;
}

/* Writes a page about clusters: a map of at most 2,000 graphs by kernel PCA of their similarities, coloured by the largest
 * clusters, by class if the data have at most six of them, and by view->value; and the centres of the twelve largest
 * clusters, drawn. options may be NULL. Kernels as in leman_clusters_find(). File and command as in leman_report_write(). */
LEMAN_API leman_status leman_clusters_page_write(leman_context *ctx, const leman_dataset *data,
                                                 const leman_kernel *kernels, size_t count,
                                                 const leman_clusters_view *view, const leman_drawing_options *options,
                                                 const char *command, const char *path);

/* Makes a copy of the data with x, y and z as its three vertex attributes: molecules are placed as structural formulas
 * in the plane, with bonds of length 1.5, as files of molecules need them (leman_dataset_write() to an SDF). Molecules
 * that have three attributes that are not all 0 keep them; graphs that are not molecules, or have more than 256 atoms or
 * 320 bonds, get zeros. If a molecule was placed, leman_dataset_write() says that double bonds without marks (arc_side of
 * leman_graph) may be E or Z. About 0.1 ms for a molecule and thread. */
LEMAN_API leman_status leman_dataset_lay_out(leman_context *ctx, const leman_dataset *data, leman_dataset **out);

/* Writes a page about a model, or the models of several tasks: leman_model_describe(), and the colours of the kernels
 * that best separate the classes of data, drawn on graphs of data. data may be NULL: nothing is drawn, since a model
 * contains no graphs. data must have the columns that the model uses, and classes; for tasks, target columns with the
 * names of the tasks. File and command as in leman_report_write(). */
LEMAN_API leman_status leman_model_page_write(leman_context *ctx, leman_model *const *models, size_t count,
                                              const leman_dataset *data, const char *command, const char *path);

#ifdef __cplusplus
}
#endif
#endif
