// function: kernel
// An inlined function copies a local structure that it is given by reference: its members are in registers.
typedef struct {
  double re, im;
} complex_number;

static complex_number twice(const complex_number *x) {
  complex_number r = *x;
  r.re *= 2;
  return r;
}

void kernel(int n, complex_number *restrict a) {
  for (int i = 0; i < n; i++) {
    complex_number u = {a[i].re, a[i].im};
    complex_number r = twice(&u);
    a[i].re = r.re;
    a[i].im = r.im;
  }
}
