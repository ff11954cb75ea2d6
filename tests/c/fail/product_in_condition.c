// function: maxpool
// Windows at the border are cut off: which elements they have depends on a product of a counter and a parameter.
void maxpool(int n, int size, int stride, int pad, const float *in, float *out) {
  for (int i = 0; i < n; i++) {
    float most = -1e30f;
    for (int k = 0; k < size; k++) {
      int at = i * stride + k - pad;
      if (at >= 0 && at < n && in[at] > most)
        most = 0;
    }
    out[i] = most;
  }
}
