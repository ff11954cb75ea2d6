// function: present
// The options name a function that the file does not have.
// flags: --function nosuch
void present(int n, double *a) {
  for (int i = 0; i < n; i++)
    a[i] = 0.0;
}
