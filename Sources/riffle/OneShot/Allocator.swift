import Glibc

/// Configures the C library's allocator for a run that loads many pages.
enum Allocator {
  private static let mostArenas: (option: CInt, value: CInt) = (-8, 1)
  private static let mapAbove: (option: CInt, value: CInt) = (-3, 4 << 20)
  private static let trimAbove: (option: CInt, value: CInt) = (-1, 8 << 20)

  /// Makes all threads allocate from one heap, and keeps freed memory for the next page instead of returning
  /// it to the system, which would have to clear it again.
  ///
  /// Call this before another thread starts. A C library without these options (mallopt(3)) is left
  /// unchanged.
  static func keepMemoryForNextPages() {
    // Swift's Glibc module does not export malloc.h.
    guard let symbol = dlsym(nil, "mallopt") else { return }
    let mallopt = unsafeBitCast(symbol, to: (@convention(c) (CInt, CInt) -> CInt).self)
    for setting in [mostArenas, mapAbove, trimAbove] { _ = mallopt(setting.option, setting.value) }
  }
}
