/* What must hold inside the generator whatever its input. It is checked in every build: a broken invariant would end in
   wrong C, and the checks cost nothing beside the rest. */
#ifndef INVARIANT_H
#define INVARIANT_H

#include <stdbool.h>

enum { INVARIANT_EXIT = 70 }; /* EX_SOFTWARE of sysexits.h */

#define INVARIANT(condition) ((condition) ? (void)0 : invariant_broken(#condition, __FILE__, __LINE__))

/* Says so on the standard error and ends the program. Folders are written at the very end, so nothing is half there. */
_Noreturn void invariant_broken(const char *condition, const char *file, int line);

#endif
