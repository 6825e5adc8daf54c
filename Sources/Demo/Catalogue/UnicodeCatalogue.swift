/// The assigned characters of the Swift standard library's Unicode database, in code point order, with their
/// names in one byte buffer.
///
/// Private use and unassigned code points are left out. What it holds depends on the toolchain's Unicode version.
package struct UnicodeCatalogue: Sendable {
  /// Every name in upper-case ASCII, each ended by a newline; four zero bytes follow the last, so that four bytes
  /// can be read from wherever a name has one.
  let names: [UInt8]
  /// Where each row's name begins in `names`, and after the last row the end of all names.
  let starts: [UInt32]
  let codePoints: [UInt32]

  /// The catalogue of this toolchain, built at its first use by whichever thread asks (about 0.2 s): never use
  /// it first on a thread that must not wait.
  package static let standardLibrary = UnicodeCatalogue()

  private init() {
    var naming = CharacterNaming()
    var names: [UInt8] = []
    var starts: [UInt32] = []
    var codePoints: [UInt32] = []
    names.reserveCapacity(5 << 20)
    for codePoint in UInt32(0)...0x10_FFFF {
      guard let scalar = Unicode.Scalar(codePoint), let name = naming.name(of: scalar) else { continue }
      starts.append(UInt32(names.count))
      codePoints.append(codePoint)
      names.append(contentsOf: name.utf8)
      names.append(Self.nameEnd)
    }
    starts.append(UInt32(names.count))
    names.append(contentsOf: [0, 0, 0, 0])
    self.names = names
    self.starts = starts
    self.codePoints = codePoints
  }

  /// White space, so that no search word can reach over the end of a name.
  private static let nameEnd = UInt8(ascii: "\n")

  /// How many characters there are; rows are `0..<count`.
  package var count: Int { codePoints.count }

  /// The name of a row, without its end mark.
  package func name(at row: Int) -> String {
    String(decoding: names[Int(starts[row])..<Int(starts[row + 1]) - 1], as: UTF8.self)
  }

  /// The row of a code point; nil when the catalogue has none. O(log n).
  package func row(of codePoint: UInt32) -> Int? {
    let row = firstRow(notBefore: codePoint)
    return row < count && codePoints[row] == codePoint ? row : nil
  }

  /// The first row whose code point is not smaller; `count` when all are. O(log n).
  func firstRow(notBefore codePoint: UInt32) -> Int {
    var low = 0
    var high = count
    while low < high {
      let middle = (low + high) / 2
      if codePoints[middle] < codePoint { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
