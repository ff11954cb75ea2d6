// function: copy
// A structure is copied by memcpy, and its members have several sizes.
struct cell {
  double value;
  int row, column;
};

void copy(int n, struct cell *to, const struct cell *from) {
  for (int i = 0; i < n; i++) {
    to[i] = from[i];
    to[i].value += from[i].row;
  }
}
