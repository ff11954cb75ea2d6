// function: copy
// Clang copies a structure from memory to memory by the library's memcpy.
struct point {
  double x, y, z;
};

void copy(int n, struct point *to, const struct point *from) {
  for (int i = 0; i < n; i++)
    to[i] = from[i];
}
