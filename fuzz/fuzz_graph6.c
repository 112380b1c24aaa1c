/* graph6, digraph6 and sparse6 lines; bit 3 of the first byte chooses the writer. */
#include "reader.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    return fuzz_read(bytes, size, lm_format_graph6.read,
                     size && bytes[0] & 8 ? lm_format_sparse6.write : lm_format_graph6.write);
}
