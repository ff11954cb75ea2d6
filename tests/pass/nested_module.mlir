// A function in a module in a module, next to declarations.
module {
  func.func private @declared(index)
  module @inner {
    func.func @nested(%n: index, %A: memref<?xf64>) {
      affine.for %i = 0 to %n {
        %x = affine.load %A[%i] : memref<?xf64>
      }
      return
    }
  }
}
