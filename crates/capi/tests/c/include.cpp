// The header in C++.
#include "symloc.h"

int main() { return symloc_abi_version() == SYMLOC_ABI_VERSION && !symloc_model_load(nullptr, nullptr) ? 0 : 1; }
