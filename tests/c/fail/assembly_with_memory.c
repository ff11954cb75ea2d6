// function: increment
// Inline assembly that reads and writes an element of the array.
void increment(int n, long *a) {
  for (int i = 0; i < n; i++)
    __asm__("addq $1, %0" : "+m"(a[i]));
}
