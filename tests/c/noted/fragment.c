// Loops without a function. What is declared nowhere is a size, or a counter where something is assigned to it.
#include <math.h>

float u[L][L][M];
float v[L][L][M]; /* a loop in a comment: for (;;) */
float weight = 0.25f;

#pragma scop
for (k = 1; k < L - 1; ++k)
  for (int j = 1; j < L - 1; ++j)
    for (i = 0; i < M; i++)
      v[k][j][i] = sqrtf(u[k - 1][j][i] + u[k + 1][j][i]) * weight + last;
#pragma endscop
