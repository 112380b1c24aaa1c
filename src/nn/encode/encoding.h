/*
 * The encoding of graphs for a network: found once over a data set, kept with the network, and the same for every graph
 * that it predicts for later.
 *
 * The type of a tuple is the ordered induced labelled subgraph of its vertices,
 *
 *   ( label(v_1), .., label(v_k);  relation(v_i, v_j) for i < j )      relation: same | not adjacent | adjacent by s
 *
 * exactly: keys are compared, never hashes. Types are numbered in the order of their first appearance, graph after
 * graph as the caller lists them (training, validation, test), each in the order of its tuples. Labels of vertices and
 * of edges are numbered in the same way. Several columns of labels are one label; a self-loop belongs to the label of
 * its vertex. What a later graph shows and no earlier one did has no number: LM_NO_TYPE, a row of zeros.
 *
 * With `parts` (continuous data, as QM9) the three kinds of information stay apart: types are relations alone, without
 * labels; labels (one-hot) and attributes of vertices are reals of vertices; labels (one-hot), attributes and the
 * distance of the positions are reals of ordered pairs.
 *
 * The type of a set of vertices (nn/encode/sets.h) is that of the published programs: its labels, sorted, and whether
 * its smallest and its largest vertex are adjacent. Of 3-sets that is no isomorphism type: it depends on how vertices
 * are numbered. Sets read the labels of vertices, so that these are reals of vertices only where there are no
 * attributes.
 *
 * For k = 1 without parts a vertex has its label. Without labels it has its degree: one-hot where no degree is 1000 or
 * more, otherwise (degree - mean) / deviation over all vertices, one real.
 */
#ifndef LM_ENCODING_H
#define LM_ENCODING_H

#include "base/serialize.h"
#include "io/intern.h"
#include "nn/batch.h"
#include "nn/encode/sets.h"

enum {
    LM_NETWORK_MAX_K = 3,
    LM_NETWORK_MAX_ROUNDS = 64,
    LM_ONE_HOT_DEGREES = 1000, /* degrees from here on are reals */
    LM_LABEL_COLUMNS = 64      /* at most */
};

typedef struct lm_encoding_options {
    unsigned k;   /* 1, 2 or 3 */
    bool parts;   /* reals apart from relations */
    bool dense;   /* k = 1: one-hot vectors are written out as reals, not as numbers */
    bool edges;   /* k = 1: arcs carry labels, or with parts reals */
    bool joined;  /* k = 1 with parts: an arc joins every pair; what is no edge has only its distance */
    bool matrix;  /* k = 2: pairs have no types, all is reals of pairs: nn/encode/inputs_reals.c */
    bool in_arcs; /* directed graphs: entering arcs are a second relation, of # and of matrices */
    bool ignore_vertex_labels, ignore_edge_labels, ignore_attributes;
    size_t coordinates, first_coordinate; /* so many vertex attributes from that one on are a position */
    size_t rounds;                        /* k >= 2: # of local+ in rounds 0 .. rounds-1; 0: none */
    lm_set_kind sets[LM_LISTS];           /* k = 1: the rows of LM_LISTED + i; those that there are come first */
} lm_encoding_options;

/* How wide each input is; all that a model has to know. */
typedef struct lm_widths {
    size_t types;        /* one-hot, of tuples; for k = 1 of vertices, 0 where there is no such thing */
    size_t labels;       /* one-hot, of arcs */
    size_t vertex_reals; /* columns; for k = 1 these are the input, where they are not 0 */
    size_t arc_reals, tuple_reals;
    size_t counts;              /* columns of #: rounds * k */
    size_t set_types[LM_LISTS]; /* one-hot, of sets */
} lm_widths;

typedef enum lm_vertex_input {
    LM_VERTEX_NOTHING, /* types of tuples have the labels */
    LM_VERTEX_LABEL,
    LM_VERTEX_DEGREE,      /* one-hot */
    LM_VERTEX_REAL_DEGREE, /* one number */
    LM_VERTEX_PARTS
} lm_vertex_input;

typedef struct lm_encoding {
    leman_context *ctx; /* until it is complete; NULL from then on */
    lm_allocator allocator;
    lm_encoding_options options;
    leman_columns columns; /* that its graphs have */
    bool directed;
    lm_vertex_input vertex;
    size_t degrees; /* the largest one-hot degree + 1 */
    double degree_mean, degree_deviation;
    lm_intern label, edge_label, type; /* keys of 64-bit words */
    lm_intern set_type[LM_LISTS];
    lm_widths widths;
} lm_encoding;

/* Finds types and labels in the graphs which[0..count), then in those that are not among them. O(sum of n^k). */
leman_status lm_encoding_learn(leman_context *ctx, const leman_dataset *data, const uint32_t *which, size_t count,
                               const lm_encoding_options *options, lm_encoding **out);
void lm_encoding_free(lm_encoding *encoding);
/* Writes *encoding, or reads a new one into it. */
leman_status lm_encoding_serialize(lm_serializer *serializer, lm_encoding **encoding);

/* Has the data the columns that the encoding was made for? */
leman_status lm_encoding_fits(leman_context *ctx, const lm_encoding *encoding, const leman_dataset *data);

/* ---- One graph ------------------------------------------------------------------------------- */

/* The numbers of its labels, LM_NO_TYPE where they have none: label[n], of arcs edge_label[arcs] (loops too). */
void lm_encoding_labels(const lm_encoding *encoding, const leman_graph *graph, uint32_t *label, uint32_t *edge_label);
/* The types of its tuples into type[n^k]; relation[n * n] is work space. Returns how many have no number. */
size_t lm_encoding_types(const lm_encoding *encoding, const leman_graph *graph, const uint32_t *label,
                         const uint32_t *edge_label, uint32_t *relation, uint32_t *type);

/* Columns of vertex reals that are one-hot labels. */
size_t lm_encoding_label_reals(const lm_encoding *encoding);
/* The type of a set of list i, LM_NO_TYPE where it has none; joined: are its smallest and largest vertex adjacent? */
uint32_t lm_encoding_set_type(const lm_encoding *encoding, size_t i, const uint32_t *set, bool joined,
                              const uint32_t *label);
/* What a type means: label[k], the numbers of its vertices' labels (0 each with parts), and relation[k(k-1)/2] of the
 * pairs in the order 12, 13, 23: the same vertex, or
 * from the first to the second and back 0 where there is no edge and 1 + the number of its label. */
typedef struct lm_type_relation {
    bool same;
    uint32_t there, back;
} lm_type_relation;
void lm_encoding_type(const lm_encoding *encoding, size_t type, uint32_t *label, lm_type_relation *relation);

size_t lm_encoding_degree(const leman_graph *graph, size_t vertex); /* without self-loops */

/* ---- For its own files ----------------------------------------------------------------------- */

/* Checks what was found or read and sets what follows from it: the input of vertices, the widths. */
leman_status lm_encoding_complete(lm_encoding *encoding);
/* Of a matrix: columns of the reals of pairs. */
size_t lm_encoding_channels(const lm_encoding *encoding);
/* Numbers a new type where it is not known. */
leman_status lm_encoding_add_types(lm_encoding *encoding, const leman_graph *graph, const uint32_t *label,
                                   const uint32_t *edge_label, uint32_t *relation);
/* The same for the sets of list i that were found in a graph. */
leman_status lm_encoding_add_set_types(lm_encoding *encoding, size_t i, const lm_set_work *sets, const uint32_t *label);
/* May the keys of types be written into one word? */
leman_status lm_encoding_keys_fit(leman_context *ctx, const lm_encoding *encoding);

#endif
