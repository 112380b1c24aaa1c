/*
 * N-Triples and N-Quads (W3C, RDF 1.1). A file is one directed graph: a vertex for each term and a vertex for each
 * statement. The arcs of a statement lead from its subject, and to its predicate, its object and the name of its graph;
 * the label of an arc says which. So several statements about the same two terms, and blank nodes in any place, are kept.
 */
#ifndef LM_RDF_H
#define LM_RDF_H

#include "base/text.h"
#include "io/format.h"
#include "io/intern.h"

/* Labels of vertices: blank nodes, statements; other terms have a hash of their text, 2 or more. */
enum { LM_RDF_BLANK = 0, LM_RDF_STATEMENT = 1 };
/* Labels of arcs, added up where a term has several roles in a statement. */
enum { LM_RDF_SUBJECT = 1, LM_RDF_PREDICATE = 2, LM_RDF_OBJECT = 4, LM_RDF_GRAPH = 8 };
/* The terms of a statement, in the order of a line. */
enum { LM_RDF_TERMS = 4 };

typedef enum lm_rdf_kind { LM_RDF_IS_IRI = 1, LM_RDF_IS_BLANK = 2, LM_RDF_IS_LITERAL = 4 } lm_rdf_kind;

/* A term in canonical N-Triples: <http://a/b>, "text"@en, "1"^^<http://...>; the label behind _: of a blank node. Equal
 * terms have the same text however they are escaped. Zero-initialise. */
typedef struct lm_rdf_term {
    lm_rdf_kind kind;
    lm_vector text; /* char */
} lm_rdf_term;

/* Reads the term at the current place, which must be of one of the kinds (a sum of lm_rdf_kind); `what` names it in
 * sentences. The text replaces that of *term. O(characters). */
leman_status lm_rdf_read_term(lm_text *text, unsigned kinds, const char *what, lm_rdf_term *term);
/* Returns the label of a vertex for a named term. The same on every machine. */
int64_t lm_rdf_label(const char *text, size_t length);
/* Writes the statements of a data set that was read from N-Triples or N-Quads, in the order of their vertices. Blank nodes
 * are _:b0, _:b1, ... in the order of theirs. Other data sets fail with LEMAN_ERROR_INPUT. O(size of the data). */
leman_status lm_rdf_write(leman_context *ctx, const leman_dataset *data, lm_output *out);

#endif
