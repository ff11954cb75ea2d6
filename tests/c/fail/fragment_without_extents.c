// Loops without a function or declarations: how long rows are is told nowhere.
#pragma scop
for (i = 0; i < N; i++)
  for (j = 0; j < N; j++)
    y[i] += A[i][j] * x[j];
#pragma endscop
