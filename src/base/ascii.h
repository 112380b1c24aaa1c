/*
 * Letters, digits and blanks of ASCII.
 *
 * The functions of <ctype.h> and strcasecmp() follow the locale of the host program (in a Turkish locale 'I' has no
 * lower case among the single bytes), and their arguments and results are ints, which a `char` with its highest bit set
 * equals on processors where `char` is unsigned and nowhere else. The functions below take and return `char`. Bytes
 * above 127, which are parts of UTF-8 sequences, are neither letters nor digits nor blanks, and no function changes
 * them.
 */
#ifndef LM_ASCII_H
#define LM_ASCII_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

static inline bool lm_is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static inline bool lm_is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/* A blank inside a line: a space, a tab, or the carriage return in front of a line feed. */
static inline bool lm_is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

static inline char lm_lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

static inline char lm_upper(char c)
{
    return c >= 'a' && c <= 'z' ? (char)(c - 'a' + 'A') : c;
}

/* Returns true if text begins with the word, in upper or lower case. Bytes behind text's terminating 0 are not read. */
static inline bool lm_begins(const char *text, const char *word)
{
    for (; *word; text++, word++)
        if (lm_lower(*text) != lm_lower(*word)) return false;
    return true;
}

/* Returns true if a and b, each of `length` bytes, are equal up to upper and lower case. */
static inline bool lm_same_word(const char *a, const char *b, size_t length)
{
    for (size_t i = 0; i < length; i++)
        if (lm_lower(a[i]) != lm_lower(b[i])) return false;
    return true;
}

/* Returns true if the `length` bytes of text are the word, in upper or lower case. */
static inline bool lm_is_word(const char *text, size_t length, const char *word)
{
    return strlen(word) == length && lm_same_word(text, word, length);
}

#endif
