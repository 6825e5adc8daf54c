import Config
import Pager
import Search

/// Keeps columns that the user chose, in the file that changes the source.
struct ColumnKeeper: Sendable {
  /// Its id, or the path of its file.
  let source: String
  let configuration: Configuration
  let clipboard: Clipboard

  /// The first line of a file that riffle may replace.
  static let mark = "# riffle writes the columns here. Delete this line to edit the file yourself"

  func keep(_ columns: [Column]) async -> EffectOutcome {
    let entry: CatalogEntry
    let file: NewSourceFile
    do throws(CommandError) {
      entry = try configuration.entry(source)
      file = NewSourceFile(folder: try configuration.requiredSourcesFolder, name: entry.source.id)
    } catch { return .failed("cannot save the columns: \(error.message)") }
    let document = entry.document(keeping: columns)
    switch entry.provenance {
    case .user(let path) where path != file.path: return await copy(document, besides: path)
    case .path(let path): return await copy(document, besides: path)
    case .builtIn, .user: break
    }
    let known = (try? FileAccess.system().read(file.path)).map { String(decoding: $0.bytes, as: UTF8.self) }
    if file.isTaken, known?.hasPrefix(Self.mark) != true { return await copy(document, besides: file.path) }
    do throws(CommandError) {
      try file.write(Array("\(Self.mark)\n\(document)".utf8), isReplacing: file.isTaken)
    } catch { return .failed("cannot save the columns: \(error.message)") }
    return .done(
      "saved for source \(entry.source.id), in \(file.path). To show the other columns again, delete it")
  }

  /// A file of the user is not rewritten, because its comments would be lost.
  private func copy(_ document: String, besides path: String) async -> EffectOutcome {
    let columns = document.firstRange(of: "[[columns]]").map { document[$0.lowerBound...] } ?? ""
    guard
      case .done(let copied?) = await clipboard.copy(String(columns), what: "columns", showsText: false)
    else { return .failed("cannot save the columns: \(path) is your own file, and they cannot be copied") }
    return .done("\(copied). Paste them into your own file \(path)")
  }
}
