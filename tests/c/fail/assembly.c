// function: rotate
// Inline assembly; what it does is not known, even if it says that it touches registers only.
void rotate(int n, unsigned *a) {
  for (int i = 0; i < n; i++) {
    unsigned v = a[i];
    __asm__("roll $5, %0" : "+r"(v));
    a[i] = v;
  }
}
