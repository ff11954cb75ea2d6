// function: copy
// flags: --assume-noalias
// Nothing is said of pointers that might overlap.
void copy(int n, double *to, const double *from) {
  for (int i = 0; i < n; i++)
    to[i] = from[i];
}
