/* Text put together in an array of fixed size; joined.h. O(bytes of the text). */
#include "base/joined.h"
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

lm_joined lm_joined_begin(char *text, size_t size)
{
    *text = 0;
    return (lm_joined){.text = text, .size = size};
}

void lm_joined_add(lm_joined *j, const char *format, ...)
{
    static const char CUT[] = "...";
    va_list arguments;
    if (j->cut) return;
    va_start(arguments, format);
    const int length = vsnprintf(j->text + j->used, j->size - j->used, format, arguments);
    va_end(arguments);
    if (length >= 0 && (size_t)length < j->size - j->used) {
        j->used += (size_t)length;
        return;
    }
    j->cut = true;
    j->used = j->size - 1;
    memcpy(j->text + j->size - sizeof CUT, CUT, sizeof CUT);
}

void lm_joined_name(lm_joined *j, const char *name)
{
    lm_joined_add(j, "%s%s", j->used ? ", " : "", name);
}
