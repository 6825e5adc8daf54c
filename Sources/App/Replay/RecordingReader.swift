import Config
import JSON

/// A recording, read from an untrusted file: sizes are limited, and errors name the line.
struct RecordingFile: Sendable {
  let header: RecordingHeader
  /// The lines up to the first fault.
  private(set) var lines: [RecordedLine] = []
  private(set) var fault: RecordingError?

  private static let maxLine = 64 << 20
  /// A recording takes several times its file size in memory.
  private static let maxFile = 256 << 20

  /// - Throws: If the file is not a recording.
  init(_ path: String) throws(RecordingError) {
    let bytes = try Self.bytes(of: path)
    if bytes.isEmpty { throw RecordingError(path, line: 1, "the file is empty") }
    guard let end = bytes.firstIndex(of: UInt8(ascii: "\n")) else {
      throw RecordingError(path, line: 1, "not a recording, or truncated")
    }
    guard bytes.starts(with: RecordingHeader.start.utf8) else {
      throw RecordingError(path, line: 1, "not a recording made by riffle")
    }
    let first = RecordingLine(path: path, number: 1, bytes: bytes[..<end], isWhole: true)
    let json = try first.json()
    let (format, version) = (json["riffle_recording"]?.text ?? "?", json["riffle"]?.text ?? "?")
    guard format == "\(RecordingHeader.format)" else {
      throw first.fault(
        "recorded by riffle \(version) in format \(format), but riffle \(Version.number) reads format "
          + "\(RecordingHeader.format). Replay it with riffle \(version), or record the session again")
    }
    header = try first.value()
    do throws(RecordingError) { try read(bytes[(end + 1)...], path) } catch { fault = error }
  }

  private mutating func read(_ bytes: ArraySlice<UInt8>, _ path: String) throws(RecordingError) {
    var (rest, number) = (bytes, 1)
    while !rest.isEmpty {
      number += 1
      let end = rest.firstIndex(of: UInt8(ascii: "\n"))
      let line = RecordingLine(
        path: path, number: number, bytes: rest[..<(end ?? rest.endIndex)], isWhole: end != nil)
      guard line.bytes.count <= Self.maxLine else {
        throw line.fault("line longer than \(Self.maxLine >> 20) MiB: not a recording")
      }
      lines.append(try line.value())
      rest = rest[(end.map { $0 + 1 } ?? rest.endIndex)...]
    }
    guard lines.last?.isLast == true else {
      throw RecordingError(path, line: number, isCut: true, "the recording ends here, before its session did")
    }
  }

  private static func bytes(of path: String) throws(RecordingError) -> [UInt8] {
    let bytes: [UInt8]
    do { bytes = try FileAccess.system(limit: maxFile + 1).read(path).bytes } catch {
      throw RecordingError(error.message(reading: path))
    }
    if bytes.count > maxFile {
      throw RecordingError(path, "larger than \(maxFile >> 20) MiB, the limit for a replay")
    }
    return bytes
  }
}

private struct RecordingLine {
  let path: String
  let number: Int
  let bytes: ArraySlice<UInt8>
  /// Whether the line ends with a line feed.
  let isWhole: Bool

  func json() throws(RecordingError) -> JSONValue {
    do { return try JSONDocument(Array(bytes)).root } catch {
      if !isWhole { throw RecordingError(path, line: number, isCut: true, "the recording is truncated here") }
      throw fault("invalid JSON at column \(error.column): expected \(error.expected), found \(error.found)")
    }
  }

  func value<Value: JSONChecked>() throws(RecordingError) -> Value {
    let json = try json()
    do { return try json.decoded() } catch { throw fault("\(error)") }
  }

  func fault(_ problem: String) -> RecordingError { RecordingError(path, line: number, problem) }
}

/// Why a recording cannot be read, or only up to some line.
struct RecordingError: Error, Sendable, Hashable, CustomStringConvertible {
  let description: String
  /// Whether the recording ends too early; everything in it is valid.
  let isCut: Bool

  fileprivate init(_ description: String) { (self.description, isCut) = (description, false) }

  init(_ path: String, line: Int? = nil, isCut: Bool = false, _ problem: String) {
    self.isCut = isCut
    description = "\(path)\(line.map { ", line \($0)" } ?? ""): \(problem)"
  }
}
