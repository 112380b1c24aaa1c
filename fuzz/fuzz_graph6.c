/* graph6, digraph6 and sparse6 lines; bit 3 of the first byte chooses the writer. */
#include "reader.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    return fuzz_read(bytes, size, lm_graph6_read, size && bytes[0] & 8 ? lm_sparse6_write : lm_graph6_write);
}
