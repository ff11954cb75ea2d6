// Loops without a function, with an error: it is told where it stands.
double a[N];
for (int i = 0; i < N; i++)
  a[i] = missing(i) +;
