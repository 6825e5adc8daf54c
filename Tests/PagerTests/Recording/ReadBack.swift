import JSON
import Search
import Testing

/// The value that is read back from the written form.
func readBack<Value: JSONCodable>(_ value: Value) throws -> Value {
  try Value(json: JSONDocument(written(value)).root)
}

func written(_ value: some JSONCodable) -> [UInt8] {
  var writer = JSONWriter()
  value.write(to: &writer)
  return writer.take()
}
