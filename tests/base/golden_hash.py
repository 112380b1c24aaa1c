"""Golden values of base/hash.h, computed here with plain integers from the formulas in its comments.

Run it to print tests/base/golden_hash.h; tests/base/test_hash.py compares the two.
"""

WORD = (1 << 64) - 1
M = 0xD6E8FEB86659FD93


def mix(x):
    x ^= x >> 32
    x = x * M & WORD
    x ^= x >> 29
    x = x * M & WORD
    return x ^ x >> 32


def multiplier(i):
    return mix((i * 0x9E3779B97F4A7C15 + 0x2545F4914F6CDD1D) & WORD) | 1


def checksum(data, seed):
    lanes = [mix((seed + i) & WORD) for i in range(8)]
    whole = len(data) - len(data) % 64
    words = [int.from_bytes(data[i:i + 8], "little") for i in range(0, whole, 8)]
    for i, word in enumerate(words):
        x = (lanes[i % 8] ^ word) * M & WORD
        lanes[i % 8] = x ^ x >> 29
    tail = data[whole:].ljust(64, b"\0")
    total = mix(len(data))
    for i in range(8):
        total = mix(total ^ mix(lanes[i] ^ mix(int.from_bytes(tail[8 * i:8 * i + 8], "little"))))
    return total


def sample(length):
    return bytes((37 * i + 11) & 255 for i in range(length))


WORDS = [0, 1, 2, 3, 255, 1 << 31, 1 << 32, (1 << 32) - 1, 1 << 63, WORD, 0x0123456789ABCDEF, 0xFEDCBA9876543210]
POSITIONS = [0, 1, 2, 3, 4, 5, 6, 7, 63, 1 << 32, WORD]
CHECKSUMS = [(n, s) for n in (0, 1, 7, 8, 9, 63, 64, 65, 127, 128, 129, 1000) for s in (0, 1, 1 << 63)]


def header():
    row = "    {{UINT64_C(0x{:016x}), UINT64_C(0x{:016x})}},"
    lines = ["/* Printed by golden_hash.py: arguments and values of lm_mix, lm_multiplier and lm_checksum. */", "#include <stdint.h>", ""]
    lines += ["static const uint64_t GOLDEN_MIX[][2] = {"] + [row.format(x, mix(x)) for x in WORDS] + ["};"]
    lines += ["static const uint64_t GOLDEN_MULTIPLIER[][2] = {"]
    lines += [row.format(i, multiplier(i)) for i in POSITIONS] + ["};"]
    lines += ["/* Length of the sample, seed, checksum. */", "static const uint64_t GOLDEN_CHECKSUM[][3] = {"]
    lines += ["    {{{}, UINT64_C(0x{:016x}), UINT64_C(0x{:016x})}},".format(n, s, checksum(sample(n), s))
              for n, s in CHECKSUMS] + ["};"]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    print(header(), end="")
