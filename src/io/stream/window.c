/* A window over text that is read once, from beginning to end. */
#include "io/stream/window.h"
#include "base/ascii.h"
#include "base/strings.h"
#include "base/text.h"
#include "io/archive/deflate.h"
#include <string.h>

enum { PACKED = 1 << 16, PIECE = 1 << 16, SMALLEST = 32, MOST = 1 << 30 /* bytes of one call of zlib */ };

/* Decompresses the next bytes of the input to to[size]; *got is smaller than size only at the end. */
static leman_status inflate_some(lm_window *w, char *to, size_t size, size_t *got)
{
    const char *path = w->input->path;
    *got = 0;
    while (*got < size) {
        if (w->packed_at == w->packed_end && !w->input_ended) {
            PASS(lm_input_read(w->input, w->packed, PACKED, &w->packed_end));
            w->packed_at = 0;
            w->input_ended = w->packed_end < PACKED;
        }
        const size_t left = w->packed_end - w->packed_at;
        if (!left && w->member_ended) break;
        if (!left) return lm_fail(w->ctx, LEMAN_ERROR_INPUT, "%s: the compressed file is cut off", path);
        if (w->member_ended && inflateReset(&w->z) != Z_OK)
            return lm_fail(w->ctx, LEMAN_ERROR_INTERNAL, "%s: inflateReset failed", path);
        w->z.next_in = (unsigned char *)w->packed + w->packed_at;
        w->z.avail_in = (unsigned)(left < MOST ? left : MOST);
        w->z.next_out = (unsigned char *)to + *got;
        w->z.avail_out = (unsigned)(size - *got < MOST ? size - *got : MOST);
        const unsigned room = w->z.avail_out, given = w->z.avail_in;
        const int state = inflate(&w->z, Z_NO_FLUSH);
        w->taken += given - w->z.avail_in;
        w->packed_at += given - w->z.avail_in;
        *got += room - w->z.avail_out;
        w->member_ended = state == Z_STREAM_END;
        if (state == Z_MEM_ERROR) return lm_refusal(w->ctx);
        if (state != Z_OK && state != Z_STREAM_END && state != Z_BUF_ERROR)
            return lm_fail(w->ctx, LEMAN_ERROR_INPUT, "%s: found no sound gzip file: %s", path,
                           w->z.msg ? w->z.msg : "damaged");
    }
    return LEMAN_OK;
}

/* ---- Comments -------------------------------------------------------------------------------- */

/* Returns the position behind a byte order mark at the beginning of the file, otherwise 0. */
static size_t first_of(const lm_window *w)
{
    const bool marked = !w->lines && w->text.count >= 3 && !memcmp(w->text.items, "\xef\xbb\xbf", 3);
    return marked ? 3 : 0;
}

/* Returns the beginning of the last line, which may be incomplete. */
static size_t last_line(const lm_window *w)
{
    const char *text = w->text.items, *newline = w->text.count ? lm_last_byte(text, '\n', w->text.count) : NULL;
    return newline ? (size_t)(newline + 1 - text) : first_of(w);
}

/* Returns true if the number of quotes is odd. */
static bool opens_quotes(const char *at, const char *end)
{
    bool odd = false;
    for (; at < end && (at = memchr(at, '"', (size_t)(end - at))); at++) odd = !odd;
    return odd;
}

/* Drops the comments of the text behind `from`, where a line begins or a comment continues. A line within the quotes of a
 * cell is no comment. */
static void drop_comments(lm_window *w, size_t from)
{
    char *text = w->text.items, *to = text + from;
    const char *end = text + w->text.count;
    bool quoted = opens_quotes(text, to);
    for (const char *at = to; at < end;) {
        const char *newline = memchr(at, '\n', (size_t)(end - at)), *line_end = newline ? newline : end, *p = at;
        while (p < line_end && lm_is_blank(*p)) p++;
        const bool comment = w->inside || (!quoted && p < line_end && *p == '#');
        if (!comment) quoted ^= opens_quotes(p, line_end);
        w->inside = comment && !newline;
        if (comment) at = line_end;
        line_end += newline != NULL;
        memmove(to, at, (size_t)(line_end - at));
        to += line_end - at;
        at = line_end;
    }
    w->text.count = (size_t)(to - text);
}

bool lm_window_has_line(const lm_window *w)
{
    const char *at = (const char *)w->text.items + first_of(w), *end = (const char *)w->text.items + w->whole;
    while (at < end) {
        while (at < end && lm_is_blank(*at)) at++;
        if (at < end && *at != '\n' && *at != '#') return true;
        const char *newline = at < end ? memchr(at, '\n', (size_t)(end - at)) : NULL;
        at = newline ? newline + 1 : end;
    }
    return false;
}

/* ---- Text ------------------------------------------------------------------------------------ */

/* Appends `size` bytes of the input to the text, or as many as there are. The capacity must suffice. */
static leman_status fill(lm_window *w, size_t size)
{
    char *to = (char *)w->text.items + w->text.count;
    const size_t line = w->comments ? last_line(w) : 0;
    size_t got;
    PASS(w->compressed ? inflate_some(w, to, size, &got) : lm_input_read(w->input, to, size, &got));
    w->text.count += got;
    w->bytes += got;
    if (!w->compressed) w->taken += got;
    w->ended = got < size;
    if (w->bytes > w->max_bytes && w->compressed)
        return lm_fail(w->ctx, LEMAN_ERROR_INPUT, "%s: found more than %llu bytes when it is decompressed",
                       w->input->path, (unsigned long long)w->max_bytes);
    if (w->bytes > w->max_bytes)
        return lm_fail(w->ctx, LEMAN_ERROR_INPUT, "%s: larger than the limit of %llu byte%s", w->input->path,
                       (unsigned long long)w->max_bytes, lm_plural(w->max_bytes));
    if (w->comments) drop_comments(w, line);
    return LEMAN_OK;
}

static void find_whole(lm_window *w)
{
    const char *text = w->text.items;
    const char *newline = w->text.count ? lm_last_byte(text, '\n', w->text.count) : NULL;
    w->whole = w->ended ? w->text.count : newline ? (size_t)(newline + 1 - text) : 0;
}

static bool is_gzip(const void *bytes, size_t size)
{
    return size >= 18 && !memcmp(bytes, "\x1f\x8b", 2);
}

static leman_status begin_inflate(lm_window *w)
{
    w->z = lm_zlib_stream(w->ctx);
    if (inflateInit2(&w->z, LM_DEFLATE_GZIP) != Z_OK)
        return lm_fail(w->ctx, LEMAN_ERROR_MEMORY, "%s: out of memory for decompression", w->input->path);
    w->compressed = true;
    return LEMAN_OK;
}

/* If the text begins with the two bytes of gzip, turns it into input that is to be decompressed. */
static leman_status decompress(lm_window *w)
{
    if (!is_gzip(w->text.items, w->text.count)) return LEMAN_OK;
    PASS(begin_inflate(w));
    PASS_NEW(w->ctx, w->packed, PACKED);
    memcpy(w->packed, w->text.items, w->text.count);
    w->packed_end = w->text.count;
    w->input_ended = w->ended;
    w->text.count = w->bytes = w->taken = 0;
    w->ended = false;
    return LEMAN_OK;
}

leman_status lm_window_open(leman_context *ctx, lm_input *input, size_t size, uint64_t max_bytes, lm_window *w)
{
    *w = (lm_window){.ctx = ctx, .input = input, .max_bytes = max_bytes};
    if (size < SMALLEST) size = SMALLEST;
    PASS(lm_vector_reserve(ctx, &w->text, size, 1));
    PASS(fill(w, size < PACKED ? size : PACKED));
    PASS(decompress(w));
    if (!w->ended) PASS(fill(w, size - w->text.count));
    find_whole(w);
    return LEMAN_OK;
}

uint64_t lm_window_place(const lm_window *w, size_t at)
{
    const double part = w->text.count ? (double)at / (double)w->text.count : 1;
    return w->low + (uint64_t)(part * (double)(w->taken - w->low));
}

/* Doubles the capacity for a line that fills the window. */
static leman_status grow(lm_window *w)
{
    char size[LM_NUMBER_TEXT], budget[LM_BUDGET_TEXT];
    const leman_status st = lm_vector_reserve(w->ctx, &w->text, w->text.capacity, 1);
    if (st != LEMAN_ERROR_BUDGET) return st;
    return lm_fail(w->ctx, st, "%s:%zu: found a line of more than %s, the memory budget is %s", w->input->path,
                   w->lines + 1, lm_bytes_text(w->text.count, size), lm_budget_text(w->ctx, lm_budget(w->ctx), budget));
}

leman_status lm_window_append(lm_window *w)
{
    if (w->text.count == w->text.capacity) PASS(grow(w));
    PASS(fill(w, w->text.capacity - w->text.count));
    find_whole(w);
    return LEMAN_OK;
}

leman_status lm_window_next(lm_window *w)
{
    w->low = lm_window_place(w, w->whole);
    char *text = w->text.items;
    for (const char *p = text, *end = text + w->whole; (p = memchr(p, '\n', (size_t)(end - p))); p++) w->lines++;
    memmove(text, text + w->whole, w->text.count - w->whole);
    w->text.count -= w->whole;
    do PASS(lm_window_append(w));
    while (!w->whole && !w->ended);
    return LEMAN_OK;
}

leman_status lm_window_pass_comments(lm_window *w, bool moves)
{
    w->comments = true;
    drop_comments(w, first_of(w));
    find_whole(w);
    while (!w->ended && !lm_window_has_line(w)) PASS(moves ? lm_window_next(w) : lm_window_append(w));
    return LEMAN_OK;
}

leman_status lm_window_rest(lm_window *w)
{
    while (!w->ended) {
        PASS(lm_vector_reserve(w->ctx, &w->text, PIECE, 1));
        PASS(fill(w, w->text.capacity - w->text.count));
    }
    w->whole = w->text.count;
    return LEMAN_OK;
}

void lm_window_close(lm_window *w)
{
    if (!w->ctx) return;
    if (w->compressed) inflateEnd(&w->z);
    lm_release(w->packed);
    lm_vector_release(&w->text);
    *w = (lm_window){0};
}

/* Closes a window on bytes that are not its own. */
static void end_inflate(lm_window *w)
{
    w->packed = NULL;
    lm_window_close(w);
}

leman_status lm_gzip_inflate(leman_context *ctx, const char *path, uint64_t max_bytes, lm_bytes *bytes)
{
    lm_input input = {.path = path};
    AUTO(end_inflate) lm_window w = {.ctx = ctx, .input = &input, .max_bytes = max_bytes, .input_ended = true};
    if (!is_gzip(bytes->data, bytes->size)) return LEMAN_OK;
    PASS(begin_inflate(&w));
    PASS(lm_vector_reserve(ctx, &w.text, bytes->size > SIZE_MAX / 4 ? bytes->size : 4 * bytes->size, 1));
    w.packed = (char *)(uintptr_t)bytes->data;
    w.packed_end = bytes->size;
    PASS(lm_window_rest(&w));
    lm_bytes_close(bytes);
    *bytes = (lm_bytes){.data = w.text.items, .size = w.text.count, .block = w.text.items};
    w.text = (lm_vector){0};
    return LEMAN_OK;
}
