// function: nothing
// The function makes no access at all, so there is no locality to derive.
void nothing(int n) { (void)n; }
