/*
 * Names of methods as people type them. Papers print "δ-2-LWL⁺", tables "delta-2-LWL+", programs "LWLP2". A name is
 * brought to one spelling ("folded") before it is looked up.
 */
#ifndef LM_SPELLING_H
#define LM_SPELLING_H

#include <stdbool.h>
#include <stddef.h>

enum { LM_SPELLING = 96 }; /* bytes of a folded name */

/* Folds a name: lower case; δ becomes delta, ε and epsilon become eps, every dash and _ becomes -, ⁺ becomes +. Returns
 * false if the result does not fit. */
bool lm_spelling_fold(const char *text, char folded[LM_SPELLING]);
/* Returns true if a and b fold to the same name. */
bool lm_spelling_equal(const char *a, const char *b);

/* A pattern is the paper's name with the letter k in place of the number, "delta-k-LWL+" or "k-WL", or a name without a
 * number, "GIN-eps". Returns true if the folded name matches the pattern, and sets *k to its number, or to 0 if the
 * name has the letter k or the pattern has no number. A number above 9999 does not match. */
bool lm_pattern_match(const char *pattern, const char *folded, unsigned *k);
/* Writes the pattern with k replaced by the number, cut off like snprintf(). Returns the length of the complete
 * name. */
size_t lm_pattern_write(const char *pattern, unsigned k, char *text, size_t size);

#endif
