// function: histogram
// The bin is computed from a pixel's value, so the subscript depends on data.
void histogram(int n, const unsigned char *pixel, int bins[256]) {
  for (int i = 0; i < n; i++)
    bins[pixel[i]]++;
}
