/* N-Triples and N-Quads. */
#include "reader.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    return fuzz_read(bytes, size, lm_format_nquads.read, lm_format_nquads.write);
}
