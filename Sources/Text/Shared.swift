/// A large value held by reference, which is seldom replaced: otherwise each copy of what holds it copies all of it, and
/// retains every part.
///
/// Public, since nothing of package access is inlined in another module, and a getter that is called copies the value.
@propertyWrapper
public struct Shared<Value: Sendable>: Sendable {
  @usableFromInline
  final class Box: Sendable {
    @usableFromInline let value: Value

    @inlinable
    init(_ value: Value) { self.value = value }
  }

  @usableFromInline let box: Box

  /// Holds a value.
  @inlinable
  public init(wrappedValue: Value) { box = Box(wrappedValue) }

  /// A change in place copies the value, and everything in it that is changed.
  @inlinable public var wrappedValue: Value {
    @inline(__always) get { box.value }
    set { self = Self(wrappedValue: newValue) }
  }

  /// The reference, to be compared with another.
  @inlinable public var projectedValue: Self { self }

  /// Whether two values are the same one, not only equal.
  @inlinable
  public static func === (left: Self, right: Self) -> Bool { left.box === right.box }
}

/// A property of a large structure that makes the compiler pass it by its address.
///
/// Without it, Swift 6.3 copies all bytes of the structure to the stack for each call of a function that only reads it:
/// the state of the pager was copied eight times for a key. The price: an initializer must take the structure as
/// `__shared`, else it gets a copy of its own, with all that is in it retained (`borrowing` crashes the compiler); and a
/// closure that captures it copies it, even if it is not called.
public struct PassedByAddress: Sendable {
  // Of what has an existential in it, the compiler does not know how to keep it in registers.
  private let nothing: (any Sendable)? = nil

  /// Creates the property.
  public init() {}
}
