/// A large value that never changes, held by reference: otherwise each copy of what holds it retains every part of it.
@propertyWrapper
package struct Shared<Value: Sendable>: Sendable {
  private final class Box: Sendable {
    let value: Value

    init(_ value: Value) { self.value = value }
  }

  private let box: Box

  package init(wrappedValue: Value) { box = Box(wrappedValue) }

  package var wrappedValue: Value { box.value }
  package var projectedValue: Self { self }

  /// Whether two values are the same one, not only equal.
  package static func === (left: Self, right: Self) -> Bool { left.box === right.box }
}
