// function: upwind
// flags: --branch 6=0.5 --branch 8=0
// The user says how often the condition holds by which a subscript is chosen, with ?: and with if.
void upwind(int n, const double *restrict flux, const double *restrict v, double *restrict out) {
  for (int i = 1; i < n - 1; i++) {
    int donor = flux[i] > 0.0 ? i - 1 : i;
    int other;
    if (flux[i + 1] > 0.0)
      other = i;
    else
      other = i + 1;
    out[i] = v[donor] - v[other];
  }
}
