import Search
import Testing

/// A value as it is read from what is written of it.
func readBack<Value: JSONForm>(_ value: Value) throws -> Value {
  try Value(json: JSONDocument(written(value)).root)
}

func written(_ value: some JSONForm) -> [UInt8] {
  var writer = JSONWriter()
  value.write(to: &writer)
  return writer.take()
}
