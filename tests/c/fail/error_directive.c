// function: scale
// The file refuses to be compiled without a macro.
#ifndef PRECISION
#error "define PRECISION as float or double"
#endif

void scale(int n, PRECISION *a) {
  for (int i = 0; i < n; i++)
    a[i] *= 2;
}
