/* The generic library: dynamics of any tree of rigid bodies and its derivatives, by loops over the tree.

   Every function takes the constant model first, a workspace second, then inputs, then outputs. Model and workspace
   are the caller's memory; no algorithm allocates or writes anything else, so threads need a workspace each and may
   share the model. An output that is NULL is not wanted (where the prototype says "or NULL").

   Numbers: sva_X is in double, svaf_X in float, svac_X in double complex (for the complex step: nothing is conjugated,
   nothing compared but real parts), svaq_X in quadruple precision. The constants of the model are double in all.

   Conventions. SI units; matrices row-major; rotation matrices map from the body to the parent or the world.
   q and v by joint: see sva_joint_table. Quaternions are x y z w and used as given: keep them of unit length.
   Six-vectors at this interface are (linear, angular): v and tau of a floating joint, forces (force, moment), frame
   velocities, rows of Jacobians. Derivatives by q are in the tangent space, nv columns, by right increments:
   df/dq_j = d/de f(q (+) e e_j), with (+) = sva_integrate.

   Dependent joints (mimic): q_j = multiplier q_master + offset. They have no slots in q and v; the library works on
   the full tree and reduces: with q_tree = G q + c, v_tree = G v,
       tau = G' tau_tree,  dtau/dq = G' (dtau/dq)_tree G,  M = G' M_tree G,  forward dynamics by factorising M. */
#ifndef SVA_H
#define SVA_H

#include <stddef.h>
#include <stdint.h>
#include "sva_joint.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum sva_status {
    SVA_OK,
    SVA_BAD_CAPACITY,
    SVA_BAD_PARENT,
    SVA_BAD_ORDER,
    SVA_BAD_TYPE,
    SVA_BAD_AXIS,
    SVA_BAD_ROTATION,
    SVA_BAD_MASS,
    SVA_BAD_NUMBER,
    SVA_BAD_MASTER,
    SVA_BAD_SIZE,
    SVA_BAD_TEXT,
    SVA_BAD_FILE,
    SVA_NO_MEMORY,
    SVA_STATUSES
} sva_status;

/* The version of the library that is linked; SVA_VERSION is that of the header. */
SVA_API const char *sva_version(void);

SVA_API const char *sva_message(sva_status status);

/* Changes whenever sva_body or sva_model does: generated texts that initialise them field by field ask for it. */
#define SVA_MODEL_LAYOUT 1

/* A body and the joint that moves it. The caller fills the upper part, the library the lower. */
typedef struct sva_body {
    sva_joint_type type;
    int parent;                     /* a smaller index; -1: the ground */
    double R[9], p[3];              /* pose of the body's frame in the parent's at q = 0 */
    double axis[3], pitch;          /* unit; metres per radian */
    double mass, h[3];              /* h = mass * centre of mass */
    double I[6];                    /* about the body frame's origin: xx xy xz yy yz zz */
    double armature[6];             /* added to the diagonal of M, by degree of freedom */
    double damping[6], friction[6]; /* carried for the user; no algorithm reads them */
    int dependent;                  /* 1: q = multiplier * q_master + offset, where `master` is an independent body */
    int master;
    double multiplier, offset;
    char name[64]; /* of the joint, ends with a zero; for the user, may be empty */

    int iq, nq, iv, nv; /* slots in q and v; a dependent joint has nq = nv = 0 and its master's iq, iv */
    int jq, mq, jv, mv; /* first slot and number of them in the tree's own q and v, where every joint has its own */
    int depth;          /* 0 for a child of the ground */
    int subtree;        /* the subtree is the bodies from this one up to, not including, this index... */
    int subtree_v;      /* ...and the tree's v from jv up to, not including, this one */
    double S[6][6];     /* motion subspace in the body's frame, a row per degree of freedom: (angular; linear) */
} sva_body;

typedef struct sva_model {
    int n_bodies, nq, nv;        /* of the user's q and v */
    int nq_tree, nv_tree, depth; /* of the tree's own; the greatest number of bodies on a path */
    int n_dependent, capacity;
    double gravity[3];
    sva_body *bodies;
    int *tree_parent; /* of each degree of freedom in the tree's v, the one before it towards the ground, or -1 */
    int *v_parent;    /* the same for the user's v: M_ij = 0 unless one is on the other's path */
} sva_model;

/* Memory for a model of up to that many bodies; aligned as malloc aligns. 0: more than can be had. */
SVA_API size_t sva_model_size(int capacity);
SVA_API sva_model *sva_model_init(void *memory, int capacity, const double gravity[3]);
/* Appends a copy. Bodies come depth first, so that a subtree is a contiguous range. */
SVA_API sva_status sva_model_add_body(sva_model *model, const sva_body *body);
/* After the last body, before anything else: joins dependent joints to their masters and numbers q and v.
   SVA_BAD_SIZE: more degrees of freedom than matrices can have (46340). */
SVA_API sva_status sva_model_finish(sva_model *model);
/* Convenience: by malloc, NULL if there is none. */
SVA_API sva_model *sva_model_new(int capacity, const double gravity[3]);
SVA_API void sva_model_free(sva_model *model); /* or NULL */

/* The acceleration that falling bodies have, in the world's axes; at any time. SVA_BAD_NUMBER: not finite. */
SVA_API sva_status sva_model_set_gravity(sva_model *model, const double gravity[3]);
/* The body whose joint has that name, or -1. */
SVA_API int sva_model_find(const sva_model *model, const char *name);

/* Models as text; `svagen generate --model` writes such files. A line is a keyword and its values, separated by blanks
   (spaces or tabs); empty lines and lines that begin with # are skipped; indentation is free. Numbers are decimal, with
   a point whatever the locale is, and finite.

       sva 1                      the first line: format and its version
       gravity x y z              before the first body; 0 0 -9.81 unless given
       body PARENT TYPE NAME      a body and the joint that moves it: the parent's number (bodies count from 0, depth
                                  first; -1: the ground), a type of sva_joint_table, and to the end of the line the
                                  joint's name, at most 63 bytes, in which \xHH is the byte of that value, not 00. The
                                  lines that follow belong to the body, each at most once:
         rotation r11 r12 .. r33  R by rows; the identity unless given
         position x y z           p
         axis x y z               of unit length
         pitch d                  of a helical joint
         mass m
         moment x y z             h = m c
         inertia xx xy xz yy yz zz    I
         armature .. damping .. friction ..    a number per degree of freedom
         follows MASTER k c       dependent: q = k q_MASTER + c

   What is not given is zero. */
typedef struct sva_text_error {
    sva_status status;
    int line; /* counts from 1; 0: the text as a whole */
    char message[160];
} sva_text_error;

/* The finished model, to be freed by sva_model_free; NULL after an error, which *error (or NULL) then describes. */
SVA_API sva_model *sva_model_parse(const char *text, size_t length, sva_text_error *error);
SVA_API sva_model *sva_model_load(const char *path, sva_text_error *error);
/* Text that reads back to the same bits. As snprintf: writes at most `size` characters with the final zero, returns how
   many it takes without that zero. `text` may be NULL if size is 0. */
SVA_API size_t sva_model_print(const sva_model *model, char *text, size_t size);
SVA_API sva_status sva_model_save(const sva_model *model, const char *path);

/* A frame fixed to a body (-1: to the ground): its pose in the body's frame. */
typedef struct sva_frame {
    int body;
    double R[9], p[3];
} sva_frame;

/* Where the six-vector of a frame is expressed. LOCAL: in the frame's axes at its origin; WORLD: in the world's axes at
   the world's origin; ALIGNED: in the world's axes at the frame's origin, and its derivatives are those of that vector.
 */
typedef enum sva_reference { SVA_LOCAL, SVA_WORLD, SVA_ALIGNED } sva_reference;

/* How M^-1 meets dtau/dq: a dense product, ABA with zero inputs column by column, or whichever suits nv. */
typedef enum sva_product { SVA_PRODUCT_BY_SIZE, SVA_PRODUCT_DMM, SVA_PRODUCT_AZA } sva_product;

#define SVA_REAL    double
#define SVA_NAME(x) sva_##x
#include "sva_api.h"
#undef SVA_REAL
#undef SVA_NAME

#define SVA_REAL    float
#define SVA_NAME(x) svaf_##x
#include "sva_api.h"
#undef SVA_REAL
#undef SVA_NAME

#ifndef __cplusplus
#define SVA_REAL    double _Complex
#define SVA_NAME(x) svac_##x
#include "sva_api.h"
#undef SVA_REAL
#undef SVA_NAME

/* The complex step, exact to rounding: the columns are Im f(q (+) i h e_j) / h with h = 1e-100. */
SVA_API void svac_id_complex_step(const sva_model *m, svac_workspace *w, const double q[], const double v[],
                                  const double a[], const svac_forces *f, double dtau_dq[], double dtau_dv[]);
SVA_API void svac_fd_complex_step(const sva_model *m, svac_workspace *w, const double q[], const double v[],
                                  const double tau[], const svac_forces *f, double dqdd_dq[], double dqdd_dv[]);
#endif

#ifdef __SIZEOF_FLOAT128__
#define SVA_REAL    __float128
#define SVA_NAME(x) svaq_##x
#include "sva_api.h"
#undef SVA_REAL
#undef SVA_NAME
#endif

#ifdef __cplusplus
}
#endif
#endif
