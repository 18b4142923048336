/* How operation counts grow on the papers' trees, N links with 1, 2 or 5 children each. The counts are exact, so they
   are polynomials of the tree's sizes, and the polynomial says what the complexity is:
       N        bodies
       pairs    of a body and itself or one above it: at most N d
       triples  of a body and two of those: at most N d^2 / 2 */
#include "suite.h"
#include <math.h>
#include <string.h>
#include "command.h"
#include "counts.h"
#include "fixture.h"

enum { TERMS = 4 };

typedef struct sizes {
    double n, pairs, triples, squares;
} sizes;

static sizes sizes_of(const sva_model *m)
{
    sizes s = {.n = m->n_bodies, .squares = (double)m->n_bodies * m->n_bodies};
    for (int i = 0; i < m->n_bodies; i++) {
        double d = m->bodies[i].depth + 1;
        s.pairs += d;
        s.triples += d * (d + 1) / 2;
    }
    return s;
}

typedef struct sample {
    sizes at;
    double operations;
} sample;

static const int branchings[] = {1, 2, 5};
static const int lengths[] = {10, 20, 50, 100, 200, 500};
enum { BRANCHINGS = 3, LENGTHS = 6 };

static int take_samples(counted_algorithm algorithm, int longest, sample out[])
{
    int count = 0;
    for (int b = 0; b < BRANCHINGS; b++)
        for (int k = 0; k < LENGTHS && lengths[k] <= longest; k++) {
            fixture f = fixture_chain(lengths[k], branchings[b]);
            operation_counts c = count_operations(f.sva, algorithm);
            out[count] = (sample){.at = sizes_of(f.sva)};
            out[count].operations = (double)(c.adds + c.muls + c.divs + c.funcs);
            ck_assert(out[count].operations > 0);
            count++;
            fixture_free(&f);
        }
    return count;
}

/* x with A x = b, by elimination with pivots. */
static void solve(double A[TERMS][TERMS], double b[TERMS], double x[TERMS])
{
    for (int k = 0; k < TERMS; k++) {
        int p = k;
        for (int i = k + 1; i < TERMS; i++)
            if (fabs(A[i][k]) > fabs(A[p][k])) p = i;
        for (int j = 0; j < TERMS; j++) {
            double t = A[k][j];
            A[k][j] = A[p][j];
            A[p][j] = t;
        }
        double t = b[k];
        b[k] = b[p];
        b[p] = t;
        for (int i = k + 1; i < TERMS; i++) {
            double f = A[i][k] / A[k][k];
            for (int j = k; j < TERMS; j++) A[i][j] -= f * A[k][j];
            b[i] -= f * b[k];
        }
    }
    for (int i = TERMS - 1; i >= 0; i--) {
        x[i] = b[i];
        for (int j = i + 1; j < TERMS; j++) x[i] -= A[i][j] * x[j];
        x[i] /= A[i][i];
    }
}

/* Terms: 1, N, pairs, and the one asked for (triples, squares, or nothing new). */
static void terms(const sample *s, double top, double x[TERMS])
{
    x[0] = 1;
    x[1] = s->at.n;
    x[2] = s->at.pairs;
    x[3] = top;
}

/* The largest relative residual of the least-squares polynomial, each sample weighted by its size. */
static double misfit(int n, const sample s[], double (*top)(const sample *), double c[TERMS])
{
    double A[TERMS][TERMS] = {{0}}, b[TERMS] = {0}, x[TERMS], worst = 0;
    for (int k = 0; k < n; k++) {
        terms(&s[k], top(&s[k]), x);
        double weight = 1 / (s[k].operations * s[k].operations);
        for (int i = 0; i < TERMS; i++) {
            for (int j = 0; j < TERMS; j++) A[i][j] += weight * x[i] * x[j];
            b[i] += weight * x[i] * s[k].operations;
        }
    }
    solve(A, b, c);
    for (int k = 0; k < n; k++) {
        double fit = 0;
        terms(&s[k], top(&s[k]), x);
        for (int i = 0; i < TERMS; i++) fit += c[i] * x[i];
        worst = fmax(worst, fabs(fit / s[k].operations - 1));
    }
    return worst;
}

static double squares(const sample *s) { return s->at.squares; }
static double triples(const sample *s) { return s->at.triples; }

/* The counts are c0 + c1 N + c2 pairs + c3 top, to `allowed`; terms that must not be there are below 1e-3. */
static void grows(counted_algorithm algorithm, int longest, double (*top)(const sample *), double allowed, int last)
{
    sample s[BRANCHINGS * LENGTHS];
    double c[TERMS];
    int n = take_samples(algorithm, longest, s);
    double worst = misfit(n, s, top, c);
    ck_assert_msg(worst < allowed, "%s: misfit %.2g; %g + %g N + %g pairs + %g top", counted_names[algorithm], worst,
                  c[0], c[1], c[2], c[3]);
    for (int i = 1; i < TERMS; i++)
        ck_assert_msg(i <= last || fabs(c[i]) < 1e-3, "%s: term %d is %g", counted_names[algorithm], i, c[i]);
}

START_TEST(linear)
{
    grows(COUNT_RNEA, 500, squares, 1e-9, 1);
    grows(COUNT_ABA, 500, squares, 1e-9, 1);
}
END_TEST

/* N d */
START_TEST(idsva)
{
    grows(COUNT_IDSVA, 500, squares, 1e-9, 2);
    grows(COUNT_CRBA, 500, squares, 1e-9, 2);
}
END_TEST

/* N^2; columns are treated in blocks, which shows at small N. */
START_TEST(fdsva) { grows(COUNT_FDSVA_AZA, 500, squares, 0.05, 3); }
END_TEST

/* N d^2 */
START_TEST(idsva_so) { grows(COUNT_IDSVA_SO, quick() ? 100 : 200, triples, 1e-9, 3); }
END_TEST

/* The program counts the same. */
START_TEST(printed)
{
    command c = run_svagen("bench complexity --links 10 --csv");
    ck_assert_int_eq(c.status, 0);
    for (int k = 0; k < COUNTED_ALGORITHMS; k++) {
        fixture f = fixture_chain(10, 2);
        operation_counts n = count_operations(f.sva, (counted_algorithm)k);
        char row[200];
        snprintf(row, sizeof row, "\n\"chain_10_2\",10,%d,%s,%ld,%ld,%ld,%ld,", f.sva->depth, counted_names[k], n.adds,
                 n.muls, n.divs, n.funcs);
        ck_assert_msg(strstr(c.out, row), "no %s in\n%s", row + 1, c.out);
        fixture_free(&f);
    }
    free(c.out);
}
END_TEST

SUITE("complexity", linear, idsva, fdsva, idsva_so, printed)
