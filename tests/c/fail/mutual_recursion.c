// function: even_part
// Two functions call each other.
static double odd_part(int n, const double *a);

double even_part(int n, const double *a) { return n <= 0 ? 0.0 : a[0] + odd_part(n - 1, a + 1); }

static double odd_part(int n, const double *a) { return n <= 0 ? 0.0 : -a[0] + even_part(n - 1, a + 1); }
