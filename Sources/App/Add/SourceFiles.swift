import Config
import Credentials
import Glibc
import HTTPValues
import Search
import Text

extension Configuration {
  /// Implements `riffle sources edit`: opens the file of a source in the user's editor, then checks it. For a
  /// built-in source, a file that changes it is created first; it is removed again if nothing was written.
  package func editSource(_ name: String, _ message: Message) throws(CommandError) -> RunEnd {
    let path: String
    let draft: [UInt8]?
    if let file = try ownFile(of: name) {
      path = file
      draft = nil
    } else {
      let id = try entry(name).source.id
      let file = NewSourceFile(folder: try requiredSourcesFolder, name: id)
      let text = """
        # Changes the built-in source \(id), setting by setting. To see all settings, run: riffle sources show \(id)
        schema = 1
        id = "\(id)"

        """
      let bytes = Array(text.utf8)
      try file.write(bytes)
      path = file.path
      draft = bytes
    }
    let isUnchanged = { draft != nil && (try? FileAccess.system().read(path))?.bytes == draft }
    do throws(CommandError) { try dependencies.edit(path) } catch {
      if isUnchanged() { try? Self.remove(path) }
      throw error
    }
    if isUnchanged() {
      try Self.remove(path)
      message.note("nothing changed, so \(path) was removed")
      return .status(.done)
    }
    do throws(CommandError) {
      let configuration = try Configuration(dependencies, file: file)
      if configuration.catalog.isDisabled(name) {
        message.note(
          "source \(name) is now hidden. To show it again, remove enabled = false with: riffle sources edit \(name)"
        )
        return .status(.done)
      }
      return try configuration.checkSource(path, response: nil, headers: nil, page: 1, message)
    } catch {
      throw CommandError("\(error.message). Run again: riffle sources edit \(name)", .configuration)
    }
  }

  /// Implements `riffle sources remove`: removes the file of a source from the user's sources directory.
  ///
  /// - Parameter isAgreed: Whether the user need not be asked.
  package func removeSource(
    _ name: String, isAgreed: Bool, _ message: Message
  ) throws(CommandError) -> RunEnd {
    guard let path = try ownFile(of: name) else {
      throw CommandError(
        "source \(name) is built in and has no file. To hide it, add enabled = false with: riffle sources edit \(name)",
        .usage)
    }
    // A file that does not parse has no source, but can be removed.
    let source = (try? entry(name))?.source
    let isBuiltIn = BuiltInSources.documents.contains { $0.name == source?.id }
    for child in source.map({ isBuiltIn ? [] : catalog.children(of: $0.id) }) ?? [] {
      message.plain("source \(child.source.id) uses it as its parent")
    }
    guard try message.isAgreed("Remove \(path)?", unless: isAgreed, dependencies) else {
      message.note("nothing removed")
      return .status(.done)
    }
    try Self.remove(path)
    message.note("removed \(path)")
    if let source, !store.files(of: source.account).isEmpty {
      message.note(
        "its credentials are still stored. To remove them, run: riffle auth logout \(source.account)")
    }
    return .status(.done)
  }

  /// The file of a source in the user's sources directory, even one that does not parse; nil for a source that is built in.
  private func ownFile(of name: String) throws(CommandError) -> String? {
    switch try provenance(of: name, acceptsFile: false) {
    case .user(let path): return path
    case .builtIn: return nil
    case .path(let path):
      throw CommandError("\(path) is not in your sources directory. Change or remove it yourself", .usage)
    }
  }

  private static func remove(_ path: String) throws(CommandError) {
    if unlink(path) != 0 {
      throw CommandError("cannot remove \(path): \(String(cString: strerror(errno)))", .output)
    }
  }
}

extension Dependencies {
  /// Opens a file in the user's editor, and returns when it ends.
  func edit(_ path: String) throws(CommandError) {
    let editor = ConfigFile.editor(environment: environment)
    do throws(ChildProgram.RunError) { try ChildProgram.run(editor.words + [path], with: self) } catch {
      throw CommandError(
        "\(editor.words[0]) \(error). Set \(editor.variable) to use another editor", .failed)
    }
  }
}
