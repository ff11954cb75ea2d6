// flags: --parallel marked
// function: scale
// The end of the loop is read once, so that threads share as many iterations as there are.
struct vector {
  int size;
  double *elements;
};
void scale(const struct vector *restrict v, double factor) {
#pragma omp parallel for
  for (int i = 0; i < v->size; i++) v->elements[i] *= factor;
}
