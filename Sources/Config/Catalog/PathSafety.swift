/// Checks which users can change the target of a path, by examining every directory and link on it.
struct PathSafety: Sendable {
  let files: FileAccess
  let user: UInt32

  /// The maximum number of links, like the system's limit (`ELOOP`).
  private static let maxLinks = 40

  /// The reason why another user could put a different file there; nil if none can. The last name, the file, is checked
  /// only if it is a link.
  ///
  /// - Parameters:
  ///   - start: An absolute path without links; this folder itself is not checked.
  ///   - names: The path components from there to the file.
  func danger(from start: String, along names: [String]) -> String? {
    var folder = start
    var rest = names[...]
    var links = 0
    while let name = rest.popFirst() {
      let path = Self.path(folder, name)
      do throws(FileError) {
        if let link = try files.link(path) {
          links += 1
          if let danger = danger(link, path, links) { return danger }
          if link.target.hasPrefix("/") { folder = "/" }
          rest = (link.target.split(separator: "/").map(String.init).filter { $0 != "." } + rest)[...]
        } else {
          if rest.isEmpty { return nil }
          folder = path
        }
        // This is checked even after a link, because its target may lead up to directories that have not been checked.
        if let danger = danger(try files.status(folder), folder) { return danger }
      } catch {
        return "is not safe: \(path) \(error)"
      }
    }
    return nil
  }

  private func danger(_ link: FileAccess.Link, _ path: String, _ count: Int) -> String? {
    if count > Self.maxLinks { return "is not safe: \(path) has too many symbolic links" }
    return isTrusted(link.owner) ? nil : "is not safe: the link \(path) belongs to another user"
  }

  private func danger(_ status: FileStatus, _ folder: String) -> String? {
    if !isTrusted(status.owner) { return "is not safe: \(folder) belongs to another user" }
    return status.letsOthersReplace
      ? "is not safe: \(folder) is writable by others (mode \(status.mode)). Run: chmod go-w \(folder)" : nil
  }

  /// Whether an owner is trusted: the user, or root, which has all permissions anyway.
  private func isTrusted(_ owner: UInt32) -> Bool { owner == user || owner == 0 }

  private static func path(_ folder: String, _ name: String) -> String {
    if name == ".." { return "/" + folder.split(separator: "/").dropLast().joined(separator: "/") }
    return folder == "/" ? "/\(name)" : "\(folder)/\(name)"
  }
}

extension SourceTrust {
  /// Whether a file in the user's sources directory is trusted.
  init(_ path: String, _ file: FileStatus, in folder: String, _ safety: PathSafety) {
    // Checks from riffle's configuration directory on, which contains the sources directory.
    self.init(path, file, folders: folder.split(separator: "/").suffix(2).count, safety)
  }

  /// Whether the settings file, and so its overlays, is trusted.
  init(settingsFile path: String, _ safety: PathSafety) {
    let name = path.split(separator: "/").last.map(String.init) ?? path
    let folder = path.dropLast(name.count)
    do throws(FileError) {
      let place = path.hasPrefix("/") ? path : try safety.files.canonical("./\(folder)") + "/\(name)"
      self.init(place, try safety.files.status(place), folders: 1, safety)
    } catch {
      self = .untrusted("is not safe: \(path) \(error)")
    }
  }

  /// - Parameter folders: How many of the innermost folders containing the file are checked.
  private init(_ path: String, _ file: FileStatus, folders: Int, _ safety: PathSafety) {
    let names = path.split(separator: "/").map(String.init)
    let start = "/" + names.dropLast(folders + 1).joined(separator: "/")
    let danger: String?
    do throws(FileError) {
      danger = safety.danger(from: try safety.files.canonical(start), along: names.suffix(folders + 1))
    } catch { danger = "is not safe: \(start) \(error)" }
    if let danger {
      self = .untrusted(danger)
    } else if file.owner != safety.user {
      self = .untrusted("belongs to another user")
    } else if file.isWritableByOthers {
      self = .untrusted("is writable by others (mode \(file.mode)). Run: chmod go-w \(path)")
    } else {
      self = .trusted
    }
  }
}

/// Paths that the user wrote outside a shell, which may begin with `~/`.
package enum HomePath {
  package static func expanded(_ path: String, home: String?) -> String {
    path.hasPrefix("~/") ? (home ?? "~") + path.dropFirst() : path
  }

  /// The path with `~` for the home folder.
  package static func shortened(_ path: String, home: String?) -> String {
    guard let home, !home.isEmpty, path.hasPrefix("\(home)/") else { return path }
    return "~\(path.dropFirst(home.count))"
  }

  /// Whether the path does not depend on the working directory.
  static func isAbsolute(_ path: String) -> Bool { path.hasPrefix("/") || path.hasPrefix("~/") }
}
