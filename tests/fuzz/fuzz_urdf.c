#include <stdint.h>
#include "urdf_case.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (!urdf_case((const char *)data, size, size % 2)) abort();
    return 0;
}
