/*
 * Names of methods as people type them. Papers print "δ-2-LWL⁺", tables "delta-2-LWL+", programs "LWLP2": all are
 * brought to one spelling before they are looked up.
 */
#ifndef LM_SPELLING_H
#define LM_SPELLING_H

#include <stdbool.h>
#include <stddef.h>

enum { LM_SPELLING = 64 }; /* bytes of a name in one spelling */

/* Lower case; δ is delta, ε and epsilon are eps, every dash and _ is -, ⁺ is +. False where it does not fit. */
bool lm_spelling_fold(const char *text, char folded[LM_SPELLING]);
/* Is it the same name, spelled in another way? */
bool lm_spelling_equal(const char *a, const char *b);

/* A pattern is the paper's name with the letter k where the number stands: "delta-k-LWL+", "k-WL"; or without one:
 * "GIN-eps". Is the folded name of it? *k: its number, 0 where it has the letter or the pattern has none; a number
 * beyond 9999 is no match. */
bool lm_pattern_match(const char *pattern, const char *folded, unsigned *k);
/* Writes the name with its number, cut off like snprintf(); returns the length of the whole. */
size_t lm_pattern_write(const char *pattern, unsigned k, char *text, size_t size);

#endif
