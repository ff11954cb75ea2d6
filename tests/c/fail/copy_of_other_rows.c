// function: flatten
// The copy is in the order of memory: whole rows of one array, but parts of rows of the other one.
#include <stdlib.h>
#include <string.h>

void flatten(float *x, int size, int layers, int batch) {
  float *swap = calloc(size * layers * batch, sizeof(float));
  for (int b = 0; b < batch; ++b)
    for (int c = 0; c < layers; ++c)
      for (int i = 0; i < size; ++i)
        swap[b * layers * size + i * layers + c] = x[b * layers * size + c * size + i];
  memcpy(x, swap, size * layers * batch * sizeof(float));
  free(swap);
}
