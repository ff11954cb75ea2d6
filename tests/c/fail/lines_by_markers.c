// function: kernel
// Line markers name the places, and the text of a line is the one that they name.
void kernel(int n, double *restrict a, const double *restrict b) {
#line 500 "rules.y"
  for (int i = 0; i < n; i++)
    a[i * i] = b[i];
#line 3 "tests/c/fail/lines_by_markers.c"
  for (int i = 0; i < n; i++)
    if (b[i] > 0.0)
      a[i] += b[i];
}
