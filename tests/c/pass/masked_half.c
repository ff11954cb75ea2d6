// function: pairs
// flags: --registers optimized
// sizes: n=1; n=19; n=64
// The optimiser writes 2*(i/4) with a shift and a mask that leaves 62 bits.
double pairs(long n, double *b) {
  double sum = 0;
  for (long i = 0; i < n; i++)
    sum += b[2 * (i / 4) + i % 2];
  return sum;
}
