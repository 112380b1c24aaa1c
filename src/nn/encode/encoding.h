/*
 * The encoding of graphs for a network. It is determined once from a data set and stored with the network; graphs of
 * later predictions are encoded by it.
 *
 * The type of a tuple is the ordered induced labelled subgraph of its vertices,
 *
 *   ( label(v_1), .., label(v_k);  relation(v_i, v_j) for i < j )      relation: same | not adjacent | adjacent by s
 *
 * exactly: keys are compared, never hashes. Types are numbered in the order of their first appearance: graph by graph
 * as the caller lists them (training, validation, test), and by the order of the tuples within a graph. Labels of
 * vertices and of edges are numbered likewise. Several columns of labels form one label; a self-loop is part of the
 * label of its vertex. A type or label of a later graph that no earlier graph had has no number: LM_NO_TYPE, a row of
 * zeros.
 *
 * With `parts` (continuous data, as QM9) three kinds of information stay separate. Types are relations alone, without
 * labels. Labels (one-hot) and attributes of vertices are reals of vertices. Labels (one-hot) and attributes of edges,
 * and the distance of the positions, are reals of ordered pairs.
 *
 * With `beside` (real-valued attributes of any data) types keep their labels, and attributes are reals of their own:
 * those of a vertex, of an arc, and of the ordered pairs of a tuple. Each column is (value - mean) / deviation. Means
 * and deviations are 0 and 1 until lm_encoding_standardize() computes them.
 *
 * With `components` only the tuples of that sparse set exist. They are rows of LM_LISTED, in the order of their
 * vertices, and have the same types, of which fewer occur.
 *
 * The type of a set of vertices (nn/encode/sets.h) is that of the published programs: its sorted labels, and whether
 * its smallest and its largest vertex are adjacent. For 3-sets this is not an isomorphism type: it depends on the
 * numbering of the vertices. Sets read the labels of vertices, so labels are reals of vertices only if there are no
 * attributes.
 *
 * With `pairs` the input of a pair is the label of its second vertex, the distance of its vertices (0, 1, ..., or
 * `distance` for all greater distances and for vertices without a path; paths follow the arcs), and the columns of
 * nn/encode/pair_reals.h.
 *
 * For k = 1 without parts, and with `pairs`, the input of a vertex is its label. Without labels it is its degree:
 * one-hot if all degrees are below 1000, otherwise one real, (degree - mean) / deviation over all vertices. With
 * `beside` the attributes of the vertex follow.
 */
#ifndef LM_ENCODING_H
#define LM_ENCODING_H

#include "base/drop.h"
#include "base/serialize.h"
#include "io/intern.h"
#include "nn/batch.h"
#include "nn/encode/sets.h"

enum {
    LM_NETWORK_MAX_K = 3,
    LM_NETWORK_MAX_ROUNDS = 64,
    LM_ONE_HOT_DEGREES = 1000, /* larger degrees, and this one, are reals */
    LM_LABEL_COLUMNS = 64      /* maximum */
};

typedef struct lm_encoding_options {
    unsigned k; /* 1, 2 or 3 */
    size_t
        components; /* k >= 2: only the tuples that induce at most so many connected components, which are listed; 0: all */
    bool parts;     /* reals are separate from relations */
    bool beside;  /* attributes are reals beside types; without `parts` */
    bool dense;   /* k = 1: one-hot vectors are written as reals, not as type numbers */
    bool edges;   /* k = 1: arcs have labels or, with parts, reals */
    bool joined;  /* k = 1 with parts: every pair is joined by an arc; an arc that is no edge has only its distance */
    bool matrix;  /* k = 2: pairs have no types, only reals: nn/encode/inputs_reals.c */
    bool pairs;   /* k = 2: vertices have types, pairs have none; arcs have labels */
    bool in_arcs; /* directed graphs: entering arcs are a second relation, also in # and in matrices */
    bool ignore_vertex_labels, ignore_edge_labels, ignore_attributes;
    size_t coordinates, first_coordinate; /* count and first column of the vertex attributes that are a position */
    size_t distance;                      /* pairs: distances up to this one are told apart; 0: no distances */
    size_t walk;                          /* pairs: random walks of 1 to so many steps (pair_reals.h) */
    bool resistance;                      /* pairs: effective resistances */
    size_t rounds;                        /* k >= 2: the counts # of local+ for rounds 0 .. rounds-1; 0: none */
    lm_set_kind sets[LM_LISTS];           /* k = 1: the rows of LM_LISTED + i; LM_SETS_NONE only at the end */
} lm_encoding_options;

/* The width of each input: all that a model needs to know. */
typedef struct lm_widths {
    size_t types;        /* one-hot, of tuples, or of vertices if k = 1 or `pairs`; 0: no types */
    size_t labels;       /* one-hot, of arcs */
    size_t vertex_reals; /* columns; if k = 1 they are the input, beside types only with `attributes` */
    size_t attributes;   /* with `beside`: the last so many columns of vertex_reals are attributes */
    size_t arc_reals, tuple_reals;
    size_t counts;              /* columns of #, rounds * k; 1 if there are distances of all pairs instead */
    size_t distances;           /* one-hot, of pairs; 0: no distances */
    size_t set_types[LM_LISTS]; /* one-hot, of sets */
} lm_widths;

typedef enum lm_vertex_input {
    LM_VERTEX_NOTHING, /* the labels are in the types of tuples */
    LM_VERTEX_LABEL,
    LM_VERTEX_DEGREE,      /* one-hot */
    LM_VERTEX_REAL_DEGREE, /* one real */
    LM_VERTEX_PARTS
} lm_vertex_input;

typedef struct lm_encoding {
    leman_context *ctx; /* NULL once the encoding is complete */
    lm_encoding_options options;
    leman_columns columns; /* the columns that its graphs have */
    bool directed;
    lm_vertex_input vertex;
    size_t degrees; /* the largest one-hot degree + 1 */
    double degree_mean, degree_deviation;
    double *mean, *deviation;          /* [vertex attributes + edge attributes] with `beside`; otherwise NULL */
    lm_intern label, edge_label, type; /* keys are 64-bit words */
    lm_intern set_type[LM_LISTS];
    lm_widths widths;
} lm_encoding;

/* Creates the encoding from the types and labels of the graphs which[0..count), then of all other graphs. The options
 * must not contradict each other: `joined` needs `parts`, sets need k = 1, and `matrix` needs k = 2 without coordinates.
 * Costs O(sum of n^k). */
leman_status lm_encoding_learn(leman_context *ctx, const leman_dataset *data, const uint32_t *which, size_t count,
                               const lm_encoding_options *options, lm_encoding **out);
void lm_encoding_free(lm_encoding *encoding);
LM_DROP(lm_encoding)
/* Sets means and deviations to those of the graphs which[0..count): over their vertices, and over their arcs without
 * self-loops. The mean of no values is 0, and the deviation of equal values is 1. The options must have `beside`. Fails
 * like lm_encoding_check(). O(vertices + arcs) for each column. */
leman_status lm_encoding_standardize(leman_context *ctx, lm_encoding *encoding, const leman_dataset *data,
                                     const uint32_t *which, size_t count);
/* Returns the columns of vertex and of edge attributes that networks with these options read. */
leman_columns lm_encoding_attributes(const lm_encoding_options *options, const leman_columns *columns);
/* Fails with LEMAN_ERROR_INPUT, and names graph and column, if an attribute that is read beside types is no finite
 * number of 32 bits. */
leman_status lm_encoding_check(leman_context *ctx, const lm_encoding *encoding, const leman_dataset *data);
/* Writes *encoding without its options, or reads a new encoding that has these options. */
leman_status lm_encoding_serialize(lm_serializer *serializer, const lm_encoding_options *options,
                                   lm_encoding **encoding);

/* Checks that the data has the columns, and the directed or undirected graphs, that the encoding was made for. Fails
 * with LEMAN_ERROR_INPUT otherwise. */
leman_status lm_encoding_fits(leman_context *ctx, const lm_encoding *encoding, const leman_dataset *data);

/* ---- One graph ------------------------------------------------------------------------------- */

/* The next three functions find numbers of labels and types. While an encoding is determined, that is while its ctx is
 * not NULL, a label or type without a number gets a new one, which may fail. Later its number is LM_NO_TYPE.
 *
 * Writes the numbers of the graph's labels: label[n] for vertices, edge_label[arcs] for arcs, self-loops included. */
leman_status lm_encoding_labels(const lm_encoding *encoding, const leman_graph *graph, uint32_t *label,
                                uint32_t *edge_label);
/* Writes the types of the graph's tuples to type[n^k], if type is not NULL; relation[n * n] is workspace. Adds to
 * *out_of_vocabulary how many tuples have LM_NO_TYPE. */
leman_status lm_encoding_types(const lm_encoding *encoding, const leman_graph *graph, const uint32_t *label,
                               const uint32_t *edge_label, uint32_t *relation, uint32_t *type,
                               uint64_t *out_of_vocabulary);
/* Finds the number of the type of one tuple of the graph. O(log degree). */
leman_status lm_encoding_tuple_type(const lm_encoding *encoding, const leman_graph *graph, const uint32_t *label,
                                    const uint32_t *edge_label, const uint32_t *tuple, uint32_t *number);
/* Computes the tuples of all graphs of a sparse set; with their neighbours, if `links`, and in directed graphs along
 * arcs in either direction. The options must have `components`. */
leman_status lm_encoding_tuples(leman_context *ctx, const lm_encoding_options *options, const leman_dataset *data,
                                bool links, leman_tuples **out);
/* Returns true if the graph has the arc, and sets *arc to its index in the data set. O(log degree). */
bool lm_encoding_arc(const leman_graph *graph, size_t tail, size_t head, uint64_t *arc);

/* Returns true if labels or degrees of vertices are one-hot reals, not type numbers. */
static inline bool lm_encoding_has_dense(const lm_encoding *encoding)
{
    return encoding->options.dense || encoding->options.parts;
}
/* Returns the number of columns of vertex reals that are one-hot labels. */
size_t lm_encoding_label_reals(const lm_encoding *encoding);
/* Sets *number to the type of a set of list i. joined: its smallest and its largest vertex are adjacent. */
leman_status lm_encoding_set_type(const lm_encoding *encoding, size_t i, const uint32_t *set, bool joined,
                                  const uint32_t *label, uint32_t *number);
/* Decodes a type. label[k] receives the numbers of its vertices' labels (0 each with parts). relation[k(k-1)/2]
 * receives the relations of the pairs in the order 12, 13, 23. `same`: both are one vertex. `there` is the arc from the
 * first to the second vertex, `back` the opposite arc: 0 for no arc, otherwise 1 + the number of its label. */
typedef struct lm_type_relation {
    bool same;
    uint32_t there, back;
} lm_type_relation;
void lm_encoding_type(const lm_encoding *encoding, size_t type, uint32_t *label, lm_type_relation *relation);

size_t lm_encoding_degree(const leman_graph *graph, size_t vertex); /* without self-loops */

/* ---- For its own files ----------------------------------------------------------------------- */

/* Allocates means and deviations, 0 and 1, if the options have `beside`. */
leman_status lm_encoding_allocate_scale(leman_context *ctx, lm_encoding *encoding);
/* Checks an encoding that was determined or read, and sets the members that follow from the others: the input of
 * vertices, the widths. */
leman_status lm_encoding_complete(lm_encoding *encoding);
/* Returns the number of reals of an ordered pair of vertices in a tuple or an arc. */
size_t lm_encoding_pair_width(const lm_encoding *encoding);
/* The widths of the parts of a matrix; `matrix` must be set. */
typedef struct lm_channels {
    size_t labels, edge_labels, attributes, edge_attributes;
    size_t edges; /* of an edge: "is an edge", its label and attributes; twice if entering arcs are a second relation */
} lm_channels;
lm_channels lm_encoding_channels(const lm_encoding *encoding);
/* Sets *number to the number of a key among keys of the encoding; see lm_encoding_labels(). */
leman_status lm_encoding_number(const lm_encoding *encoding, const lm_intern *keys, const void *key, size_t bytes,
                                uint32_t *number);
/* Returns LEMAN_OK if the keys of types fit into one word. */
leman_status lm_encoding_keys_fit(leman_context *ctx, const lm_encoding *encoding);

#endif
