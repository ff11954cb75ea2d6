// function: publish
// An empty piece of assembly that claims to change all of memory, so nothing may be known after it.
void publish(int n, int *a) {
  for (int i = 0; i < n; i++) {
    a[i] = i;
    __asm__ volatile("" ::: "memory");
  }
}
