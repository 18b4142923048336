/* Times of several who do the same work. They take turns, and the best of many turns counts: what else the machine does
   meets all of them alike. */
#ifndef CONTEST_H
#define CONTEST_H

typedef struct contestant {
    void (*run)(void *subject); /* NULL: does not take part */
    void *subject;
    int states;        /* that one run computes */
    int repeats;       /* runs of a round: contest chooses them */
    double ns, cycles; /* of one state, the least of all turns; 0: not measured */
} contestant;

/* counter: of cycles.h, or -1. */
void contest(contestant *list, int n, int turns, int counter);

#endif
