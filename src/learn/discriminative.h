/* Discriminative colours: those to which a linear SVM, trained on all graphs, gives the most weight for a class. */
#ifndef LM_DISCRIMINATIVE_H
#define LM_DISCRIMINATIVE_H

#include "learn/classes.h"

enum { LM_DISCRIMINATIVE_COLORS = 12, LM_DISCRIMINATIVE_VERTICES = 40 /* of an example, at most */ };

typedef struct lm_discriminative_color {
    uint32_t class_id; /* number of the class it is evidence for */
    size_t kernel;     /* whose colour it is */
    uint32_t round;
    uint64_t key;     /* the colour; with the tuple's components in another order it may be another */
    double weight;    /* of the SVM, above 0 */
    size_t shown;     /* graphs that show it */
    uint32_t example; /* a graph of that class to draw; UINT32_MAX: all are too large */
} lm_discriminative_color;

typedef struct lm_discriminative {
    size_t count;
    lm_discriminative_color color[LM_DISCRIMINATIVE_COLORS]; /* by class, then by weight */
    size_t min;                                              /* graphs that had to show a colour for it to count */
    uint32_t *shown;                                         /* [count][classes] graphs of each class that show it */
} lm_discriminative;

/*
 * kernels are colourings without assignment, h their rounds, C that of the SVM. Of colours that only differ by a factor
 * (in all graphs) the one of the earliest round is taken. None where there are fewer than two classes. Time: features,
 * and one training on all graphs.
 */
leman_status lm_discriminative_compute(leman_context *ctx, const leman_dataset *data, const lm_classes *classes,
                                       const leman_kernel *kernels, size_t count, uint32_t h, double C,
                                       lm_discriminative *discriminative);
void lm_discriminative_free(leman_context *ctx, lm_discriminative *discriminative);

#endif
