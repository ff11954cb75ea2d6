// function: count_letters
// sizes: n=12; n=5
// The upper half of the characters is negative; 16 bits of a larger number have the other sign.
void count_letters(int n, double *u) {
  for (int r = 0; r < n; r++)
    for (int i = 0; i < 256; i++) {
      signed char c = i;
      if (c >= 'a' && c <= 'z')
        u[c] += 1;
      else if (c < 0)
        u[r] -= 1;
      else if ((unsigned char)c == 65)
        u[0] += 2;
    }
  for (int i = 0; i < 60000; i += 1000) {
    short s = i;
    u[s < 0 ? s / 1024 + 40 : s / 1024] += 1;
  }
  for (int i = 0; i < 256; i++) {
    unsigned char c = i;
    if (c == 200)
      u[100] += 1;
    switch (c) {
    case 250:
      u[101] += 1;
      break;
    case 3:
      u[102] += 1;
      break;
    }
  }
}

#ifdef TRACED
#include <stdlib.h>

void trace_start(void);
void trace_stop(void);

int main(int argc, char **argv) {
  if (argc < 2) return 2;
  long n = atol(argv[1]);
  double *u = aligned_alloc(64, ((160) * sizeof(double) + 64) / 64 * 64);
  for (long i = 0; i < (160); i++) u[i] = i % 7 + 1;
  trace_start();
  count_letters(n, u);
  trace_stop();
  free(u);
  return 0;
}
#endif
