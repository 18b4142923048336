/* Statements and expressions as C, for all texts: of a kernel, of a block of columns, of a loop. */
#ifndef EMIT_TEXT_H
#define EMIT_TEXT_H

#include "print.h"

typedef struct printer {
    FILE *out;
    const schedule *s;
    const graph *g;
    const print_style *style;
    const kernel_info *kernel;
    const program *program;
    const int *number;     /* per node: the number in its name */
    const int *constant;   /* per node: the place of a tuple in an array */
    const char *constants; /* the array */
    int lane;              /* the one that is printed; -1: values as a whole */
    bool reload;           /* inputs are read where they are used, rather than kept */
    bool apart;            /* constant outputs have a function of their own */
    bool loop;             /* of a loop: inputs are of the column at hand, and values are items */
    int side;              /* of a loop: the item that is printed, of several side by side */
} printer;

printer printer_of(FILE *out, arena *memory, const schedule *s, const kernel_info *k, const program *prog,
                   const print_style *style);

const char *print_real(const print_style *style);  /* the number type of arguments */
const char *print_value(const print_style *style); /* the type of one value: a number, or one of each state */
int print_room(const printer *p, expr e);          /* lanes of the vector that holds a node's value */
void print_type(const printer *p, expr e);
/* An item of an array: of limbs side by side, all their lanes. */
void print_item(const printer *p, expr e, const char *array, int at);
/* least: how tightly an operator must bind to do without parentheses, 1 to 3. names: false to write out everything, for
   angles, which come before all statements. */
void print_expr(const printer *p, expr e, int least, bool names);
void print_lanes(const printer *p, expr e, bool names);
void print_store(const printer *p, const graph_output *o);
void print_statements(const printer *p, int from, int to);
/* A constant output that no part stores. */
bool print_is_apart(const printer *p, const statement *st);

#endif
