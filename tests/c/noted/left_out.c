// function: gathered
// flags: --skip-refused
// The first nest goes where the data says, and is left out; the second one is read.
void gathered(int n, const int *index, const double *a, double *b) {
  for (int i = 0; i < n; i++)
    b[i] = a[index[i]];
  for (int i = 1; i < n; i++)
    b[i] += b[i - 1];
}
