/* Text for people; words.h has the contracts. */
#include "base/words.h"
#include "base/context.h"
#include <stdio.h>
#include <string.h>

const char *lm_count_text(uint64_t value, char *text)
{
    if (value == UINT64_MAX) return strcpy(text, "over 10^19");
    char digits[24];
    int length = snprintf(digits, sizeof digits, "%llu", (unsigned long long)value);
    char *to = text;
    for (int i = 0; i < length; i++) {
        if (i && (length - i) % 3 == 0) *to++ = ',';
        *to++ = digits[i];
    }
    *to = 0;
    return text;
}

leman_status lm_write_blanks(lm_output *out, size_t count)
{
    return lm_output_printf(out, "%*s", (int)count, "");
}

leman_status lm_write_text(lm_output *out, const char *text)
{
    return lm_output_write(out, text, strlen(text));
}

leman_status lm_write_wrapped(lm_output *out, const char *text, size_t indent, size_t column)
{
    bool begin = true;
    while (*text) {
        if (!strncmp(text, "\n\n", 2)) {
            PASS(lm_write_text(out, "\n\n"));
            PASS(lm_write_blanks(out, indent));
            text += 2;
            column = indent;
            begin = true;
        }
        size_t length = strcspn(text, " \n");
        if (!begin && column + 1 + length > LM_TEXT_WIDTH) {
            PASS(lm_write_text(out, "\n"));
            PASS(lm_write_blanks(out, indent));
            column = indent;
        } else if (!begin && length) {
            PASS(lm_write_text(out, " "));
            column++;
        }
        PASS(lm_output_write(out, text, length));
        column += length;
        begin = begin && !length;
        text += length;
        if (*text == ' ' || (*text == '\n' && text[1] != '\n')) text++;
    }
    return lm_write_text(out, "\n");
}
