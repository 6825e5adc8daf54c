/// The alignment of a text in a field wider than the text.
package enum Alignment: String, Sendable, Hashable {
  case leading, trailing, center
}
