/* From the generator's model to the generic library's. */
#ifndef BRIDGE_H
#define BRIDGE_H

#include "model.h"
#include "sva.h"

/* By malloc, freed by sva_model_free; the same numbering of bodies, q and v. NULL without memory or if the library
   refuses a body, and then *status (unless NULL) says why. */
sva_model *sva_model_from(const model *m, sva_status *status);

sva_frame sva_frame_from(const model_frame *f);

#endif
