// function: sieve
// The outer loop runs to the root of the size, and the step of the inner one is the outer iterator.
void sieve(int n, char *composite) {
  for (int i = 2; i * i <= n; i++)
    for (int j = i * i; j <= n; j += i)
      composite[j] = 1;
}
