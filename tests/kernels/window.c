/* A filter whose width and stride are arguments. */
void window(int n, int width, int stride, float *restrict out, const float *restrict in) {
  for (int i = 0; i < n; i++)
    for (int k = 0; k < width; k++) out[i] += in[i * stride + k];
}
