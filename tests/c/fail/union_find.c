// function: flatten
// Parents are followed until a root is met; both the path and its length are data.
void flatten(int n, int *parent) {
  for (int i = 0; i < n; i++) {
    while (parent[i] != parent[parent[i]])
      parent[i] = parent[parent[i]];
  }
}
