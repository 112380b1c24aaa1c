/* Files: whole inputs as bytes, outputs that appear whole or not at all. */
#ifndef LM_FILE_H
#define LM_FILE_H

#include "base/memory.h"
#include "leman.h"

/* A whole input in memory of the context's allocator: what happens to the file afterwards changes nothing. */
typedef struct lm_bytes {
    const char *data;
    size_t size;
    void *block; /* that data lies in, aligned to a cache line; NULL: data itself */
} lm_bytes;

/* "-" is standard input. Larger than max_bytes is LEMAN_ERROR_INPUT, than what is left of the memory budget
 * LEMAN_ERROR_BUDGET; a folder, and a file that becomes shorter while it is read, are LEMAN_ERROR_FILE. */
leman_status lm_bytes_open(leman_context *ctx, const char *path, uint64_t max_bytes, lm_bytes *out);
void lm_bytes_close(leman_context *ctx, lm_bytes *bytes);
/* The bytes of a file in pieces, until its end or until visit returns false: in little memory, whatever its size. */
typedef bool lm_visitor(void *user, const char *bytes, size_t size);
leman_status lm_bytes_visit(leman_context *ctx, const char *path, lm_visitor *visit, void *user);

/* An input that is read piece by piece, from "-" too. lm_input_close() it. */
typedef struct lm_input {
    leman_context *ctx;
    const char *path; /* the caller's, for messages */
    int file;
    bool open, standard;
    bool regular; /* a plain file, at its beginning, of this size */
    uint64_t size;
} lm_input;
leman_status lm_input_open(leman_context *ctx, const char *path, lm_input *input);
/* The next `size` bytes; fewer only at the end. */
leman_status lm_input_read(lm_input *input, void *to, size_t size, size_t *got);
/* Those at a place of a plain file; that they are not there any more is LEMAN_ERROR_FILE. */
leman_status lm_input_read_at(const lm_input *input, uint64_t place, void *to, size_t size);
void lm_input_close(lm_input *input);

typedef int lm_sink(void *user, const char *bytes, size_t size); /* 0, or the errno of what went wrong */

/*
 * An output file: written under a temporary name beside its place, renamed onto it by lm_output_commit(). Devices,
 * pipes and "-" (standard output) are written to directly. Zero-initialise; every path ends in lm_output_commit() or
 * lm_output_abort(), which does nothing after a commit. A failed write is remembered: later writes do nothing and
 * commit reports it, so a writer may ignore the status of single writes.
 */
typedef struct lm_output {
    leman_context *ctx;
    int file;      /* descriptor */
    lm_sink *sink; /* takes the bytes instead of a file, where it is not NULL */
    void *user;
    bool open, direct, standard;
    int error;            /* errno of the first failure; EINTR: the caller cancelled */
    leman_status refused; /* of it, once its sentence is made */
    size_t used;
    char *buffer, *path, *temporary;
} lm_output;

leman_status lm_output_open(leman_context *ctx, const char *path, lm_output *out);
/* Can it be written? Asked before long work; a file that is there stays as it is. NULL: nothing is to be written. */
leman_status lm_output_check(leman_context *ctx, const char *path);
/* An output that hands its bytes, in large pieces, to a function. path is for messages. */
leman_status lm_output_open_sink(leman_context *ctx, const char *path, lm_sink *sink, void *user, lm_output *out);
/* Once something could not be written this and all others write nothing and return its status. Whoever ignores the
 * statuses asks lm_output_status() now and then, for each graph: a pipe that nobody reads any more ends the work. */
leman_status lm_output_write(lm_output *out, const void *bytes, size_t size);
leman_status lm_output_status(lm_output *out);
/* What a function writes, in memory, behind what is there; path is for messages. */
typedef leman_status lm_writer(leman_context *ctx, void *user, lm_output *out);
leman_status lm_output_in_memory(leman_context *ctx, const char *path, lm_writer *write, void *user, lm_vector *bytes);
__attribute__((format(printf, 2, 3))) leman_status lm_output_printf(lm_output *out, const char *format, ...);
/* What is in the buffer goes to the file. */
void lm_output_flush(lm_output *out);
/* Threads that write at places of their own: where the next byte goes, false where the output is no plain file; bytes
 * at a place, by any thread with a context of its own; and where other writes go on. */
bool lm_output_begin_places(lm_output *out, uint64_t *place);
leman_status lm_output_write_at(leman_context *ctx, const lm_output *out, uint64_t place, const void *bytes,
                                size_t size);
leman_status lm_output_end_places(lm_output *out, uint64_t place);
/* Every rank writes size bytes of its own, one after the other in the order of the ranks; all at once where the file
 * and the communicator allow it. Other writes are those of rank 0. */
leman_status lm_output_write_parts(lm_output *out, const void *bytes, size_t size);
/* Room for `size` bytes, at most LM_OUTPUT_ROOM, behind what is there: write at it, then say where that ends. NULL
 * where writing has failed. For loops over many short texts. */
enum { LM_OUTPUT_ROOM = 4096 };
char *lm_output_room(lm_output *out, size_t size);
static inline void lm_output_end(lm_output *out, const char *end)
{
    out->used = (size_t)(end - out->buffer);
}
/* Decimal text, much faster than printf. */
leman_status lm_output_integer(lm_output *out, int64_t value);
/* The shortest decimal text that reads back as the same double, at most 17 digits; lm_real_text() returns its end. */
enum { LM_REAL_TEXT = 40 };
char *lm_real_text(char *to, double value);
leman_status lm_output_real(lm_output *out, double value);
/* One field of a line of CSV, in quotes where it needs them to be read back, or where `quote`. */
void lm_output_csv_field(lm_output *out, const char *text, size_t length, bool quote);
leman_status lm_output_commit(lm_output *out);
/* The same for a file that must be new: one that is there when this is called stays, and it is LEMAN_ERROR_FILE. */
leman_status lm_output_commit_new(lm_output *out);
void lm_output_abort(lm_output *out);

/* "a/b/NAME.ext" -> pointer to "NAME.ext"; a trailing slash is not part of a path here. */
const char *lm_path_base(const char *path);
/* Does the name end in suffix, ignoring case? */
bool lm_path_ends(const char *path, const char *suffix);
/* ".gz" of "a/b.c/NAME.csv.gz", NULL of names that have no ending: a point, a letter and letters or digits behind it.
 */
const char *lm_path_ending(const char *path);
/* The base name without its last ending and a .gz behind it, with bytes outside printable UTF-8 replaced by '_': a data
 * set's name. */
leman_status lm_path_stem(leman_context *ctx, const char *path, char **out);

#endif
