// function: narrow
// A counter of eight bits for any size: beyond 255 it wraps around and the loop does not end.
void narrow(int n, double *a) {
  for (unsigned char i = 0; i < n; i++)
    a[i] = 0.0;
}
