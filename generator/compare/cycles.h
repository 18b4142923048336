/* The processor's own count of cycles, of this program and outside the system. */
#ifndef CYCLES_H
#define CYCLES_H

int cycles_open(void);           /* a file, -1 where the system or the machine does not count */
double cycles_read(int counter); /* 0 without one */
void cycles_close(int counter);

#endif
