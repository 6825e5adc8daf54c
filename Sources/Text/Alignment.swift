/// Where a text stands in columns wider than itself.
package enum Alignment: String, Sendable, Hashable {
  case leading, trailing, center
}
