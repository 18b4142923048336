/* Running the built program. Arguments are a piece of shell. */
#ifndef COMMAND_H
#define COMMAND_H

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>

typedef struct command {
    int status;
    char *out; /* to be freed */
} command;

static inline command run_shell(const char *line)
{
    command c = {0};
    size_t size;
    FILE *copy = open_memstream(&c.out, &size), *pipe = popen(line, "r");
    ck_assert_ptr_nonnull(pipe);
    for (int ch; (ch = fgetc(pipe)) != EOF;) fputc(ch, copy);
    fclose(copy);
    int status = pclose(pipe);
    ck_assert_msg(WIFEXITED(status), "%s: killed", line);
    c.status = WEXITSTATUS(status);
    return c;
}

/* Both streams are in `out`. */
static inline command run_svagen(const char *arguments)
{
    char line[4096];
    int n = snprintf(line, sizeof line, "'%s' %s 2>&1", SVAGEN_BINARY, arguments);
    ck_assert_int_lt(n, (int)sizeof line);
    return run_shell(line);
}

#endif
