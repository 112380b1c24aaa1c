/* Checksums of files, and the .sha256 files that record them. */
#include "io/download/digest.h"
#include "base/ascii.h"
#include "base/context.h"
#include <errno.h>
#include <string.h>
#include <sys/stat.h>

enum { RECORD_LIMIT = 4096 };
static const char HEX[] = "0123456789abcdef";

static leman_status add_piece(void *user, const char *bytes, size_t size)
{
    lm_sha256_add(user, bytes, size);
    return LEMAN_OK;
}

leman_status lm_digest_of_file(leman_context *ctx, const char *path, lm_digest *out)
{
    lm_sha256 sum = lm_sha256_begin();
    unsigned char bytes[LM_SHA256_BYTES];
    PASS(lm_bytes_visit(ctx, path, add_piece, &sum));
    lm_sha256_end(&sum, bytes);
    *out = (lm_digest){""};
    for (size_t i = 0; i < 2 * sizeof bytes; i++) out->text[i] = HEX[i % 2 ? bytes[i / 2] & 15 : bytes[i / 2] >> 4];
    return LEMAN_OK;
}

/* ---- The record ------------------------------------------------------------------------------ */

leman_status lm_digest_parse(leman_context *ctx, const char *file, lm_bytes bytes, const char *name, lm_digest *out)
{
    lm_digest digest = {""};
    const char *at = bytes.data, *end = bytes.data + bytes.size;
    for (size_t i = 0; i < 2 * LM_SHA256_BYTES; i++, at++) {
        digest.text[i] = at < end ? lm_lower(*at) : 0;
        if (!digest.text[i] || !strchr(HEX, digest.text[i]))
            return lm_fail(ctx, LEMAN_ERROR_INPUT, "%s:1: found %zu hexadecimal digits, expected the 64 of a SHA-256",
                           file, i);
    }
    size_t length = strlen(name);
    bool named = end - at >= 2 && at[0] == ' ' && (at[1] == ' ' || at[1] == '*') && (size_t)(end - at - 2) >= length &&
                 !memcmp(at + 2, name, length);
    if (named) at += 2 + length;
    if (at < end && *at == '\r') at++;
    if (at < end && *at == '\n') at++;
    if (!named || at != end)
        return lm_fail(ctx, LEMAN_ERROR_INPUT, "%s:1: expected two blanks, '%s' and nothing more after the SHA-256",
                       file, name);
    *out = digest;
    return LEMAN_OK;
}

leman_status lm_digest_read(leman_context *ctx, const char *file, const char *name, bool *found, lm_digest *out)
{
    AUTO(lm_bytes_close) lm_bytes bytes = {0};
    struct stat about;
    *found = false;
    if (stat(file, &about)) {
        if (errno != ENOENT) return lm_fail_errno(ctx, errno, "%s: cannot be read", file);
        return LEMAN_OK;
    }
    if (!S_ISREG(about.st_mode)) return lm_fail(ctx, LEMAN_ERROR_FILE, "%s: is not a file", file);
    PASS(lm_bytes_open(ctx, file, RECORD_LIMIT, &bytes));
    PASS(lm_digest_parse(ctx, file, bytes, name, out));
    *found = true;
    return LEMAN_OK;
}

leman_status lm_digest_write(leman_context *ctx, const char *file, const char *name, const lm_digest *digest)
{
    AUTO(lm_output_abort) lm_output out = {0};
    PASS(lm_output_open(ctx, file, &out));
    PASS(lm_output_printf(&out, "%s  %s\n", digest->text, name));
    return lm_output_commit(&out);
}
