/* A kernel between its trace and its C. A text is a graph, and the order of its statements once it is finished; stages
   run texts one after the other:

     STRAIGHT  a text, once
     CALL      a text for a block of columns: it reads rows of X and writes columns of an output
     LOOP      texts for a column of the tree, or for two, over ranges that are baked in (loop.h)

   What a stage leaves for later ones is in locals. Counting, evaluating and printing are for all three. */
#ifndef PROGRAM_H
#define PROGRAM_H

#include "loop.h"
#include "schedule/schedule.h"

typedef struct program_text {
    graph *graph;
    const schedule *schedule; /* NULL: not finished */
    bool body;                /* of a loop */
    int width;                /* of a block: its columns, and which rows it has: the others are zero */
    const bool *row;
} program_text;

/* A block of columns: rows from X + at become columns [first, first + width) of the output. */
typedef struct block {
    int out, first, width, at;
} block;

typedef enum stage_kind { STAGE_STRAIGHT, STAGE_CALL, STAGE_LOOP } stage_kind;
typedef struct stage {
    stage_kind kind;
    int text; /* STRAIGHT, CALL */
    block block;
    loop *loop;
} stage;

typedef struct program {
    arena *memory;  /* of all that follows */
    arena *scratch; /* of the trace, until it is done */
    VEC(program_text) texts;
    VEC(stage) stages;
    int room[SLOT_COUNT]; /* of locals, in numbers; 0: there is none */
} program;

/* With one text, empty, which the first stage runs. */
program *program_new(void);
void program_free(program *p); /* NULL: nothing */
static inline graph *program_graph(const program *p) { return p->texts.at[0].graph; }

/* Add one, and return its number or its place. */
int program_add_text(program *p, graph *g);
stage *program_add_stage(program *p, stage_kind kind);

/* The trace is done: its scratch memory goes. */
void program_traced(program *p);
/* How many passes a text goes through: the first is one order for all nodes. */
int program_passes(const program_text *t);
/* Runs the passes over all texts and schedules them; NULL: nothing. */
void program_finish(program *p);

/* Operations of one run; before it is finished, of what was traced. */
graph_counts program_counts(const program *p);
/* Times that the texts of a loop run: the sum over its ranges. */
long loop_runs(const loop *l, const sweep *s);

/* What it gives, in the process: in and out by argument, matrices by rows. */
void program_eval(const program *p, const double *const *in, double *const *out);

#endif
