/* Edge lists. */
#include "reader.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    return fuzz_read(bytes, size, lm_format_edge_list.read, lm_format_edge_list.write);
}
