// An MLIR pass that asks symloc which order of a loop nest misses least, and takes that one.
//
//     mlir-opt matmul.mlir --load-pass-plugin=./libLoopOrder.so
//         --pass-pipeline='builtin.module(func.func(symloc-loop-order{cache-lines=512}))'
//
// It is a shared library: c++ -std=c++17 -fPIC -fno-rtti -shared -I$(llvm-config-22 --includedir) -Icrates/capi/include LoopOrder.cpp
// -lMLIR -lLLVM target/release/libsymloc_capi.a.
//
// Each legal order is derived by the program `symloc` (SYMLOC names another one), and its model is asked by the library for C. The
// functions have constant sizes; with symbolic ones a compiler would ask at the sizes that it expects.

#include <cstdint>
#include <cstdlib>
#include <numeric>
#include <optional>
#include <string>

#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Affine/LoopUtils.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Tools/Plugins/PassPlugin.h"
#include "symloc.h"

using namespace mlir;

namespace {

using Order = SmallVector<unsigned>;

/// A file that is removed at the end.
class ScratchFile {
public:
  explicit ScratchFile(StringRef suffix) { failed = bool(llvm::sys::fs::createTemporaryFile("symloc", suffix, path)); }
  ~ScratchFile() { llvm::sys::fs::remove(path); }
  SmallString<128> path;
  bool failed;
};

/// Derives a model of a function with `symloc derive`.
bool derive(func::FuncOp function, StringRef model) {
  ScratchFile source("mlir");
  if (source.failed)
    return false;
  {
    std::error_code error;
    llvm::raw_fd_ostream out(source.path, error);
    if (error)
      return false;
    out << "module {\n";
    function.print(out);
    out << "\n}\n";
  }
  const char *named = std::getenv("SYMLOC");
  auto program = llvm::sys::findProgramByName(named ? named : "symloc");
  if (!program)
    return false;
  StringRef arguments[] = {*program, "derive", source.path, "-o", model};
  return llvm::sys::ExecuteAndWait(*program, arguments) == 0;
}

/// The misses of a function in a cache of so many lines; none if symloc cannot tell.
std::optional<uint64_t> misses(func::FuncOp function, uint64_t lines) {
  ScratchFile file("loc.json");
  if (file.failed || !derive(function, file.path))
    return std::nullopt;
  symloc_model *model = symloc_model_load(file.path.c_str(), nullptr);
  symloc_evaluator *evaluator = model ? symloc_evaluator_new(model, 0, 0, nullptr) : nullptr;
  symloc_misses answer = {};
  bool known = evaluator && symloc_evaluator_query(evaluator, nullptr, 0, 1, &lines, 1, SYMLOC_DEFAULT, &answer,
                                                   nullptr) == SYMLOC_OK;
  symloc_evaluator_free(evaluator);
  symloc_model_free(model);
  return known ? std::optional<uint64_t>(answer.misses) : std::nullopt;
}

/// The first perfect nest of a function, outermost loop first.
SmallVector<affine::AffineForOp> firstNest(func::FuncOp function) {
  SmallVector<affine::AffineForOp> nest;
  auto loops = function.getOps<affine::AffineForOp>();
  if (!loops.empty())
    affine::getPerfectlyNestedLoops(nest, *loops.begin());
  return nest;
}

struct LoopOrder : PassWrapper<LoopOrder, OperationPass<func::FuncOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(LoopOrder)

  LoopOrder() = default;
  LoopOrder(const LoopOrder &other) : PassWrapper(other) {}

  StringRef getArgument() const final { return "symloc-loop-order"; }
  StringRef getDescription() const final { return "Brings the first loop nest into the order that misses least"; }

  Option<uint64_t> cacheLines{*this, "cache-lines", llvm::cl::desc("The lines of the cache"), llvm::cl::init(512)};

  void runOnOperation() final {
    func::FuncOp function = getOperation();
    SmallVector<affine::AffineForOp> nest = firstNest(function);
    if (nest.size() < 2)
      return;
    Order order(nest.size());
    std::iota(order.begin(), order.end(), 0);
    std::optional<uint64_t> least;
    Order best = order;
    do {
      if (!affine::isValidLoopInterchangePermutation(nest, order))
        continue;
      OwningOpRef<func::FuncOp> candidate(cast<func::FuncOp>(function->clone()));
      affine::permuteLoops(firstNest(*candidate), order);
      std::optional<uint64_t> found = misses(*candidate, cacheLines);
      if (found && (!least || *found < *least)) {
        least = found;
        best = order;
      }
    } while (std::next_permutation(order.begin(), order.end()));
    if (!least) {
      function.emitWarning("symloc derives no model of this function");
      return;
    }
    affine::permuteLoops(nest, best);
    function->setAttr("symloc.misses", IntegerAttr::get(IntegerType::get(&getContext(), 64), int64_t(*least)));
  }
};

} // namespace

extern "C" LLVM_ATTRIBUTE_WEAK PassPluginLibraryInfo mlirGetPassPluginInfo() {
  return {MLIR_PLUGIN_API_VERSION, "symloc-loop-order", "1", [] { PassRegistration<LoopOrder>(); }};
}
