/* What the numeric suites share: shipped robots as models, errors relative to the largest entry. */
#ifndef TESTS_FIXTURE_H
#define TESTS_FIXTURE_H

#include "model/bridge.h"
#include "model/model.h"

typedef struct fixture {
    arena *memory;
    model *model;   /* NULL if the file could not be read; the reason was printed */
    sva_model *sva; /* the same for the generic library */
} fixture;

fixture fixture_robot(const char *path, model_options options);
/* Around a model of the arena's, which the fixture owns from now on. */
fixture fixture_model(arena *memory, model *m);
/* The papers' synthetic tree of n links. */
fixture fixture_chain(int n, int branching);
void fixture_free(fixture *f);

/* The shipped robots, floating ones with a floating base; NULL at the end. */
typedef struct shipped {
    const char *name, *path;
    base_choice base;
} shipped;
extern const shipped shipped_robots[];

/* max |x - y| over max |y|; the numerator alone where y is zero. Infinite if any is not a number. */
double relative_error(int n, const double x[], const double y[]);

/* Whether to do a tenth of the work: SVAGEN_QUICK is set and not 0 (slow builds, e.g. with sanitizers). */
bool quick(void);

#endif
