/* Structures as files, written and read by the same function; serialize.h has the layout. O(bytes). */
#include "base/serialize.h"
#include "base/hash.h"
#include "base/strings.h"
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { CHECKED_FROM = 24 };
static const uint64_t MAX_BYTES = UINT64_C(64) << 30;

leman_status lm_serializer_fail(const lm_serializer *serializer, const char *format, ...)
{
    char sentence[LM_SENTENCE];
    va_list arguments;
    va_start(arguments, format);
    lm_vsnprintf(sentence, sizeof sentence, format, arguments);
    va_end(arguments);
    return lm_fail(serializer->ctx, LEMAN_ERROR_INPUT, "%s: %s", serializer->path, sentence);
}

/* ---- Bytes ----------------------------------------------------------------------------------- */

static void store_word(unsigned char *to, uint64_t value)
{
    for (int i = 0; i < 8; i++) to[i] = (unsigned char)(value >> 8 * i);
}

static uint64_t load_word(const void *from)
{
    const unsigned char *bytes = from;
    uint64_t value = 0;
    for (int i = 0; i < 8; i++) value |= (uint64_t)bytes[i] << 8 * i;
    return value;
}

/* Copies elements from this machine's byte order to that of the file, or back. */
static void copy_elements(void *to, const void *from, size_t count, size_t element)
{
    if (count) memcpy(to, from, count * element);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    unsigned char *bytes = to;
    for (size_t i = 0; i < count; i++, bytes += element)
        for (size_t low = 0, high = element - 1; low < high; low++, high--) {
            unsigned char byte = bytes[low];
            bytes[low] = bytes[high];
            bytes[high] = byte;
        }
#endif
}

static size_t padding(size_t bytes)
{
    return (8 - bytes % 8) % 8;
}

/* ---- Whole files ----------------------------------------------------------------------------- */

leman_status lm_serializer_begin(lm_serializer *serializer, leman_context *ctx, const char *path)
{
    serializer->ctx = ctx;
    serializer->path = path;
    serializer->writing = true;
    serializer->written.count = 0;
    leman_status st = lm_vector_reserve(ctx, &serializer->written, LM_SERIALIZE_HEAD, 1);
    if (!st) serializer->written.count = LM_SERIALIZE_HEAD;
    return st;
}

/* Writes the head except its checksum. */
static void begin_head(unsigned char *head, const char magic[8], uint64_t version, uint64_t body)
{
    memcpy(head, magic, 8);
    store_word(head + 8, version);
    store_word(head + CHECKED_FROM, body);
}

leman_status lm_serializer_save(lm_serializer *serializer, const char magic[8], uint64_t version)
{
    unsigned char *bytes = serializer->written.items;
    size_t size = serializer->written.count;
    AUTO(lm_output_abort) lm_output out = {0};
    begin_head(bytes, magic, version, size - LM_SERIALIZE_HEAD);
    store_word(bytes + 16, lm_checksum(bytes + CHECKED_FROM, size - CHECKED_FROM, version));
    PASS(lm_output_open(serializer->ctx, serializer->path, &out));
    PASS(lm_output_write(&out, bytes, size));
    return lm_output_commit(&out);
}

/* Size and checksum of a body, computed before it is written. */
typedef struct measure {
    uint64_t size;
    lm_checksum_state sum;
} measure;

static int add_size(void *user, const char *bytes, size_t size)
{
    measure *m = user;
    (void)bytes;
    m->size += size;
    return 0;
}

static int add_sum(void *user, const char *bytes, size_t size)
{
    measure *m = user;
    lm_checksum_add(&m->sum, bytes, size);
    return 0;
}

static leman_status serialize_into(lm_output *out, lm_sink *sink, measure *m, lm_serialize_function *function,
                                   void *state)
{
    AUTO(lm_output_abort) lm_output own = {0};
    lm_serializer serializer = {.ctx = out->ctx, .path = out->path, .writing = true, .to = sink ? &own : out};
    if (sink) PASS(lm_output_open_sink(out->ctx, out->path, sink, m, &own));
    PASS(function(&serializer, state));
    if (sink) PASS(lm_output_commit(&own));
    return LEMAN_OK;
}

leman_status lm_serializer_stream(lm_output *out, const char magic[8], uint64_t version,
                                  lm_serialize_function *function, void *state)
{
    unsigned char head[LM_SERIALIZE_HEAD];
    measure m = {.size = 0};
    PASS(serialize_into(out, add_size, &m, function, state));
    begin_head(head, magic, version, m.size);
    lm_checksum_begin(&m.sum, version);
    lm_checksum_add(&m.sum, head + CHECKED_FROM, LM_SERIALIZE_HEAD - CHECKED_FROM);
    PASS(serialize_into(out, add_sum, &m, function, state));
    store_word(head + 16, lm_checksum_end(&m.sum));
    PASS(lm_output_write(out, head, sizeof head));
    return serialize_into(out, NULL, NULL, function, state);
}

bool lm_serializer_is(const char *bytes, size_t size, const char magic[8])
{
    return size >= 8 && !memcmp(bytes, magic, 8);
}

/* The checksum of everything behind the checksum in the head. */
static uint64_t checksum_of(const lm_serializer *serializer, lm_bytes bytes, uint64_t version)
{
    enum { PIECE = 1 << 20 };
    lm_checksum_state sum;
    lm_checksum_begin(&sum, version);
    for (size_t at = CHECKED_FROM, part; at < bytes.size; at += part) {
        part = bytes.size - at < PIECE ? bytes.size - at : PIECE;
        lm_mapped_touch(serializer->mapped, bytes.data + at, part);
        lm_checksum_add(&sum, bytes.data + at, part);
    }
    return lm_checksum_end(&sum);
}

leman_status lm_serializer_parse(lm_serializer *serializer, leman_context *ctx, const char *path, lm_bytes bytes,
                                 const char magic[8], uint64_t version, const char *what)
{
    serializer->ctx = ctx;
    serializer->path = path;
    serializer->writing = false;
    if (!lm_serializer_is(bytes.data, bytes.size, magic))
        return lm_serializer_fail(serializer, "found %zu byte%s of something else, expected %s", bytes.size,
                                  lm_plural(bytes.size), what);
    if (bytes.size < LM_SERIALIZE_HEAD)
        return lm_serializer_fail(serializer, "found %zu byte%s, expected %s; it may be cut off", bytes.size,
                                  lm_plural(bytes.size), what);
    const uint64_t found = load_word(bytes.data + 8), body = load_word(bytes.data + CHECKED_FROM);
    if (!found || found > version)
        return lm_serializer_fail(serializer, "found version %llu of the format, expected %llu",
                                  (unsigned long long)found, (unsigned long long)version);
    serializer->version = found;
    if (body != bytes.size - LM_SERIALIZE_HEAD)
        return lm_serializer_fail(
            serializer, "found %zu byte%s, expected the %llu that its head announces; %s", bytes.size,
            lm_plural(bytes.size), (unsigned long long)lm_saturating_add(body, LM_SERIALIZE_HEAD),
            body < bytes.size - LM_SERIALIZE_HEAD ? "something was added behind it" : "it may be cut off");
    if (load_word(bytes.data + 16) != checksum_of(serializer, bytes, found))
        return lm_serializer_fail(serializer, "is damaged: its checksum does not match");
    serializer->at = bytes.data + LM_SERIALIZE_HEAD;
    serializer->end = bytes.data + bytes.size;
    return LEMAN_OK;
}

leman_status lm_serializer_open(lm_serializer *serializer, leman_context *ctx, const char *path, const char magic[8],
                                uint64_t version, const char *what)
{
    leman_status st = lm_bytes_open(ctx, path, MAX_BYTES, &serializer->bytes);
    serializer->ctx = ctx;
    serializer->path = path;
    if (st) return st;
    return lm_serializer_parse(serializer, ctx, path, serializer->bytes, magic, version, what);
}

leman_status lm_serializer_end(const lm_serializer *serializer)
{
    if (serializer->at == serializer->end) return LEMAN_OK;
    return lm_serializer_fail(serializer, "found %zu byte%s more than belong to it",
                              (size_t)(serializer->end - serializer->at),
                              lm_plural((size_t)(serializer->end - serializer->at)));
}

void lm_serializer_close(lm_serializer *serializer)
{
    if (!serializer->ctx) return;
    lm_vector_release(&serializer->written);
    lm_bytes_close(&serializer->bytes);
    *serializer = (lm_serializer){0};
}

leman_status lm_serializer_finish(lm_serializer *serializer, leman_status st)
{
    lm_fail_in(serializer->ctx, st, serializer->path, NULL);
    lm_serializer_close(serializer);
    return st;
}

/* ---- Members --------------------------------------------------------------------------------- */

static leman_status put(lm_serializer *serializer, const void *bytes, size_t size)
{
    if (serializer->to) return lm_output_write(serializer->to, bytes, size);
    return lm_vector_append(serializer->ctx, &serializer->written, bytes, size, 1);
}

leman_status lm_serialize_word(lm_serializer *serializer, uint64_t *value)
{
    if (serializer->writing) {
        unsigned char bytes[8];
        store_word(bytes, *value);
        return put(serializer, bytes, sizeof bytes);
    }
    if (serializer->end - serializer->at < 8) return lm_serializer_fail(serializer, "found its end, expected a number");
    *value = load_word(serializer->at);
    serializer->at += 8;
    return LEMAN_OK;
}

leman_status lm_serialize_size(lm_serializer *serializer, size_t *value, size_t max)
{
    uint64_t word = *value;
    leman_status st = lm_serialize_word(serializer, &word);
    if (st || serializer->writing) return st;
    if (word > max)
        return lm_serializer_fail(serializer, "found %llu, expected at most %zu", (unsigned long long)word, max);
    *value = (size_t)word;
    return LEMAN_OK;
}

leman_status lm_serialize_bool(lm_serializer *serializer, bool *value)
{
    SERIALIZE_SMALL(serializer, *value, bool, 1);
    return LEMAN_OK;
}

leman_status lm_serialize_real(lm_serializer *serializer, double *value)
{
    uint64_t word;
    memcpy(&word, value, sizeof word);
    leman_status st = lm_serialize_word(serializer, &word);
    if (!st) memcpy(value, &word, sizeof word);
    return st;
}

leman_status lm_serialize_elements(lm_serializer *serializer, size_t count, size_t element, lm_element_reader *read,
                                   void *user)
{
    enum { PIECE = 4096 };
    uint64_t announced = count;
    static const char zeros[8] = {0};
    PASS(lm_serialize_word(serializer, &announced));
    if (!serializer->to) PASS(lm_vector_reserve(serializer->ctx, &serializer->written, count * element + 8, 1));
    for (size_t at = 0, part; at < count; at += part) {
        uint64_t found[PIECE / 8], piece[PIECE / 8]; /* piece: in the byte order of the file */
        part = count - at < PIECE / element ? count - at : PIECE / element;
        PASS(read(user, at, part, found));
        copy_elements(piece, found, part, element);
        PASS(put(serializer, piece, part * element));
    }
    return put(serializer, zeros, padding(count * element));
}

/* An array in memory. */
typedef struct array {
    const char *items;
    size_t element;
} array;

static leman_status copy_part(void *user, size_t first, size_t count, void *to)
{
    const array *from = user;
    memcpy(to, from->items + first * from->element, count * from->element);
    return LEMAN_OK;
}

static leman_status write_elements(lm_serializer *serializer, const void *items, size_t count, size_t element)
{
    return lm_serialize_elements(serializer, count, element, copy_part, &(array){items, element});
}

/* Reads the count of an array. Fails if fewer elements follow. */
static leman_status read_count(lm_serializer *serializer, size_t *count, size_t element)
{
    uint64_t announced;
    PASS(lm_serialize_word(serializer, &announced));
    const size_t left = (size_t)(serializer->end - serializer->at);
    if (announced > left / element || announced * element + padding(announced * element) > left)
        return lm_serializer_fail(serializer, "found an array of %llu element%s of %zu byte%s with %zu byte%s left",
                                  (unsigned long long)announced, lm_plural(announced), element, lm_plural(element),
                                  left, lm_plural(left));
    *count = (size_t)announced;
    return LEMAN_OK;
}

static void read_elements(lm_serializer *serializer, void *items, size_t count, size_t element)
{
    copy_elements(items, serializer->at, count, element);
    serializer->at += count * element + padding(count * element);
}

leman_status lm_serialize_array(lm_serializer *serializer, void **items, size_t *count, size_t element)
{
    if (serializer->writing) return write_elements(serializer, *items, *count, element);
    size_t found = 0;
    PASS(read_count(serializer, &found, element));
    void *memory = lm_alloc(serializer->ctx, found, element);
    if (!memory) return lm_refusal(serializer->ctx);
    read_elements(serializer, memory, found, element);
    *items = memory;
    *count = found;
    return LEMAN_OK;
}

leman_status lm_serialize_into(lm_serializer *serializer, void *items, size_t count, size_t element)
{
    if (serializer->writing) return write_elements(serializer, items, count, element);
    size_t found = 0;
    PASS(read_count(serializer, &found, element));
    if (found != count)
        return lm_serializer_fail(serializer, "found an array of %zu element%s, expected %zu", found, lm_plural(found),
                                  count);
    read_elements(serializer, items, count, element);
    return LEMAN_OK;
}

leman_status lm_serialize_skip(lm_serializer *serializer, size_t element, lm_elements *elements)
{
    size_t count = 0;
    PASS(read_count(serializer, &count, element));
    *elements = (lm_elements){serializer->at, count, element};
    serializer->at += count * element + padding(count * element);
    return LEMAN_OK;
}

void lm_elements_copy(const lm_elements *elements, size_t first, size_t count, void *to)
{
    copy_elements(to, elements->bytes + first * elements->element, count, elements->element);
}

leman_status lm_serialize_text(lm_serializer *serializer, char **text)
{
    size_t length = 0;
    char *found;
    if (serializer->writing) return write_elements(serializer, *text, strlen(*text), 1);
    PASS(read_count(serializer, &length, 1));
    if (!lm_text_printable(serializer->at, length))
        return lm_serializer_fail(serializer, "found a text that is not printable");
    PASS_NEW(serializer->ctx, found, length + 1);
    found[length] = 0;
    read_elements(serializer, found, length, 1);
    *text = found;
    return LEMAN_OK;
}
