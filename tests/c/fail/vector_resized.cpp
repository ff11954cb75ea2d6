// function: collect
// A vector that grows has no size that is known beforehand.
#include <vector>

void collect(std::vector<double> &v, int n) {
  for (int i = 0; i < n; ++i)
    v.push_back(i);
}
