// function: ring
// The conversion is taken to keep the value: the model is right for n up to 256, and nothing says so.
void ring(int n, double *a) {
  for (int i = 0; i < n; i++)
    a[(unsigned char)i] = 0.0;
}
