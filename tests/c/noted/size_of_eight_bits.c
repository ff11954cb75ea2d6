// function: total_of_few
// A size of 8 bits is at most 255, which is part of the model.
#include <stdint.h>

int total_of_few(const int *x, uint8_t n) {
  int total = 0;
  for (int i = 0; i < n; i++)
    total += x[i];
  return total;
}
