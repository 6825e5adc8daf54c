import Glibc
import Output
import Pager
import Search
import Text

/// Writes the listed rows to a new file. The file extension selects the format; the default is tsv.
struct RowFile: Sendable {
  let source: Source
  let reader: RowReader
  let home: String?
  let zone: LocalZone

  func write(_ selection: RowSelection, to name: String) -> EffectOutcome {
    let formatName: String
    do { formatName = try OutputFormats.name(forFile: name) ?? "tsv" } catch {
      return .failed("cannot write \(name): \(error)")
    }
    guard let format = OutputFormats.named(formatName) else {
      return .failed("unknown format \(formatName)")
    }
    let path = PrivateFile.path(name, home: home)
    let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
    guard descriptor >= 0 else {
      let isThere = errno == EEXIST
      return .failed(
        isThere
          ? "\(name) already exists. Choose another name"
          : "cannot write \(name): \(String(cString: strerror(errno)))")
    }
    defer { close(descriptor) }
    do {
      try write(selection, as: format, to: Descriptor(descriptor))
      return .done("wrote \(Digits.counted(selection.numbers.count, "row")) to \(name) as \(formatName)")
    } catch {
      unlink(path)
      return .failed("cannot write \(name): \(error)")
    }
  }

  private func write(
    _ selection: RowSelection, as format: any OutputFormat.Type, to file: Descriptor
  ) throws {
    // The columns as displayed, not as declared by the source.
    var source = source
    source.columns = selection.columns
    var writer = OutputWriter(
      format, selection: ColumnSelection(columnsOf: source), outputOptions: OutputOptions(zone: zone))
    try writer.write(selection, from: reader) { bytes in
      if let code = file.write(bytes) { throw FileFull(reason: String(cString: strerror(code))) }
    }
  }

  private struct FileFull: Error, CustomStringConvertible {
    let reason: String
    var description: String { reason }
  }
}

extension OutputWriter {
  /// Writes a complete document of the chosen rows, page by page.
  mutating func write(
    _ selection: RowSelection, from reader: RowReader, _ put: ([UInt8]) throws -> Void
  ) throws {
    try reader.forEachPage(of: selection) { rows in
      var bytes: [UInt8] = []
      try append(rows, into: &bytes)
      try put(bytes)
    }
    var bytes: [UInt8] = []
    end(into: &bytes)
    try put(bytes)
  }
}
