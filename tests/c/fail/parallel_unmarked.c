// flags: --parallel marked
// function: scale
void scale(int n, double x[restrict n]) {
  for (int i = 0; i < n; i++)
    x[i] *= 2.0;
}
