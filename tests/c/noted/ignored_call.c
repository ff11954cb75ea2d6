// function: reported
// flags: --ignore-calls report
// The user says that a function that is defined elsewhere touches none of the arrays.
void report(int step);

void reported(int n, double *a) {
  for (int i = 0; i < n; i++) {
    a[i] += 1.0;
    report(i);
  }
}
