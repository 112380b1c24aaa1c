/*
 * Text that is put together piece by piece in an array of the caller. It never passes the array and always ends with a
 * zero; where something does not fit, the text ends in "...", so that nobody takes it for the whole.
 */
#ifndef LM_JOINED_H
#define LM_JOINED_H

#include <stdbool.h>
#include <stddef.h>

typedef struct lm_joined {
    char *text; /* [size] */
    size_t size, used;
    bool cut; /* something did not fit; nothing is added any more */
} lm_joined;

/* An empty text in text[size]; size is at least 4. */
lm_joined lm_joined_begin(char *text, size_t size);
__attribute__((format(printf, 2, 3))) void lm_joined_add(lm_joined *joined, const char *format, ...);
/* One more name of a list, with a comma and a blank before it unless it is the first. */
void lm_joined_name(lm_joined *joined, const char *name);

#endif
