#include "progress.h"

#include <stdarg.h>
#include <stdio.h>
#include <unistd.h>

#define WIPE "\r\033[K"

void progress(bool wanted, const char *format, ...)
{
    if (!wanted || !isatty(STDERR_FILENO)) return;
    char text[80]; /* longer ones would wrap */
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    fprintf(stderr, WIPE "%s", text);
    fflush(stderr);
}

void progress_end(bool wanted)
{
    if (wanted && isatty(STDERR_FILENO)) fputs(WIPE, stderr);
}
