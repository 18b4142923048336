#include "contest.h"

#include <time.h>
#include "cycles.h"

typedef struct reading {
    double ns, cycles;
} reading;

static double clock_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return 1e9 * (double)t.tv_sec + (double)t.tv_nsec;
}

/* One round, for all of its states. The clock is read nearer to the work, for reading it is cheaper. */
static reading run_round(const contestant *c, int counter)
{
    double cycles = cycles_read(counter), ns = clock_ns();
    for (int i = 0; i < c->repeats; i++) c->run(c->subject);
    ns = clock_ns() - ns;
    return (reading){ns, cycles_read(counter) - cycles};
}

static void keep_least(double *least, double x)
{
    if (x > 0 && (*least == 0 || x < *least)) *least = x;
}

static void take_turn(contestant *c, int counter)
{
    if (!c->run) return;
    reading r = run_round(c, counter);
    double states = (double)c->repeats * c->states;
    keep_least(&c->ns, r.ns / states);
    keep_least(&c->cycles, r.cycles / states);
}

/* A round long enough that reading the clock does not count. */
static void calibrate(contestant *c)
{
    const double length = 30e3;
    c->ns = c->cycles = 0;
    for (c->repeats = 1; c->run && c->repeats < 1 << 20; c->repeats *= 2)
        if (run_round(c, -1).ns > length) return;
}

void contest(contestant *list, int n, int turns, int counter)
{
    for (int i = 0; i < n; i++) calibrate(&list[i]);
    for (int i = 0; i < turns * n; i++) take_turn(&list[i % n], counter);
}
