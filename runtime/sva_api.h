/* The functions of sva.h for one number type: SVA_REAL, named by SVA_NAME. Included by sva.h once per type. */

typedef struct SVA_NAME(workspace) SVA_NAME(workspace);

/* A force and moment constant in the world's axes, at a point fixed to the body (in its frame). */
typedef struct SVA_NAME(world_force) {
    int body;
    SVA_REAL point[3], force[3], moment[3];
} SVA_NAME(world_force);

/* External forces; where a function takes a pointer to this, NULL means none. */
typedef struct SVA_NAME(forces) {
    const SVA_REAL *body; /* 6 per body, or NULL: (force, moment at the body's origin), constant in the body's frame */
    int n_world;
    const SVA_NAME(world_force) * world;
} SVA_NAME(forces);

/* Bytes of a workspace, 0 if no size_t holds their number; workspace_init is given that many, aligned as malloc aligns,
   and gives NULL where there is no such number. */
SVA_API size_t SVA_NAME(workspace_size)(const sva_model *m);
SVA_API SVA_NAME(workspace) * SVA_NAME(workspace_init)(const sva_model *m, void *memory);
SVA_API SVA_NAME(workspace) * SVA_NAME(workspace_new)(const sva_model *m); /* by malloc; NULL if there is none */
SVA_API void SVA_NAME(workspace_free)(SVA_NAME(workspace) * w);            /* or NULL */

/* The configuration manifold: q (+) dv; the dv with q0 (+) dv = q1; q of given seed; q with unit quaternions.
   q_out may be q. */
SVA_API void SVA_NAME(neutral)(const sva_model *m, SVA_REAL q[]);
SVA_API void SVA_NAME(integrate)(const sva_model *m, const SVA_REAL q[], const SVA_REAL dv[], SVA_REAL q_out[]);
SVA_API void SVA_NAME(difference)(const sva_model *m, const SVA_REAL q0[], const SVA_REAL q1[], SVA_REAL dv[]);
SVA_API void SVA_NAME(random_configuration)(const sva_model *m, uint64_t *seed, SVA_REAL q[]);
SVA_API void SVA_NAME(random_vector)(int n, uint64_t *seed, SVA_REAL x[]); /* uniform in [-1, 1] */
SVA_API void SVA_NAME(normalise)(const sva_model *m, SVA_REAL q[]);

/* tau = M a + C v + g - sum of J' f. Here and below: f or NULL, no forces. */
SVA_API void SVA_NAME(rnea)(const sva_model *m, SVA_NAME(workspace) * w, const SVA_REAL q[], const SVA_REAL v[],
                            const SVA_REAL a[], const SVA_NAME(forces) * f, SVA_REAL tau[]);
/* h = C v + g - sum of J' f;  g. */
SVA_API void SVA_NAME(bias)(const sva_model *m, SVA_NAME(workspace) * w, const SVA_REAL q[], const SVA_REAL v[],
                            const SVA_NAME(forces) * f, SVA_REAL h[]);
SVA_API void SVA_NAME(gravity)(const sva_model *m, SVA_NAME(workspace) * w, const SVA_REAL q[], SVA_REAL g[]);
/* C with C v = h - g and Mdot - 2 C skew. */
SVA_API void SVA_NAME(coriolis)(const sva_model *m, SVA_NAME(workspace) * w, const SVA_REAL q[], const SVA_REAL v[],
                                SVA_REAL C[]);
/* Kinetic energy 1/2 v' M v and potential energy -sum of gravity . h. */
SVA_API void SVA_NAME(energy)(const sva_model *m, SVA_NAME(workspace) * w, const SVA_REAL q[], const SVA_REAL v[],
                              SVA_REAL *kinetic, SVA_REAL *potential);

/* M; M = L' D L in place (unit lower triangular L below D, with the tree's sparsity); x = M^-1 x; M^-1 from the
 * factors. */
SVA_API void SVA_NAME(crba)(const sva_model *m, SVA_NAME(workspace) * w, const SVA_REAL q[], SVA_REAL M[]);
SVA_API void SVA_NAME(ltdl)(const sva_model *m, SVA_REAL M[]);
SVA_API void SVA_NAME(ltdl_solve)(const sva_model *m, const SVA_REAL L[], SVA_REAL x[]);
SVA_API void SVA_NAME(ltdl_inverse)(const sva_model *m, const SVA_REAL L[], SVA_REAL minv[]);
/* M^-1 without M. */
SVA_API void SVA_NAME(minv)(const sva_model *m, SVA_NAME(workspace) * w, const SVA_REAL q[], SVA_REAL minv[]);

/* qdd = M^-1 (tau - h): by articulated bodies, and by CRBA, RNEA and L'DL. */
SVA_API void SVA_NAME(aba)(const sva_model *m, SVA_NAME(workspace) * w, const SVA_REAL q[], const SVA_REAL v[],
                           const SVA_REAL tau[], const SVA_NAME(forces) * f, SVA_REAL qdd[]);
SVA_API void SVA_NAME(fd_crba)(const sva_model *m, SVA_NAME(workspace) * w, const SVA_REAL q[], const SVA_REAL v[],
                               const SVA_REAL tau[], const SVA_NAME(forces) * f, SVA_REAL qdd[]);

/* Derivatives of inverse dynamics: in the ground frame, in body frames, and by the chain rule on RNEA. */
SVA_API void SVA_NAME(idsva)(const sva_model *m, SVA_NAME(workspace) * w, const SVA_REAL q[], const SVA_REAL v[],
                             const SVA_REAL a[], const SVA_NAME(forces) * f, SVA_REAL dtau_dq[], SVA_REAL dtau_dv[]);
SVA_API void SVA_NAME(idsva_body)(const sva_model *m, SVA_NAME(workspace) * w, const SVA_REAL q[], const SVA_REAL v[],
                                  const SVA_REAL a[], const SVA_NAME(forces) * f, SVA_REAL dtau_dq[],
                                  SVA_REAL dtau_dv[]);
SVA_API void SVA_NAME(rneacr)(const sva_model *m, SVA_NAME(workspace) * w, const SVA_REAL q[], const SVA_REAL v[],
                              const SVA_REAL a[], const SVA_NAME(forces) * f, SVA_REAL dtau_dq[], SVA_REAL dtau_dv[]);

/* Derivatives of forward dynamics: dqdd = -M^-1 dtau at a = qdd, from IDSVA (in body frames) and from RNEACR, and the
   chain rule on ABA. qdd or NULL, minv (dqdd_dtau) or NULL; dqdd_dq and dqdd_dv are always wanted. */
SVA_API void SVA_NAME(fdsva)(const sva_model *m, SVA_NAME(workspace) * w, const SVA_REAL q[], const SVA_REAL v[],
                             const SVA_REAL tau[], const SVA_NAME(forces) * f, sva_product product, SVA_REAL qdd[],
                             SVA_REAL dqdd_dq[], SVA_REAL dqdd_dv[], SVA_REAL minv[]);
SVA_API void SVA_NAME(fdcr)(const sva_model *m, SVA_NAME(workspace) * w, const SVA_REAL q[], const SVA_REAL v[],
                            const SVA_REAL tau[], const SVA_NAME(forces) * f, SVA_REAL qdd[], SVA_REAL dqdd_dq[],
                            SVA_REAL dqdd_dv[], SVA_REAL minv[]);
SVA_API void SVA_NAME(abacr)(const sva_model *m, SVA_NAME(workspace) * w, const SVA_REAL q[], const SVA_REAL v[],
                             const SVA_REAL tau[], const SVA_NAME(forces) * f, SVA_REAL qdd[], SVA_REAL dqdd_dq[],
                             SVA_REAL dqdd_dv[]);

/* Central differences of RNEA and ABA, steps q (+) +-step e_j. */
SVA_API void SVA_NAME(id_differences)(const sva_model *m, SVA_NAME(workspace) * w, const SVA_REAL q[],
                                      const SVA_REAL v[], const SVA_REAL a[], const SVA_NAME(forces) * f, SVA_REAL step,
                                      SVA_REAL dtau_dq[], SVA_REAL dtau_dv[]);
SVA_API void SVA_NAME(fd_differences)(const sva_model *m, SVA_NAME(workspace) * w, const SVA_REAL q[],
                                      const SVA_REAL v[], const SVA_REAL tau[], const SVA_NAME(forces) * f,
                                      SVA_REAL step, SVA_REAL dqdd_dq[], SVA_REAL dqdd_dv[]);

/* Second derivatives of inverse dynamics, nv x nv x nv, each of them or NULL:
   d2tau_dq_dq[i][j][k] = d/dq_k of dtau_i/dq_j, d2tau_dv_dv alike, d2tau_dq_dv[i][j][k] = d/dv_k of dtau_i/dq_j,
   dM_dq[i][j][k] = dM_ij/dq_k. */
SVA_API void SVA_NAME(idsva_so)(const sva_model *m, SVA_NAME(workspace) * w, const SVA_REAL q[], const SVA_REAL v[],
                                const SVA_REAL a[], SVA_REAL d2tau_dq_dq[], SVA_REAL d2tau_dv_dv[],
                                SVA_REAL d2tau_dq_dv[], SVA_REAL dM_dq[]);

/* Kinematics. Poses in the world: 9 and 3 numbers per body. Accelerations are spatial, without gravity. Matrices are 6
 * x nv. */
SVA_API void SVA_NAME(body_poses)(const sva_model *m, SVA_NAME(workspace) * w, const SVA_REAL q[], SVA_REAL R[],
                                  SVA_REAL p[]);
SVA_API void SVA_NAME(frame_pose)(const sva_model *m, SVA_NAME(workspace) * w, const SVA_REAL q[],
                                  const sva_frame *frame, SVA_REAL R[9], SVA_REAL p[3]);
SVA_API void SVA_NAME(frame_velocity)(const sva_model *m, SVA_NAME(workspace) * w, const SVA_REAL q[],
                                      const SVA_REAL v[], const sva_frame *frame, sva_reference reference,
                                      SVA_REAL velocity[6]);
SVA_API void SVA_NAME(frame_acceleration)(const sva_model *m, SVA_NAME(workspace) * w, const SVA_REAL q[],
                                          const SVA_REAL v[], const SVA_REAL a[], const sva_frame *frame,
                                          sva_reference reference, SVA_REAL acceleration[6]);
SVA_API void SVA_NAME(frame_jacobian)(const sva_model *m, SVA_NAME(workspace) * w, const SVA_REAL q[],
                                      const sva_frame *frame, sva_reference reference, SVA_REAL J[]);
/* Derivatives of frame_velocity and frame_acceleration; dvelocity/dv = dacceleration/da = J. Each output or NULL. */
SVA_API void SVA_NAME(frame_derivatives)(const sva_model *m, SVA_NAME(workspace) * w, const SVA_REAL q[],
                                         const SVA_REAL v[], const SVA_REAL a[], const sva_frame *frame,
                                         sva_reference reference, SVA_REAL dvelocity_dq[], SVA_REAL dacceleration_dq[],
                                         SVA_REAL dacceleration_dv[]);
