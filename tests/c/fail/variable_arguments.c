// function: sum_arguments
// The arguments of a variadic function are read from where the calling convention put them.
#include <stdarg.h>

double sum_arguments(int n, ...) {
  va_list list;
  double s = 0.0;
  va_start(list, n);
  for (int i = 0; i < n; i++)
    s += va_arg(list, double);
  va_end(list);
  return s;
}
