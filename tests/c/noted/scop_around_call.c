// function: clear_first
// What is inlined belongs to the line of its call: the call inside counts, the one behind does not.
static void zero(int n, double *a) {
  for (int i = 0; i < n; i++)
    a[i] = 0.0;
}

void clear_first(int n, double *restrict a, double *restrict b) {
#pragma scop
  zero(n, a);
#pragma endscop
  zero(n, b);
}
