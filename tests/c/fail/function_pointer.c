// function: apply
// The function that gets the element's address is a parameter: nobody knows what it accesses.
void apply(int n, double *a, void (*f)(double *)) {
  for (int i = 0; i < n; i++)
    f(&a[i]);
}
