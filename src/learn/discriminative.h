/*
 * Discriminative colours: those that a larger share of the graphs of one class has than of every other class. Their
 * effect size is the phi coefficient of "is of the class" and "has the colour". Where a of n graphs of the class and b
 * of m other graphs have it,
 *
 *     phi = (a (m - b) - b (n - a)) / sqrt((a + b) (n + m - a - b) n m),
 *
 * which is above 0 for every colour that is listed, and 1 for one that all graphs of the class have and no other.
 *
 * Labels split a pattern of the structure into many rare colours. So the same colourings without labels are asked too,
 * where the data has labels that they look at.
 */
#ifndef LM_DISCRIMINATIVE_H
#define LM_DISCRIMINATIVE_H

#include "learn/classes.h"

enum { LM_DISCRIMINATIVE_COLORS = 12, LM_DISCRIMINATIVE_VERTICES = 40 /* of an example, at most */ };

typedef struct lm_discriminative_color {
    uint32_t class_id; /* number of the class it is evidence for */
    size_t kernel;     /* whose colour it is */
    bool unlabelled;   /* with all labels ignored */
    uint32_t round;
    uint64_t key;     /* the colour; with the tuple's components in another order it may be another */
    double effect;    /* phi, above 0, at most 1 */
    size_t shown;     /* graphs that show it */
    uint32_t example; /* a graph of that class to draw; UINT32_MAX: all are too large */
} lm_discriminative_color;

typedef struct lm_discriminative {
    size_t count;
    lm_discriminative_color color[LM_DISCRIMINATIVE_COLORS]; /* by class, then by effect */
    size_t min;                                              /* graphs that had to show a colour for it to count */
    uint32_t *shown;                                         /* [count][classes] graphs of each class that show it */
} lm_discriminative;

/*
 * kernels are colourings without assignment, h their rounds. Of colours that the same graphs have (those of later
 * rounds that split no more, a tuple and its reverse) the one of the earliest round is taken. None where there are
 * fewer than two classes. Time: features, and O(classes features).
 */
leman_status lm_discriminative_compute(leman_context *ctx, const leman_dataset *data, const lm_classes *classes,
                                       const leman_kernel *kernels, size_t count, uint32_t h,
                                       lm_discriminative *discriminative);
void lm_discriminative_free(leman_context *ctx, lm_discriminative *discriminative);

#endif
