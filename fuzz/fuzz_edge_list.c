/* Edge lists. */
#include "reader.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    return fuzz_read(bytes, size, lm_edge_list_read, lm_edge_list_write);
}
