// flags: --function scaled
/* void scaled(int n, double *a) {
  for (int i = 0; i < n; i++) a[i] *= 2.0;
} */
void shifted(int n, double *a) {
  for (int i = 0; i < n; i++) a[i] += 1.0; // scaled(n, a) {
}
