// function: together
// Local arrays whose scopes overlap have memory of their own: there is nothing to be said.
void together(int n, double *a) {
  double outer[8];
  for (int i = 0; i < 8; i++) outer[i] = a[i];
  for (int j = 0; j < n; j++) {
    double inner[8];
    for (int i = 0; i < 8; i++) inner[i] = outer[i] + a[i];
    for (int i = 0; i < 8; i++) a[i] = inner[i];
  }
}
