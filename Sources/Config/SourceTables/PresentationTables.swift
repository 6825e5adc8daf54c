/// `[detail]` and `[actions.NAME]`: read for their mistakes only, since they change nothing about the rows.
enum PresentationTables {
  static func check(_ reader: inout TableReader) {
    _ = reader.table("detail") { detail in
      _ = detail.strings("fields")
      _ = detail.table("body") { body in
        body.require("path", "where the text stands")
        _ = body.expression("path")
        _ = body.string("format")
      }
      _ = detail.value("request")
    }
    _ = reader.namedTables("actions") { _, action in
      _ = action.string("key")
      _ = action.expression("open")
      _ = action.expression("copy")
    }
  }
}
