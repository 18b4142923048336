/* The generic library's reader of models; what it reads is written and read again. */
#include <stdint.h>
#include <stdlib.h>
#include "sva.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    sva_text_error error;
    sva_model *m = sva_model_parse((const char *)data, size, &error);
    if (!m) return error.status == SVA_OK ? abort(), 0 : 0;
    size_t length = sva_model_print(m, NULL, 0);
    char *text = malloc(length + 1);
    if (!text || sva_model_print(m, text, length + 1) != length) abort();
    sva_model *again = sva_model_parse(text, length, NULL);
    if (!again || again->n_bodies != m->n_bodies) abort();
    sva_model_free(again), free(text), sva_model_free(m);
    return 0;
}
