/* Files: inputs are read as bytes; an output file appears complete or not at all. */
#ifndef LM_FILE_H
#define LM_FILE_H

#include "base/memory.h"
#include "leman.h"
#include <sys/types.h>

/* A complete input, in memory of the context's allocator. Later changes of the file do not affect it. */
typedef struct lm_bytes {
    const char *data;
    size_t size;
    void *block; /* allocation that contains data; data is aligned to a cache line; NULL if data is the allocation */
} lm_bytes;

/* Reads a whole file; "-" is standard input. Fails with LEMAN_ERROR_INPUT if the file is larger than max_bytes, with
 * LEMAN_ERROR_BUDGET if it is larger than what is left of the memory budget, and with LEMAN_ERROR_FILE if the path is a
 * folder or the file becomes shorter while it is read. */
leman_status lm_bytes_open(leman_context *ctx, const char *path, uint64_t max_bytes, lm_bytes *out);
void lm_bytes_close(lm_bytes *bytes);
/* Calls `visit` with one piece of a file after the other. A status other than LEMAN_OK ends the reading and is returned.
 * Memory: one buffer of fixed size. */
typedef leman_status lm_visitor(void *user, const char *bytes, size_t size);
leman_status lm_bytes_visit(leman_context *ctx, const char *path, lm_visitor *visit, void *user);

/* An input that is read piece by piece; "-" is standard input. The caller closes it with lm_input_close(). */
typedef struct lm_input {
    leman_context *ctx;
    const char *path; /* the caller's string, for messages */
    int file;
    bool open, standard;
    bool regular; /* a plain file of `size` bytes, positioned at its beginning */
    uint64_t size;
} lm_input;
leman_status lm_input_open(leman_context *ctx, const char *path, lm_input *input);
/* Reads the next `size` bytes. *got is less than `size` only at the end of the input. */
leman_status lm_input_read(lm_input *input, void *to, size_t size, size_t *got);
/* Reads `size` bytes at offset `place` of a plain file. Fails with LEMAN_ERROR_FILE if the file has become too
 * short. */
leman_status lm_input_read_at(const lm_input *input, uint64_t place, void *to, size_t size);
void lm_input_close(lm_input *input);

/* Creates a file, or a folder if mode has S_IFDIR, whose name nothing else has: the first `length` bytes of path,
 * ".tmp-" and 16 digits. Returns the descriptor of the file, or 0 for a folder, and sets *name to its name, which the
 * caller frees with lm_release(). If this fails, returns -1, sets errno, and sets *name to NULL. */
int lm_create_unused(leman_context *ctx, const char *path, size_t length, mode_t mode, char **name);

typedef int lm_sink(void *user, const char *bytes, size_t size); /* returns 0, or the errno of a failure */

/*
 * An output file. It is written under a temporary name in its folder and renamed by lm_output_commit(). Devices, pipes
 * and "-" (standard output) are written directly. Zero-initialise it; every path ends in lm_output_commit() or
 * lm_output_abort(), which does nothing after a commit. A failed write is remembered: later writes do nothing and the
 * commit reports it, so that a writer may ignore the status of single writes.
 */
typedef struct lm_output {
    leman_context *ctx;
    int file;      /* descriptor */
    lm_sink *sink; /* if not NULL, receives the bytes instead of a file */
    void *user;
    bool open, direct, standard;
    int error;            /* errno of the first failure; EINTR if the caller cancelled */
    leman_status refused; /* status of the first failure, once its sentence is set */
    size_t used;
    char *buffer, *path, *temporary;
} lm_output;

leman_status lm_output_open(leman_context *ctx, const char *path, lm_output *out);
/* Fails if the file cannot be written; called before long work. An existing file is not changed. path NULL means that
 * nothing will be written, and succeeds. */
leman_status lm_output_check(leman_context *ctx, const char *path);
/* Opens an output that passes its bytes, in large pieces, to a function. path is used in messages only. */
leman_status lm_output_open_sink(leman_context *ctx, const char *path, lm_sink *sink, void *user, lm_output *out);
/* Appends bytes. After the first failure, every function that writes does nothing and returns the status of that
 * failure. A caller that ignores these statuses calls lm_output_status() regularly, for instance once per graph, so
 * that the work ends when nobody reads a pipe any more. */
leman_status lm_output_write(lm_output *out, const void *bytes, size_t size);
leman_status lm_output_status(lm_output *out);
/* Appends everything that `write` writes to the vector of bytes. path is used in messages only. */
typedef leman_status lm_writer(leman_context *ctx, void *user, lm_output *out);
leman_status lm_output_in_memory(leman_context *ctx, const char *path, lm_writer *write, void *user, lm_vector *bytes);
__attribute__((format(printf, 2, 3))) leman_status lm_output_printf(lm_output *out, const char *format, ...);
/* Writes the content of the buffer to the file. */
void lm_output_flush(lm_output *out);
/* Writing by several threads, each at its own offset. lm_output_begin_places() sets *place to the offset of the next
 * byte, and returns false if the output is not a plain file. lm_output_write_at() may then be called by any thread with
 * its own context. lm_output_end_places() sets the offset at which other writes continue. */
bool lm_output_begin_places(lm_output *out, uint64_t *place);
leman_status lm_output_write_at(leman_context *ctx, const lm_output *out, uint64_t place, const void *bytes,
                                size_t size);
leman_status lm_output_end_places(lm_output *out, uint64_t place);
/* Every rank writes `size` bytes, in the order of the ranks. All ranks write at the same time if the file and the
 * communicator allow it. All other functions that write only use the bytes of rank 0. */
leman_status lm_output_write_parts(lm_output *out, const void *bytes, size_t size);
/* Returns a pointer to `size` free bytes of the buffer, at most LM_OUTPUT_ROOM, or NULL if writing has failed. The
 * caller writes there and then calls lm_output_end() with the end of what it wrote. For loops over many short texts. */
enum { LM_OUTPUT_ROOM = 4096 };
char *lm_output_room(lm_output *out, size_t size);
static inline void lm_output_end(lm_output *out, const char *end)
{
    out->used = (size_t)(end - out->buffer);
}
/* Writes an integer as decimal text, much faster than printf. */
leman_status lm_output_integer(lm_output *out, int64_t value);
/* The shortest decimal text that reads back as the same double, with at most 17 digits. lm_real_text() writes it to
 * `to`, which has LM_REAL_TEXT bytes, and returns its end. */
enum { LM_REAL_TEXT = 40 };
char *lm_real_text(char *to, double value);
leman_status lm_output_real(lm_output *out, double value);
/* Writes one field of a CSV line, in quotes if `quote` is set or if it could not be read back without them. */
void lm_output_csv_field(lm_output *out, const char *text, size_t length, bool quote);
leman_status lm_output_commit(lm_output *out);
/* Like lm_output_commit() for a file that must be new: if the file already exists at the time of the call, it is not
 * changed, and the function fails with LEMAN_ERROR_FILE. */
leman_status lm_output_commit_new(lm_output *out);
void lm_output_abort(lm_output *out);

/* Returns a pointer to "NAME.ext" in "a/b/NAME.ext". The path has no trailing slash. */
const char *lm_path_base(const char *path);
/* Returns true if the name ends in suffix, ignoring case. */
bool lm_path_ends(const char *path, const char *suffix);
/* Returns the ending of a name: ".gz" of "a/b.c/NAME.csv.gz". An ending is a point, a letter, and then letters or
 * digits. Returns NULL if the name has no ending. */
const char *lm_path_ending(const char *path);
/* Allocates the base name of a file without its last ending (and without a .gz behind that), with bytes outside
 * printable UTF-8 replaced by '_': the name of a data set. */
leman_status lm_path_stem(leman_context *ctx, const char *path, char **out);

#endif
