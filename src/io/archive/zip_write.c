/*
 * Writes the records of a zip in little endian (APPNOTE.TXT 4.3: local header, data, data descriptor; central
 * directory; end record). There is no zip64: a member, the zip and the position of its directory must be below 4 GiB,
 * otherwise writing fails with LEMAN_ERROR_INPUT.
 */
#include "io/archive/zip_write.h"
#include <errno.h>
#include <string.h>

enum {
    VERSION = 20, /* needed to extract: deflate and folders */
    VERSION_UNIX = 3 << 8 | VERSION,
    FLAGS = 1 << 3 | 1 << 11, /* sizes behind the data; names are UTF-8 */
    METHOD = 8,
    DATE = 1 << 5 | 1 /* 1 January 1980 */
};
static const uint32_t LOCAL = 0x04034b50, DESCRIPTOR = 0x08074b50, CENTRAL = 0x02014b50, END = 0x06054b50;
static const uint64_t LIMIT = UINT32_MAX - 1; /* all ones would mean zip64 */

/* ---- Records --------------------------------------------------------------------------------- */

enum { RECORD = 64 };
typedef struct record {
    unsigned char bytes[RECORD];
    size_t used;
} record;

static void put16(record *r, uint32_t value)
{
    r->bytes[r->used++] = (unsigned char)(value & 0xff);
    r->bytes[r->used++] = (unsigned char)(value >> 8 & 0xff);
}

static void put32(record *r, uint64_t value)
{
    put16(r, (uint32_t)(value & 0xffff));
    put16(r, (uint32_t)(value >> 16 & 0xffff));
}

static leman_status too_large(const lm_zip *zip)
{
    return lm_fail(zip->ctx, LEMAN_ERROR_INPUT,
                   "%s: a zip and its members cannot be larger than 4 GiB; write another format", zip->out->path);
}

static leman_status write_out(lm_zip *zip, const void *bytes, size_t size)
{
    zip->at += size;
    return lm_output_write(zip->out, bytes, size);
}

/* Writes what the local header and the directory have in common, from the version to the length of the name. */
static void put_description(record *r, const lm_zip *zip, size_t name_length)
{
    put16(r, VERSION);
    put16(r, FLAGS);
    put16(r, METHOD);
    put16(r, 0); /* midnight */
    put16(r, DATE);
    put32(r, zip->checksum);
    put32(r, zip->compressed);
    put32(r, zip->size);
    put16(r, (uint32_t)name_length);
    put16(r, 0); /* no extra field */
}

/* ---- Members --------------------------------------------------------------------------------- */

static int deflate_text(void *user, const char *bytes, size_t size)
{
    lm_zip *zip = user;
    zip->size += size;
    if (zip->size > LIMIT) return EFBIG; /* lm_zip_member_end() reports it */
    zip->checksum = (uint32_t)crc32(zip->checksum, (const unsigned char *)bytes, (unsigned)size);
    return lm_deflate_bytes(&zip->deflate, bytes, size);
}

void lm_zip_begin(leman_context *ctx, lm_output *out, lm_zip *zip)
{
    *zip = (lm_zip){.ctx = ctx, .out = out, .level = Z_DEFAULT_COMPRESSION};
}

/* Appends the entry of the current member to the directory. Its sizes are filled in at the end of the member. */
static leman_status add_entry(lm_zip *zip, const char *name)
{
    record r = {.used = 0};
    put32(&r, CENTRAL);
    put16(&r, VERSION_UNIX);
    put_description(&r, zip, strlen(name));
    put16(&r, 0);                       /* no comment */
    put16(&r, 0);                       /* first disk */
    put16(&r, 0);                       /* bytes, not text */
    put32(&r, UINT32_C(0100644) << 16); /* a plain file of Unix */
    put32(&r, zip->begin);
    zip->entry = zip->directory.count;
    PASS(lm_vector_append(zip->ctx, &zip->directory, r.bytes, r.used, 1));
    return lm_vector_append(zip->ctx, &zip->directory, name, strlen(name), 1);
}

leman_status lm_zip_member(lm_zip *zip, const char *name, lm_output **text)
{
    record r = {.used = 0};
    size_t length = strlen(name);
    if (length > UINT16_MAX || zip->members == UINT16_MAX)
        return lm_fail(zip->ctx, LEMAN_ERROR_INPUT, "%s: more than %d members, or a name longer than that, in a zip",
                       zip->out->path, UINT16_MAX);
    if (zip->at > LIMIT) return too_large(zip);
    zip->begin = zip->at;
    zip->compressed = zip->size = 0;
    zip->checksum = 0;
    PASS(add_entry(zip, name));
    put32(&r, LOCAL);
    put_description(&r, zip, length);
    PASS(write_out(zip, r.bytes, r.used));
    PASS(write_out(zip, name, length));
    PASS(lm_deflate_begin(zip->ctx, zip->out, LM_DEFLATE_RAW, zip->level, &zip->deflate));
    PASS(lm_output_open_sink(zip->ctx, zip->out->path, deflate_text, zip, &zip->text));
    *text = &zip->text;
    return LEMAN_OK;
}

leman_status lm_zip_member_end(lm_zip *zip)
{
    record r = {.used = 0}, sizes = {.used = 0};
    const leman_status written = lm_output_commit(&zip->text);
    if (zip->size > LIMIT) return too_large(zip);
    PASS(written);
    if (lm_deflate_finish(&zip->deflate)) /* only the output can have failed, and it remembers why */
        PASS(lm_output_write(zip->out, "", 1));
    zip->compressed = zip->deflate.compressed;
    zip->at += zip->compressed;
    lm_deflate_end(&zip->deflate);
    put32(&r, DESCRIPTOR);
    put32(&sizes, zip->checksum);
    put32(&sizes, zip->compressed);
    put32(&sizes, zip->size);
    PASS(write_out(zip, r.bytes, r.used));
    PASS(write_out(zip, sizes.bytes, sizes.used));
    memcpy((char *)zip->directory.items + zip->entry + 16, sizes.bytes,
           sizes.used); /* the fields of put_description() */
    zip->members++;
    return LEMAN_OK;
}

leman_status lm_zip_end(lm_zip *zip)
{
    record r = {.used = 0};
    uint64_t begin = zip->at;
    if (begin > LIMIT || zip->directory.count > LIMIT) return too_large(zip);
    PASS(write_out(zip, zip->directory.items, zip->directory.count));
    put32(&r, END);
    put32(&r, 0); /* this is the only disk */
    put16(&r, (uint32_t)zip->members);
    put16(&r, (uint32_t)zip->members);
    put32(&r, zip->directory.count);
    put32(&r, begin);
    put16(&r, 0); /* no comment */
    return write_out(zip, r.bytes, r.used);
}

void lm_zip_free(lm_zip *zip)
{
    lm_deflate_end(&zip->deflate);
    lm_output_abort(&zip->text);
    lm_vector_release(&zip->directory);
    *zip = (lm_zip){.ctx = zip->ctx};
}
