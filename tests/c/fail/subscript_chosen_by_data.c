// function: upwind
// Which element is read depends on data; the user may say how often.
void upwind(int n, const double *restrict flux, const double *restrict v, double *restrict out) {
  for (int i = 1; i < n - 1; i++) {
    int donor;
    if (flux[i] > 0.0)
      donor = i - 1;
    else
      donor = i;
    out[i] = v[donor];
  }
}
