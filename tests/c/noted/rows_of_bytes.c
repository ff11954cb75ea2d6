// function: scale_rows
// Rows of so many bytes with elements of four: as these are aligned, so are the rows.
#include <stddef.h>

void scale_rows(int h, int w, size_t stride, char *image, float by) {
  for (int y = 0; y < h; y++)
    for (int x = 0; x < w; x++)
      *(float *)(image + y * stride + x * sizeof(float)) *= by;
}
