/* Numbers as text: read strictly, printed so that they read back to the same bits. Both whatever the locale is. */
#ifndef NUMBER_H
#define NUMBER_H

#include <stdbool.h>
#include <stddef.h>

enum { NUMBER_SIZE = 32 }; /* of a buffer that holds any printed number */

/* The whole text is one finite decimal number: [+-] digits [. digits] [e [+-] digits], at least one digit before the
   exponent. No blanks, hexadecimal, nan, inf, nor values beyond the largest double. */
bool number_parse(const char *text, size_t length, double *value);

/* The shortest of %.15g to %.17g that reads back to the same bits (minus zero is -0). Returns buffer. */
const char *number_print(char buffer[NUMBER_SIZE], double value);

/* The same for a float, of %.6g to %.9g. */
const char *number_print_float(char buffer[NUMBER_SIZE], float value);

#endif
