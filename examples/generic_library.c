/* Any robot by the generic library, without generated kernels.

       svagen generate robots/ur5.yaml --model -o ur5
       cc -O2 examples/generic_library.c $(pkg-config --cflags --libs --static sva) -o generic_library
       ./generic_library ur5/ur5.sva

   Prints, at a configuration chosen at random, the torques and how each changes with its own joint's angle and rate. */
#include <stdio.h>
#include <stdlib.h>
#include <sva.h>

static double *numbers(int rows, int columns)
{
    double *x = calloc((size_t)rows * (size_t)columns + 1, sizeof *x);
    if (!x) exit(EXIT_FAILURE);
    return x;
}

int main(int argc, char **argv)
{
    sva_text_error error;
    if (argc != 2) return fprintf(stderr, "usage: %s ROBOT.sva\n", argv[0]), EXIT_FAILURE;
    sva_model *m = sva_model_load(argv[1], &error);
    if (!m) return fprintf(stderr, "%s:%d: %s\n", argv[1], error.line, error.message), EXIT_FAILURE;
    sva_workspace *w = sva_workspace_new(m);
    if (!w) return fprintf(stderr, "out of memory\n"), EXIT_FAILURE;

    uint64_t seed = 1;
    double *q = numbers(m->nq, 1), *v = numbers(m->nv, 1), *a = numbers(m->nv, 1), *tau = numbers(m->nv, 1);
    double *dtau_dq = numbers(m->nv, m->nv), *dtau_dv = numbers(m->nv, m->nv);
    sva_random_configuration(m, &seed, q);
    sva_random_vector(m->nv, &seed, v);
    sva_random_vector(m->nv, &seed, a);

    sva_rnea(m, w, q, v, a, NULL, tau);
    sva_idsva(m, w, q, v, a, NULL, dtau_dq, dtau_dv);

    printf("%-24s %12s %12s %12s\n", "joint", "tau", "dtau/dq", "dtau/dv");
    for (int i = 0; i < m->n_bodies; i++)
        for (int k = m->bodies[i].iv; k < m->bodies[i].iv + m->bodies[i].nv; k++)
            printf("%-24s %12.4f %12.4f %12.4f\n", m->bodies[i].name, tau[k], dtau_dq[m->nv * k + k],
                   dtau_dv[m->nv * k + k]);

    free(q), free(v), free(a), free(tau), free(dtau_dq), free(dtau_dv);
    sva_workspace_free(w);
    sva_model_free(m);
    return 0;
}
