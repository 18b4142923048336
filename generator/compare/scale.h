/* How large the quantities of dynamics can be at a state: bounds from masses, lengths, speeds and forces. An output
   that is zero but for roundings (dtau_dv of a single joint, gravity of a horizontal slider) is measured against them.

       l       length: the farthest reach of any body, plus the radius of gyration of all; 1 if nothing extends
       m       masses, all added up
       s_k     how far one unit of degree of freedom k moves a point: 1 for a displacement, l for an angle, both for a
               screw
       s       the largest s_k, times one more than there are dependent joints
       w, u    sum |v_k| of the angles; sum s_k |v_k|: angular speed, speed of a point
       A       |gravity| + sum s_k |a_k| + w u: acceleration of a point
       F       s (m A + forces) + moments + armature |a| + friction */
#ifndef SCALE_H
#define SCALE_H

#include <stdbool.h>
#include "sva.h"

typedef enum scale_kind {
    SCALE_ONE,         /* 1, of rotations */
    SCALE_J,           /* s */
    SCALE_TAU,         /* F */
    SCALE_M,           /* m s^2 + armature */
    SCALE_MINV,        /* |M^-1| */
    SCALE_DTAU_DQ,     /* F s / l */
    SCALE_DTAU_DV,     /* 2 m s^2 u / l + slope of friction */
    SCALE_QDD,         /* |M^-1| (|tau| + F) */
    SCALE_DQDD_DQ,     /* |M^-1| dtau_dq */
    SCALE_DQDD_DV,     /* |M^-1| dtau_dv */
    SCALE_D2TAU_DQ_DQ, /* dtau_dq s / l */
    SCALE_D2TAU_DV_DV, /* 2 m s^3 / l */
    SCALE_D2TAU_DQ_DV, /* dtau_dv s / l */
    SCALE_DM_DQ,       /* M s / l */
    SCALE_KINDS
} scale_kind;

typedef struct scale_state {
    const double *q, *v, *a; /* a: given, or what forward dynamics found; v, a NULL: zero */
    double force, moment;    /* external ones, sums of their components */
    double loss, slope;      /* friction, and its derivative by v */
    double tau, inverse;     /* |tau| and |M^-1|, of forward dynamics */
} scale_state;

double scale_of(const sva_model *m, const scale_state *s, scale_kind kind);

/* Whether an output whose largest true entry this is consists of roundings: of what the truth is computed in, or of the
   robot's constants and the inputs, which are numbers to epsilon. Then errors are measured against the scale. */
bool scale_is_noise(double largest, double scale, double epsilon);

#endif
