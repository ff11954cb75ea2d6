// function: sum_list
// A list is followed from node to node; the addresses are data.
struct node {
  double value;
  struct node *next;
};

double sum_list(const struct node *head) {
  double s = 0.0;
  for (const struct node *p = head; p; p = p->next)
    s += p->value;
  return s;
}
