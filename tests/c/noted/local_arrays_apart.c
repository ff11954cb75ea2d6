// function: twice_each
// Local arrays of scopes that do not overlap, by blocks and by calls: a compiler may lay them in the same memory.
static void reverse(double *a) {
  double scratch[16];
  for (int i = 0; i < 16; i++) scratch[i] = a[15 - i];
  for (int i = 0; i < 16; i++) a[i] = scratch[i];
}

void twice_each(double *a) {
  double whole[16];
  for (int i = 0; i < 16; i++) whole[i] = a[i];
  {
    double first[8];
    for (int i = 0; i < 8; i++) first[i] = a[i];
    for (int i = 0; i < 8; i++) a[i + 8] = first[i];
  }
  {
    double second[8];
    for (int i = 0; i < 8; i++) second[i] = a[i + 8];
    for (int i = 0; i < 8; i++) a[i] = second[i] + whole[i];
  }
  reverse(a);
  reverse(a);
}
