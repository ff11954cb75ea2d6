// Every pixel becomes a square of `step` pixels.
void upsample(int rows, int columns, int step, const float *restrict from, float *restrict to) {
  for (int r = 0; r < rows * step; r++)
    for (int c = 0; c < columns * step; c++)
      to[r * columns * step + c] = from[r / step * columns + c / step];
}
