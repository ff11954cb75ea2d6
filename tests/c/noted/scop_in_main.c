// The pragmas stand in `main`, so it is read, though the function before it is the one that nobody but `main` calls.
#include <stdio.h>

struct span {
  long seconds, nanoseconds;
};

static double heat[2][120][120];

int carries(struct span *from, struct span *to) {
  if (to->nanoseconds < from->nanoseconds)
    to->nanoseconds += 1000000000;
  return to->seconds > from->seconds;
}

int main(void) {
  struct span from = {0, 7}, to = {1, 3};
#pragma scop
  for (int t = 0; t < 30; t++)
    for (int i = 1; i < 119; i++)
      for (int j = 1; j < 119; j++)
        heat[(t + 1) % 2][i][j] = 0.5 * (heat[t % 2][i - 1][j] + heat[t % 2][i + 1][j]);
#pragma endscop
  printf("%d %f\n", carries(&from, &to), heat[0][1][1]);
  return 0;
}
