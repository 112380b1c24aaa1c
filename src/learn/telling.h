/* The colours that speak for a class: those to which a linear machine, trained on all graphs, gives the most weight. */
#ifndef LM_TELLING_H
#define LM_TELLING_H

#include "learn/classes.h"

enum { LM_TELLING_COLORS = 12, LM_TELLING_VERTICES = 40 /* of an example, at most */ };

typedef struct lm_telling_color {
    uint32_t speaks_for; /* a class, by number */
    size_t kernel;       /* whose colour it is */
    uint32_t round;
    uint64_t key;     /* the colour; with the tuple's components in another order it may be another */
    double weight;    /* of the machine, above 0 */
    size_t shown;     /* graphs that show it */
    uint32_t example; /* a graph of that class to draw; UINT32_MAX: all are too large */
} lm_telling_color;

typedef struct lm_telling {
    size_t count;
    lm_telling_color color[LM_TELLING_COLORS]; /* by class, then by weight */
    size_t least;                              /* graphs that had to show a colour for it to count */
    uint32_t *shown;                           /* [count][classes] graphs of each class that show it */
} lm_telling;

/*
 * kernels are colourings without assignment, h their rounds, C the machine's. Of colours that only differ by a factor
 * (in all graphs) the one of the earliest round is taken. None where there are fewer than two classes. Time: features,
 * and one training on all graphs.
 */
leman_status lm_telling_take(leman_context *ctx, const leman_dataset *data, const lm_classes *classes,
                             const leman_kernel *kernels, size_t count, uint32_t h, double C, lm_telling *telling);
void lm_telling_free(leman_context *ctx, lm_telling *telling);

#endif
