/* Inside the library: what building a model and reading one share. */
#ifndef SVA_MODEL_H
#define SVA_MODEL_H

#include "sva.h"

/* Whether a dependent joint can follow its master. */
int sva_good_master(const sva_model *m, const sva_body *b);

#endif
