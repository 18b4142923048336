/* Large trees, where a text for every pair of joints would be megabytes. The text goes through the bodies once and
   fills, for each column c of the tree, a record of vectors, all in one common frame; loops over ranges of columns
   (program/loop.h) do the rest. With Minv = M^-1 symmetric, N and T sums of products of its columns:

   pairs, i in the subtree of c:  M_ic = S_c . t1_i
       dtau_i/dq_c = Psi1_c . t4_i + Psi2_c . t1_i      dtau_c/dq_i = S_c . t3_i   (i below c's joint)
       dtau_i/dv_c = S_c . t4_i + D_c . t1_i            dtau_c/dv_i = S_c . t2_i
   Minv e_j, leaves to root and back:
       u_c = (c == j) - S_c . p,  p += K_c u_c          x_c = u_c / D_c - K_c . a,  a += S_c x_c
   -dqdd/dq_c = Minv dtau/dq_c without dtau:  N t3_c + T1 Psi2_c + T4 Psi1_c
   -dqdd/dv_c                              :  N t2_c + T1 D_c + T4 S_c
       N  = sum of Minv_j S_j'                 over the columns j of the joints above c's
       T1 = sum of Minv_i t1_i', T4 likewise   over the columns i of c's joint and below

   That is 45 multiply-adds for an entry of both derivatives whatever the depth, where solving for a column of a chain
   of 100 takes 100. */
#ifndef LARGE_H
#define LARGE_H

#include "program/program.h"
#include "texts.h"

/* Vectors of a record: angular half, linear half. Psi1 and T4 have the first only, DINV is one number. */
typedef enum record_field {
    FIELD_S,
    FIELD_PSI1,
    FIELD_PSI2,
    FIELD_D, /* Sdot + Psi1 */
    FIELD_K, /* U / D of the articulated body */
    FIELD_DINV,
    FIELD_T4, /* from here on what pairs take from the lower of two columns */
    FIELD_T1,
    FIELD_T2,
    FIELD_T3,
    FIELDS
} record_field;

/* What a column's record is made of, apart from K and DINV. */
typedef struct large_vectors {
    motion S, Psi1, Psi2, D;
    force t[3]; /* t1, t2, t3 */
    vec t4;
} large_vectors;
void large_column(graph *g, int column, const large_vectors *v);

/* The texts: of records, and of the loops over them, which become stages. in: accelerations and the like of the
   derivatives, NULL for M or its inverse alone. tau: table to add torques to, or NULL. */
void large_pairs(program *p, const tree *t, const trace_options *o, const id_inputs *in, bool mass, table *tau);
void large_inverse(program *p, const tree *t, const trace_options *o, solver *aza, const id_inputs *in);

#endif
