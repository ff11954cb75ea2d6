// function: from_the_end
// The loop ends only because the unsigned counter wraps around below zero and is then no longer less than n.
void from_the_end(unsigned n, double *a) {
  for (unsigned i = n - 1; i < n; i -= 2)
    a[i] = 0.0;
}
