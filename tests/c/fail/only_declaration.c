// function: elsewhere
// The function is declared only; its body is in another file.
void elsewhere(int n, double *a);
