// function: sum
// Where the vector's elements are and how many, the object in memory says; they are no sizes of the function.
#include <vector>

double sum(const std::vector<double> &v) {
  double s = 0.0;
  for (std::size_t i = 0; i < v.size(); ++i)
    s += v[i];
  return s;
}
