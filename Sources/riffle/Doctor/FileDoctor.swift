import Config
import Glibc

/// The files that are read: whether they are there, and whether they are the user's alone.
struct FileDoctor {
  let environment: [String: String]
  let files: FileAccess
  let user: UInt32
  /// Of `--config`.
  let named: String?

  func findings() -> [Finding] {
    guard environment["HOME"]?.isEmpty == false || environment["XDG_CONFIG_HOME"]?.isEmpty == false else {
      return [
        .problem(
          "HOME is not set: no file of yours is found", remedy: "set HOME, or name files with --config")
      ]
    }
    let settings = named ?? ConfigFile.path(environment: environment)
    let sources = ConfigFile.sourcesFolder(environment: environment)
    return [
      settings.map {
        file($0, "settings", absent: "the defaults count; riffle config init writes an example")
      },
      sources.map { folder($0, "sources", absent: "the built-in ones count; riffle add makes one") },
    ].compactMap(\.self) + sourceFiles(in: sources)
      + [
        HistoryFile.path(environment: environment)
          .map { file($0, "history", absent: "it is made with the first query of a session") }
      ].compactMap(\.self)
  }

  /// Only those that others may touch are worth a line each.
  private func sourceFiles(in folder: String?) -> [Finding] {
    guard let folder, let names = try? files.list(folder) else { return [] }
    return names.sorted().filter { $0.hasSuffix(".toml") && !$0.hasPrefix(".") }
      .map { file("\(folder)/\($0)", "source", absent: "gone") }.filter { $0.verdict != .fine }
  }

  private func file(_ path: String, _ what: String, absent: String) -> Finding {
    do throws(FileFailure) {
      let file = try files.read(path)
      return finding(path, what, file.status, allowed: 0o600)
    } catch .missing {
      return .fine("\(what): \(path) is not there: \(absent)")
    } catch {
      return .problem("\(what): \(path) \(error)", remedy: "look at it with ls -l \(path)")
    }
  }

  private func folder(_ path: String, _ what: String, absent: String) -> Finding {
    do throws(FileFailure) {
      return finding(path, what, try files.status(path), allowed: 0o700)
    } catch .missing {
      return .fine("\(what): \(path) is not there: \(absent)")
    } catch {
      return .problem("\(what): \(path) \(error)", remedy: "look at it with ls -ld \(path)")
    }
  }

  /// - Parameter allowed: the most permissions it should have.
  private func finding(_ path: String, _ what: String, _ status: FileStatus, allowed: UInt16) -> Finding {
    let mode = String(status.permissions & 0o777, radix: 8)
    if status.owner != user {
      return .problem(
        "\(what): \(path) belongs to another user", remedy: "chown it, or name another with --config")
    }
    if status.permissions & 0o777 & ~allowed & 0o077 != 0 {
      return .problem(
        "\(what): others may use \(path) (\(mode))", remedy: "chmod \(String(allowed, radix: 8)) \(path)")
    }
    return .fine("\(what): \(path) (\(mode))")
  }
}
