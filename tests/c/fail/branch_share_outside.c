// flags: --branch 5=0.5
// A share of the iterations, where there is no loop.
void once(double *a) {

  if (a[0] < 0.0) a[0] = 0.0;
}
