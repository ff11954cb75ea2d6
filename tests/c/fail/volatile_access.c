// function: poll
// Accesses to a device register are volatile: each one is an effect of its own, not a use of a cache.
void poll(int n, volatile unsigned *port, unsigned *out) {
  for (int i = 0; i < n; i++)
    out[i] = *port;
}
