package import Search
package import Terminal
private import Text

extension Canvas: JSONCodable {
  package func write(to json: inout JSONWriter) {
    json.object {
      $0.member("columns", size.columns)
      $0.member("rows", size.rows)
      $0.member("clusters", widthModel.measure == .clusters)
      $0.member("wide", widthModel.ambiguousIsWide)
    }
  }

  package init(json: JSONValue) throws(JSONCodingError) {
    let size = Size(columns: try json.amount("columns"), rows: try json.amount("rows"))
    guard size.columns <= Self.most, size.rows <= Self.most else {
      throw JSONCodingError(json, isNot: "a screen of at most \(Self.most) columns and rows")
    }
    let isByClusters: Bool = try json.member("clusters")
    self.init(
      size: size,
      widthModel: WidthModel(
        isByClusters ? .clusters : .codePoints, ambiguousIsWide: try json.member("wide")))
  }

  private static let most = 5_000
}

extension Background: JSONCodable {}
