#include "fixture.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

const shipped shipped_robots[] = {
    {"double_pendulum", "robots/double_pendulum.yaml", BASE_FIXED},
    {"ur3", "robots/ur3.yaml", BASE_FIXED},
    {"ur5", "robots/ur5.yaml", BASE_FIXED},
    {"kuka_lwr", "robots/kuka_lwr.yaml", BASE_FIXED},
    {"iiwa14", "robots/iiwa14.yaml", BASE_FIXED},
    {"panda", "robots/panda.yaml", BASE_FIXED},
    {"baxter", "robots/baxter.yaml", BASE_FIXED},
    {"solo12", "robots/solo12.yaml", BASE_FIXED},
    {"solo12 floating", "robots/solo12.yaml", BASE_FLOATING},
    {"hyq", "robots/hyq.yaml", BASE_FIXED},
    {"hyq floating", "robots/hyq.yaml", BASE_FLOATING},
    {"atlas", "robots/atlas.yaml", BASE_FIXED},
    {"atlas floating", "robots/atlas.yaml", BASE_FLOATING},
    {"talos", "robots/talos.yaml", BASE_FIXED},
    {"talos floating", "robots/talos.yaml", BASE_FLOATING},
    {NULL, NULL, BASE_AS_FILE},
};

fixture fixture_model(arena *memory, model *m)
{
    fixture f = {.memory = memory, .model = m};
    sva_status status = SVA_OK;
    f.sva = m ? sva_model_from(m, &status) : NULL;
    if (status != SVA_OK) fprintf(stderr, "%s: %s\n", m->name, sva_message(status));
    return f;
}

fixture fixture_robot(const char *path, model_options options)
{
    arena *memory = arena_new();
    diag d = diag_new(memory);
    robot *r = robot_read(memory, path, &(read_options){0}, &d);
    fixture f = fixture_model(memory, r ? model_build(memory, r, &options, &d) : NULL);
    diag_print(&d, DIAG_ERROR, stderr);
    return f;
}

fixture fixture_chain(int n, int branching)
{
    arena *memory = arena_new();
    diag d = diag_new(memory);
    return fixture_model(memory, model_build(memory, robot_chain(memory, n, branching), &(model_options){0}, &d));
}

void fixture_free(fixture *f)
{
    sva_model_free(f->sva);
    arena_free(f->memory);
}

double relative_error(int n, const double x[], const double y[])
{
    double error = 0, size = 0;
    for (int i = 0; i < n; i++) {
        if (!isfinite(x[i]) || !isfinite(y[i])) return INFINITY;
        error = fmax(error, fabs(x[i] - y[i]));
        size = fmax(size, fabs(y[i]));
    }
    return size > 0 ? error / size : error;
}

bool quick(void)
{
    const char *wish = getenv("SVAGEN_QUICK");
    return wish && strcmp(wish, "0") != 0;
}
