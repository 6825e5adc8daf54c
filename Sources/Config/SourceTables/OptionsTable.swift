import Search

extension SourceOption {
  /// `[options.NAME]`.
  init?(_ entry: TOMLTable.Entry, _ reader: inout TableReader) {
    let values = reader.strings("values").map(\.text)
    let standard = reader.string("default")
    let title = reader.string("title")
    reader.refuseForNow("charset", "max_length", "key")
    if let standard, !values.isEmpty, !values.contains(standard) {
      reader.report(Wording.badChoice(standard, among: values), for: "default")
    }
    guard Self.isName(entry.key) else {
      reader.report(
        "an option's name has only letters, digits, - and _", for: nil, at: entry.position)
      return nil
    }
    if Placeholders.fixed.contains(entry.key) {
      reader.report(
        "{\(entry.key)} already means something else; choose another name", for: nil, at: entry.position)
      return nil
    }
    self.init(name: entry.key, title: title, values: values, defaultValue: standard)
  }

  private static func isName(_ name: String) -> Bool {
    !name.isEmpty
      && name.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"): true
        default: false
        }
      }
  }
}
