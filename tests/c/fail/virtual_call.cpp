// function: draw_all
// Which function is called depends on the object's type at run time.
struct Shape {
  virtual double area(const double *parameters) const = 0;
};

extern "C" double draw_all(int n, const Shape *shape, const double *parameters) {
  double s = 0.0;
  for (int i = 0; i < n; ++i)
    s += shape->area(parameters + 2 * i);
  return s;
}
