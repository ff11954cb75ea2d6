// function: ring
// Where the converted number stays below 256 is not known, so it may wrap around.
void ring(int n, double *a) {
  for (int i = 0; i < n; i++)
    a[(unsigned char)i] = 0.0;
}
