/* Which entries of the mass matrix the tree lets be non-zero. */
#ifndef SPARSITY_H
#define SPARSITY_H

#include "model.h"

enum { SPARSITY_MAX = 16384 }; /* degrees of freedom; one bit an entry */

typedef struct sparsity {
    int nv;
    long nonzeros;
    unsigned char *bits;
} sparsity;

/* M_ij can be non-zero if some body is moved by both degrees of freedom, through joints of its own path or dependent
   joints on it. The degrees of freedom of one joint count as coupled. nv must not exceed SPARSITY_MAX. */
sparsity sparsity_of_mass_matrix(arena *memory, const model *m);

bool sparsity_at(const sparsity *s, int i, int j);

#endif
