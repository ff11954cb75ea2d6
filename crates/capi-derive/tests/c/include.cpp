// The header in C++.
#include "symloc-derive.h"

int main() { return symloc_derive_file(nullptr, nullptr, nullptr) == nullptr ? 0 : 1; }
