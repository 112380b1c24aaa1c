/* The terms of N-Triples, brought to their canonical text. */
#include "base/hash.h"
#include "base/strings.h"
#include "io/rdf/rdf.h"

static leman_status append(lm_text *text, lm_rdf_term *term, const char *bytes, size_t length)
{
    return lm_vector_append(text->ctx, &term->text, bytes, length, 1);
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* ---- Escapes --------------------------------------------------------------------------------- */

static int hex_digit(char c)
{
    if (is_digit(c)) return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

/* Reads the digits behind \u or \U. */
static leman_status read_code(lm_text *text, size_t digits, uint32_t *code)
{
    *code = 0;
    for (size_t i = 0; i < digits; i++) {
        const int digit = text->at < text->end ? hex_digit(*text->at) : -1;
        if (digit < 0)
            return lm_text_fail(
                text, "found an escape with fewer than %zu hexadecimal digits, expected \\uXXXX or \\UXXXXXXXX",
                digits);
        *code = *code * 16 + (uint32_t)digit;
        text->at++;
    }
    if (*code > 0x10ffff || (*code >= 0xd800 && *code < 0xe000))
        return lm_text_fail(text, "found an escape for %X, expected a character of Unicode", (unsigned)*code);
    return LEMAN_OK;
}

static size_t utf8_of(uint32_t code, char out[4])
{
    if (code < 0x80) {
        out[0] = (char)code;
        return 1;
    }
    const size_t length = code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    for (size_t i = length; i-- > 1; code >>= 6) out[i] = (char)(0x80 | (code & 0x3f));
    out[0] = (char)((0xf00 >> length & 0xff) | code);
    return length;
}

/* Appends a character of a literal, escaped if canonical N-Triples escapes it. */
static leman_status append_character(lm_text *text, lm_rdf_term *term, uint32_t code)
{
    static const char PLAIN[] = "\b\t\n\f\r\"\\", ESCAPED[] = "btnfr\"\\";
    char bytes[8];
    const char *found = code && code < 0x80 ? strchr(PLAIN, (int)code) : NULL;
    if (found) {
        bytes[0] = '\\';
        bytes[1] = ESCAPED[found - PLAIN];
        return append(text, term, bytes, 2);
    }
    if (code >= 0x20 && (code < 0x7f || code > 0x9f)) return append(text, term, bytes, utf8_of(code, bytes));
    for (size_t i = 0; i < 4; i++) bytes[2 + i] = "0123456789ABCDEF"[code >> (12 - 4 * i) & 15];
    bytes[0] = '\\';
    bytes[1] = 'u';
    return append(text, term, bytes, 6);
}

/* Reads the escape at a backslash: \uXXXX and \UXXXXXXXX; in literals also \n and the like. */
static leman_status read_escape(lm_text *text, bool literal, uint32_t *code)
{
    static const char LETTERS[] = "btnfr\"'\\", MEANT[] = "\b\t\n\f\r\"'\\";
    const char letter = text->end - text->at > 1 ? text->at[1] : '\0';
    const char *found = letter && literal ? strchr(LETTERS, letter) : NULL;
    if (!found && letter != 'u' && letter != 'U')
        return lm_text_fail(text, "found a backslash that begins no escape of %s", literal ? "a literal" : "an IRI");
    text->at += 2;
    if (!found) return read_code(text, letter == 'u' ? 4 : 8, code);
    *code = (uint32_t)(unsigned char)MEANT[found - LETTERS];
    return LEMAN_OK;
}

/* ---- Kinds of terms -------------------------------------------------------------------------- */

static bool in_iri(uint32_t code)
{
    return code > 0x20 && !(code < 0x80 && strchr("<>\"{}|^`\\", (int)code));
}

/* An absolute IRI begins with a scheme. */
static bool has_scheme(const char *text, size_t length)
{
    size_t i = 0;
    if (!length || !is_letter(*text)) return false;
    while (i < length && (is_letter(text[i]) || is_digit(text[i]) || strchr("+-.", text[i]))) i++;
    return i < length && text[i] == ':';
}

static leman_status read_iri(lm_text *text, lm_rdf_term *term)
{
    const size_t first = term->text.count + 1;
    PASS(append(text, term, text->at++, 1));
    while (text->at < text->end && *text->at != '>') {
        char bytes[4] = {*text->at};
        size_t length = 1;
        uint32_t code = (unsigned char)*text->at;
        if (*text->at == '\\') {
            PASS(read_escape(text, false, &code));
            length = utf8_of(code, bytes);
        } else {
            text->at++;
        }
        if (!in_iri(code)) return lm_text_fail(text, "found an IRI with a character that IRIs do not have");
        PASS(append(text, term, bytes, length));
    }
    if (text->at == text->end) return lm_text_fail(text, "found an IRI without an end, expected '>'");
    if (!has_scheme((const char *)term->text.items + first, term->text.count - first))
        return lm_text_fail(text, "found a relative IRI, expected one that begins with a scheme such as http:");
    return append(text, term, text->at++, 1);
}

static leman_status read_blank(lm_text *text, lm_rdf_term *term)
{
    const char *first = text->at + 2, *last;
    for (last = first; last < text->end; last++) {
        const bool letter =
            is_letter(*last) || is_digit(*last) || *last == '_' || *last == ':' || (unsigned char)*last > 127;
        if (!letter && (last == first || (*last != '-' && *last != '.'))) break;
    }
    while (last > first && last[-1] == '.') last--;
    if (text->end - text->at < 2 || text->at[1] != ':' || last == first)
        return lm_text_fail(text, "found '_' without a label of a blank node, expected _: and letters or digits");
    text->at = last;
    return append(text, term, first, (size_t)(last - first));
}

/* Reads the language behind @, in lower case, or the datatype behind ^^, which is left out if it is xsd:string. */
static leman_status read_suffix(lm_text *text, lm_rdf_term *term)
{
    static const char STRING[] = "<http://www.w3.org/2001/XMLSchema#string>";
    const size_t before = term->text.count;
    if (text->end - text->at > 2 && !memcmp(text->at, "^^<", 3)) {
        PASS(append(text, term, "^^", 2));
        text->at += 2;
        PASS(read_iri(text, term));
        if (term->text.count - before == sizeof STRING + 1 &&
            !memcmp((const char *)term->text.items + before + 2, STRING, sizeof STRING - 1))
            term->text.count = before;
        return LEMAN_OK;
    }
    if (text->at == text->end || *text->at != '@') return LEMAN_OK;
    bool hyphen = true; /* the next character must be a letter or, behind a hyphen, a digit */
    PASS(append(text, term, text->at++, 1));
    for (; text->at < text->end; text->at++) {
        const char c = *text->at, lower = (char)(is_letter(c) ? c | 0x20 : c);
        const bool first_part = !memchr((const char *)term->text.items + before, '-', term->text.count - before);
        if (!is_letter(c) && !(is_digit(c) && !first_part) && !(c == '-' && !hyphen)) break;
        hyphen = c == '-';
        PASS(append(text, term, &lower, 1));
    }
    return hyphen ? lm_text_fail(text, "found a literal without a language behind '@', expected letters") : LEMAN_OK;
}

static leman_status read_literal(lm_text *text, lm_rdf_term *term)
{
    PASS(append(text, term, text->at++, 1));
    while (text->at < text->end && *text->at != '"') {
        if (*text->at == '\\') {
            uint32_t code;
            PASS(read_escape(text, true, &code));
            PASS(append_character(text, term, code));
        } else if ((unsigned char)*text->at < 0x80) {
            PASS(append_character(text, term, (uint32_t)*text->at++));
        } else {
            PASS(append(text, term, text->at++, 1));
        }
    }
    if (text->at == text->end) return lm_text_fail(text, "found a literal without an end, expected '\"'");
    PASS(append(text, term, text->at++, 1));
    return read_suffix(text, term);
}

leman_status lm_rdf_read_term(lm_text *text, unsigned kinds, const char *what, lm_rdf_term *term)
{
    const char first = text->at < text->end ? *text->at : '\0';
    term->text.count = 0;
    term->kind = first == '<' ? LM_RDF_IS_IRI : first == '_' ? LM_RDF_IS_BLANK : LM_RDF_IS_LITERAL;
    if (!(term->kind & kinds) || !first || !strchr("<_\"", first)) return lm_text_expected(text, what);
    if (term->kind == LM_RDF_IS_IRI) PASS(read_iri(text, term));
    if (term->kind == LM_RDF_IS_BLANK) PASS(read_blank(text, term));
    if (term->kind == LM_RDF_IS_LITERAL) PASS(read_literal(text, term));
    if (!lm_text_printable(term->text.items, term->text.count))
        return lm_text_fail(text, "found a term with bytes that are not printable UTF-8");
    return LEMAN_OK;
}

int64_t lm_rdf_label(const char *text, size_t length)
{
    const uint64_t hash = lm_checksum(text, length, 0) >> 1;
    return (int64_t)(hash < 2 ? hash + 2 : hash);
}
