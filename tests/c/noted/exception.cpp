// function: checked
// The function throws where an element is negative, so that how far it comes depends on data.
extern "C" void checked(int n, double *a) {
  for (int i = 0; i < n; ++i) {
    if (a[i] < 0.0) throw i;
    a[i] += 1.0;
  }
}
