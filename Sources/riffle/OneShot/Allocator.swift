import Glibc

/// The C library's allocator, set for a run whose pages come and go.
enum Allocator {
  private static let mostArenas: (option: CInt, value: CInt) = (-8, 1)
  private static let mapAbove: (option: CInt, value: CInt) = (-3, 4 << 20)
  private static let trimAbove: (option: CInt, value: CInt) = (-1, 8 << 20)

  /// Pages take their memory from one heap, whichever thread they are on, and what they give back is kept for the
  /// next instead of being returned to the system, which would have to clear it again.
  ///
  /// Call it before another thread starts. A C library without these options (mallopt(3)) is left as it is.
  static func keepMemoryForNextPages() {
    // Swift's module of the C library leaves malloc.h out.
    guard let symbol = dlsym(nil, "mallopt") else { return }
    let mallopt = unsafeBitCast(symbol, to: (@convention(c) (CInt, CInt) -> CInt).self)
    for setting in [mostArenas, mapAbove, trimAbove] { _ = mallopt(setting.option, setting.value) }
  }
}
