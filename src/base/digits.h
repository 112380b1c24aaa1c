/* Decimal digits of integers, for loops that write millions of integers. */
#ifndef LM_DIGITS_H
#define LM_DIGITS_H

#include <stdint.h>
#include <string.h>

enum { LM_DIGITS_TEXT = 24 }; /* upper bound of the bytes that lm_digits() writes, including those behind the end */

/* Returns the eight digits of a number below 10^8, one in each byte, the first digit in the lowest byte. The number is
 * cut into two halves, each half into two, and each quarter into two. For numbers this small, 10486 / 2^20 replaces 1 /
 * 100 and 103 / 2^10 replaces 1 / 10. */
static inline uint64_t lm_eight_digits(uint32_t value)
{
    uint64_t parts = value / 10000 | (uint64_t)(value % 10000) << 32, high = parts * 10486 >> 20 & 0x7f0000007f;
    parts = high | (parts - 100 * high) << 16;
    high = parts * 103 >> 10 & 0xf000f000f000f;
    return high | (parts - 10 * high) << 8;
}

/* Writes the result of lm_eight_digits() without its first `skipped` digits. Returns the end of the text. */
static inline char *lm_put_digits(char *to, uint64_t digits, int skipped)
{
    const uint64_t text = (digits | UINT64_C(0x3030303030303030)) >> 8 * skipped;
    for (int i = 0; i < 8; i++) to[i] = (char)(text >> 8 * i); /* one store */
    return to + 8 - skipped;
}

/* The numbers 0 to 99, each in two bytes. */
static const char LM_SMALL_DIGITS[] =
    "0 1 2 3 4 5 6 7 8 9 10111213141516171819202122232425262728293031323334353637383940414243444546474849"
    "5051525354555657585960616263646566676869707172737475767778798081828384858687888990919293949596979899";

/* Like lm_digits(), for a number below 10^8. */
static inline char *lm_short_digits(char *to, uint32_t value)
{
    if (value < 100) { /* most counts are this small */
        memcpy(to, LM_SMALL_DIGITS + 2 * value, 2);
        return to + 1 + (value >= 10);
    }
    const uint64_t digits = lm_eight_digits(value);
    return lm_put_digits(to, digits, __builtin_ctzll(digits) / 8);
}

/* Writes the decimal digits of a number, at most 20, to `to`. Returns the end of the digits. Bytes behind the end, up
 * to LM_DIGITS_TEXT in all, may change. */
static inline char *lm_digits(char *to, uint64_t value)
{
    enum { BASE = 100000000 };
    if (value < BASE) return lm_short_digits(to, (uint32_t)value);
    const uint64_t high = value / BASE;
    to = high < BASE
             ? lm_short_digits(to, (uint32_t)high)
             : lm_put_digits(lm_short_digits(to, (uint32_t)(high / BASE)), lm_eight_digits((uint32_t)(high % BASE)), 0);
    return lm_put_digits(to, lm_eight_digits((uint32_t)(value % BASE)), 0);
}

#endif
