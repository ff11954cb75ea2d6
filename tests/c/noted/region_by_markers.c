# 1 "region.c"
# 1 "<built-in>" 1
# 1 "<command line>" 1
# 1 "region.c" 2
// function: kernel
// A file that is preprocessed: the pragmas are on lines of the file that it was made of.
# 1 "empty.h" 1
# 4 "region.c" 2
void kernel(int n, double *restrict a, const double *restrict b) {
  for (int i = 0; i < n; i++)
    a[i] = b[i];
#pragma scop
  for (int i = 0; i < n; i++)
    a[i] += b[i];
#pragma endscop
}
