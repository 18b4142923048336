#include "agreement.h"

#include <check.h>
#include <stdio.h>

static bool has_inverse(const model *m)
{
    for (const model_body *b = m->bodies; b < m->bodies + m->n_bodies; b++)
        for (int k = 0; k < b->nv && b->weightless; k++)
            if (b->armature[k] == 0) return false;
    return true;
}

int agreement_kernels(const model *m, bool defaults, int first, int stride, const kernel_info **list)
{
    int n = 0;
    for (int i = first; i < kernel_count; i += stride) {
        const kernel_info *k = &kernel_table[i];
        if ((k->by_default || !defaults) && (!k->inverse || has_inverse(m))) list[n++] = k;
    }
    list[n] = NULL;
    return n;
}

comparison agreement_compare(const model *m, const kernel_info *const *kernels, const emit_options *o,
                             const compare_options *how)
{
    comparison c;
    arena *memory = arena_new();
    diag d = diag_new(memory);
    bool ok = compare_robot(&c, m, kernels, o, how, &d);
    diag_print(&d, DIAG_ERROR, stderr);
    ck_assert_msg(ok, "%s could not be compared", m->name);
    arena_free(memory);
    return c;
}

void agreement_print(const char *name, const comparison *c)
{
    printf("%-18s", name);
    for (int i = 0; i < c->n; i++) printf(" %s %.0e", c->rows[i].kernel->name, c->rows[i].error);
    printf("\n");
}

void agreement_expect(const char *name, const comparison *c)
{
    for (const compare_row *r = c->rows; r < c->rows + c->n; r++) {
        ck_assert_msg(r->excess <= 1, "%s: %s: error %.2g, at most %.2g", name, r->kernel->name, r->error,
                      r->tolerance);
        ck_assert_msg(r->batch_ulps <= r->batch_allowed, "%s: %s: lanes differ by %g ulp", name, r->kernel->name,
                      r->batch_ulps);
        ck_assert(r->agrees);
    }
    ck_assert(c->agrees);
}

void agreement_check(const char *name, const model *m, const kernel_info *const *kernels, const emit_options *o,
                     const compare_options *how)
{
    comparison c = agreement_compare(m, kernels, o, how);
    agreement_print(name, &c);
    agreement_expect(name, &c);
    comparison_free(&c);
}
