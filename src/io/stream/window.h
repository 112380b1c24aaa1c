/*
 * The text of a file or pipe through a window that moves over it by whole lines. Text that is compressed (gzip) is
 * decompressed on the way.
 */
#ifndef LM_WINDOW_H
#define LM_WINDOW_H

#include "base/context.h"
#include "base/file.h"
#include <zlib.h>

/* Zero-initialise; lm_window_close() at the end. It must not move while it is open. */
typedef struct lm_window {
    leman_context *ctx;
    lm_input *input; /* not owned */
    uint64_t max_bytes, bytes;
    uint64_t taken; /* bytes of the input, compressed or not, that the text was made of so far */
    uint64_t low;   /* of them, those before the text that is in the window */
    z_stream z;
    bool compressed, ended; /* ended: the text goes no further than `text` */
    char *packed;           /* compressed bytes that wait */
    size_t packed_at, packed_end;
    bool input_ended, member_ended;
    lm_vector text; /* char */
    size_t whole;   /* bytes of it that are whole lines */
    size_t lines;   /* that ended before the text */
    bool comments;  /* lines that begin with # are dropped, but for their ends, so that lines keep their numbers */
    bool inside;    /* of such a line, whose end is still to come */
} lm_window;

/* The first `size` bytes of the text, or all of it. More than max_bytes in all is LEMAN_ERROR_INPUT. */
leman_status lm_window_open(leman_context *ctx, lm_input *input, size_t size, uint64_t max_bytes, lm_window *window);
/* On, behind the whole lines; text.items may move. The window grows where a line does not fit; LEMAN_ERROR_BUDGET and a
 * sentence with the number of the line where memory is short. */
leman_status lm_window_next(lm_window *window);
/* More text behind that which is there. */
leman_status lm_window_grow(lm_window *window);
/* How many bytes of the input are used up where the first `at` bytes of the text are: never fewer than before. */
uint64_t lm_window_place(const lm_window *window, size_t at);
/* Is there a whole line in the window that is neither blank nor begins with #? */
bool lm_window_has_line(const lm_window *window);
/* Drops lines that begin with # from here on, however long one is, and goes on to the first that is no blank one.
 * moves: the window may leave ends of lines behind; otherwise it grows for them. */
leman_status lm_window_pass_comments(lm_window *window, bool moves);
/* Everything that is left, too. */
leman_status lm_window_rest(lm_window *window);
void lm_window_close(lm_window *window);

#endif
