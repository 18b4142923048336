/* One line on the terminal that says what takes so long; nothing where standard error is no terminal. */
#ifndef PROGRESS_H
#define PROGRESS_H

#include <stdbool.h>

void progress(bool wanted, const char *format, ...) __attribute__((format(printf, 2, 3)));
void progress_end(bool wanted); /* wipes it */

#endif
