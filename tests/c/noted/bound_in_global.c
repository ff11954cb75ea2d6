// function: scale
// The bound is a global variable that any other file may set, so it is data and no parameter.
int count;

void scale(double *a, double f) {
  for (int i = 0; i < count; i++)
    a[i] *= f;
}
