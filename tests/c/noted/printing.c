// function: show
// printf is a function of the library that may access any memory, for all that is known.
#include <stdio.h>

void show(int n, const double *a) {
  for (int i = 0; i < n; i++)
    printf("%g\n", a[i]);
}
