/*
 * leman/substructure.h - features as substructures: the neighbourhood of a tuple that has a colour, in an example.
 */
#ifndef LEMAN_SUBSTRUCTURE_H
#define LEMAN_SUBSTRUCTURE_H

#include "leman/model.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * A feature of a colouring, shown by an example: of the graphs that have the colour the smallest, of equal ones the first.
 * The neighbourhood has the components of a tuple with the colour, all vertices within `round` steps of them, and the
 * edges between these vertices, without those between two vertices of the last step, which the colour does not know.
 *
 * The text of a molecule is a SMARTS that begins at the first component. It says what the colour knows: D is the number of
 * bonds of an atom whose bonds are all in the neighbourhood, [#6] is carbon that may be aromatic, R and X are from labels of
 * ECFP. Components of tuples of several vertices are numbered, [#6:1]. Other graphs are written in the same way, with [3] for
 * the label of a vertex, ~ or {2} for an edge or its label, and > or < for arcs. More than LEMAN_SUBSTRUCTURE_VERTICES
 * vertices are only counted: "(312 vertices)".
 */
typedef struct leman_substructure {
    leman_feature feature;  /* an index into the kernels, the round, and the colour */
    const char *text;       /* "" if no graph has the feature, or if it is none of a colouring of vertices or tuples */
    size_t graphs;          /* number of graphs that have the feature */
    size_t example;         /* number of the example; SIZE_MAX: none */
    size_t components;      /* number of different vertices of the tuple */
    size_t vertices;        /* number of vertices of the neighbourhood */
    const uint32_t *vertex; /* [vertices] the components first, then the others by their distance */
    /* Of a model: what one more tuple of the colour adds to the score of a graph whose counts have the length 1, and the
     * standard deviation over the graphs of what all its tuples add. NAN for features without a model. */
    double weight, effect;
} leman_substructure;

typedef struct leman_substructures {
    size_t count;
    const leman_substructure *item; /* [count] */
} leman_substructures;
#define LEMAN_SUBSTRUCTURE_VERTICES 256
LEMAN_API void leman_substructures_free(leman_substructures *substructures);

/* Shows every column of features as a substructure of graphs of the data: the graphs that the features were computed from, or
 * others of the same origin. Fails with LEMAN_ERROR_ARGUMENT if the features do not name their columns and kernels, with
 * LEMAN_ERROR_UNSUPPORTED for graphs with marked vertices (apex), and as leman_features_compute() does. Time: features of
 * the data, and the refinement of every graph that is an example. */
LEMAN_API leman_status leman_features_substructures(leman_context *ctx, const leman_features *features,
                                                    const leman_dataset *data, leman_substructures **out);

/* Shows the features of a model with the largest effects on the score of a class (class_number is an index into class_label;
 * of a regression it is not used), at most `most`, by decreasing effect. Features with the same counts in all graphs of the
 * data are one item: the one of the earliest round, with the sum of their weights. Fails with LEMAN_ERROR_UNSUPPORTED for
 * models that are not linear in counts of colours, and for those of graphs with marked vertices; otherwise as
 * leman_model_predict() does. */
LEMAN_API leman_status leman_model_substructures(leman_context *ctx, const leman_model *model,
                                                 const leman_dataset *data, size_t class_number, size_t most,
                                                 leman_substructures **out);

#ifdef __cplusplus
}
#endif
#endif
