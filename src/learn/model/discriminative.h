/*
 * Discriminative colours: colours that occur in a larger share of the graphs of one class than of every other class.
 * The effect size of a colour is the phi coefficient of "the graph is of the class" and "the graph has the colour". If
 * a of the n graphs of the class and b of the m other graphs have the colour,
 *
 *     phi = (a (m - b) - b (n - a)) / sqrt((a + b) (n + m - a - b) n m).
 *
 * phi is above 0 for every listed colour, and 1 for a colour that all graphs of the class and no other graph have.
 *
 * Labels split a structural pattern into many rare colours. If a colouring uses labels that the data has, the colouring
 * without labels is therefore searched too.
 */
#ifndef LM_DISCRIMINATIVE_H
#define LM_DISCRIMINATIVE_H

#include "learn/protocol/classes.h"

enum { LM_DISCRIMINATIVE_COLORS = 12, LM_DISCRIMINATIVE_VERTICES = 40 /* most vertices of an example */ };

typedef struct lm_discriminative_color {
    uint32_t class_id; /* number of the class that the colour is evidence for */
    size_t kernel;     /* index of the kernel that the colour belongs to */
    bool unlabelled;   /* with all labels ignored */
    uint32_t round;
    uint64_t key;     /* the colour; if the components of a tuple are reordered, its colour may differ */
    double effect;    /* phi, above 0, at most 1 */
    size_t shown;     /* number of graphs that have the colour */
    uint32_t example; /* a graph of the class to draw; UINT32_MAX: all are too large */
} lm_discriminative_color;

typedef struct lm_discriminative {
    size_t count;
    lm_discriminative_color color[LM_DISCRIMINATIVE_COLORS]; /* by class, then by effect */
    size_t min;                                              /* colours in fewer graphs are not considered */
    uint32_t *shown;                                         /* [count][classes] graphs of each class with the colour */
} lm_discriminative;

/*
 * Computes the discriminative colours of the data. The kernels must be colourings without assignment, with h rounds. Of
 * several colours that occur in the same graphs (colours of later rounds that split no class, or of a tuple and its
 * reverse) the one of the earliest round is taken. With fewer than two classes the list is empty. Time: that of the
 * features, and O(classes * features).
 */
leman_status lm_discriminative_compute(leman_context *ctx, const leman_dataset *data, const lm_classes *classes,
                                       const leman_kernel *kernels, size_t count, uint32_t h,
                                       lm_discriminative *discriminative);
void lm_discriminative_free(lm_discriminative *discriminative);

#endif
