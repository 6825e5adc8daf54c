import JSON
import Testing

/// The value that is read back from the written form.
func readBack<Value: JSONChecked>(_ value: Value) throws -> Value {
  try JSONDocument(written(value)).root.decoded()
}

func written(_ value: some Encodable) -> [UInt8] { JSONCoding.bytes(of: value) }
