/* A program outside of the project that uses the installed library. */
#include <stdio.h>
#include <string.h>
#include <sva.h>
#include <sva_kernel.h>

static const char lever[] = "sva 1\n"
                            "body -1 revolute hinge\n"
                            "  axis 0 1 0\n"
                            "  mass 2\n"
                            "  moment 1 0 0\n";

int main(void)
{
    sva_text_error error;
    sva_model *m = sva_model_parse(lever, strlen(lever), &error);
    if (!m) return fprintf(stderr, "line %d: %s\n", error.line, error.message), 1;
    sva_workspace *w = sva_workspace_new(m);
    double q = 0, v = 0, a = 0, tau;
    sva_rnea(m, w, &q, &v, &a, NULL, &tau);
    printf("sva %s: %.3f\n", sva_version(), tau);
    sva_workspace_free(w);
    sva_model_free(m);
    return strcmp(sva_version(), SVA_VERSION) != 0;
}
