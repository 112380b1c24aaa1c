/*
 * A window that moves over the text of a file or pipe by whole lines. Compressed text (gzip) is decompressed.
 */
#ifndef LM_WINDOW_H
#define LM_WINDOW_H

#include "base/context.h"
#include "base/file.h"
#include <zlib.h>

/* Zero-initialise; release with lm_window_close(). The struct must not be moved while it is open. */
typedef struct lm_window {
    leman_context *ctx;
    lm_input *input; /* not owned */
    uint64_t max_bytes, bytes;
    uint64_t taken; /* bytes of the input, compressed or not, that were turned into text */
    uint64_t low;   /* those of them that come before the text in the window */
    z_stream z;
    bool compressed, ended; /* ended: the input has no text behind `text` */
    char *packed;           /* buffer of compressed bytes */
    size_t packed_at, packed_end;
    bool input_ended, member_ended;
    lm_vector text; /* char */
    size_t whole;   /* its first bytes that are whole lines */
    size_t lines;   /* number of lines before the text */
    bool comments;  /* drop lines that begin with #, but not their ends, so that line numbers stay right */
    bool inside;    /* the text ends inside such a line */
} lm_window;

/* Opens a window on the first `size` bytes of the text, or on all of it. The caller closes it, even if this fails. Every function that reads more text fails with
 * LEMAN_ERROR_INPUT if the text is larger than max_bytes or the compressed data is damaged. */
leman_status lm_window_open(leman_context *ctx, lm_input *input, size_t size, uint64_t max_bytes, lm_window *window);
/* Moves the window behind its whole lines; text.items may move. The window grows if a line does not fit. Fails with
 * LEMAN_ERROR_BUDGET, and the number of the line in the message, if there is not enough memory. */
leman_status lm_window_next(lm_window *window);
/* Appends text until the window is full. A full window is doubled first. */
leman_status lm_window_append(lm_window *window);
/* Returns about how many bytes of the input the first `at` bytes of the text correspond to. The result does not
 * decrease while the window moves. */
uint64_t lm_window_place(const lm_window *window, size_t at);
/* Returns true if the window has a whole line that is neither blank nor begins with #. */
bool lm_window_has_line(const lm_window *window);
/* Drops lines of any length that begin with #, from here on, and reads until the window has a line that is not blank.
 * If `moves`, the window moves over blank lines; otherwise it grows. */
leman_status lm_window_pass_comments(lm_window *window, bool moves);
/* Appends the rest of the input to the text. */
leman_status lm_window_rest(lm_window *window);
void lm_window_close(lm_window *window);

/* If *bytes begins with the two bytes of gzip, closes *bytes and replaces it by a new buffer with the decompressed
 * text. Other bytes are not changed. The texts of several gzip members are concatenated. `path` is used in messages.
 * Fails with LEMAN_ERROR_INPUT if the data is damaged, truncated or larger than max_bytes, and with LEMAN_ERROR_BUDGET
 * if it exceeds the memory budget. */
leman_status lm_gzip_inflate(leman_context *ctx, const char *path, uint64_t max_bytes, lm_bytes *bytes);

#endif
