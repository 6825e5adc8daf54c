import Config
import Glibc

/// Checks that the files riffle reads exist, and that their permissions are safe.
struct FileDoctor {
  let environment: [String: String]
  let files: FileAccess
  let user: UInt32
  /// The value of `--config`.
  let named: String?

  func results() -> [DoctorCheck] {
    guard environment["HOME"]?.isEmpty == false || environment["XDG_CONFIG_HOME"]?.isEmpty == false else {
      return [
        .problem(
          "HOME is not set: your files cannot be found", remedy: "set HOME, or use --config FILE")
      ]
    }
    let settings = named ?? ConfigFile.path(environment: environment)
    let sources = ConfigFile.sourcesFolder(environment: environment)
    return [
      settings.map {
        file($0, "settings", .trusted, absent: "using defaults (riffle config init writes an example)")
      },
      sources.map { folder($0, "sources", absent: "using only built-in sources (riffle add creates it)") },
    ].compactMap(\.self) + sourceFiles(in: sources)
      + [
        HistoryFile.path(environment: environment)
          .map { file($0, "history", .personal, absent: "created with the first query") }
      ].compactMap(\.self)
  }

  /// Lists individually only the files that other users can access.
  private func sourceFiles(in folder: String?) -> [DoctorCheck] {
    guard let folder, let names = try? files.list(folder) else { return [] }
    return names.sorted().filter { $0.hasSuffix(".toml") && !$0.hasPrefix(".") }
      .map { file("\(folder)/\($0)", "source", .trusted, absent: "removed") }.filter { $0.verdict != .fine }
  }

  /// How a file is used, which determines the permissions it may have.
  private enum Use {
    /// It decides which programs are run and which sources are trusted, and holds no secret: others may read
    /// it, but not write it.
    case trusted
    /// It is private: others may neither read nor write it.
    case personal

    func isBroken(by status: FileStatus) -> Bool {
      switch self {
      case .trusted: status.isWritableByOthers
      case .personal: status.permissions & 0o077 != 0
      }
    }
  }

  private func file(_ path: String, _ what: String, _ use: Use, absent: String) -> DoctorCheck {
    do throws(FileFailure) {
      let file = try files.read(path)
      return result(path, what, file.status, use)
    } catch .missing {
      return .fine("\(what): \(path) not found: \(absent)")
    } catch {
      return .problem("\(what): \(path) \(error)", remedy: "check it with ls -l \(path)")
    }
  }

  private func folder(_ path: String, _ what: String, absent: String) -> DoctorCheck {
    do throws(FileFailure) {
      return result(path, what, try files.status(path), .trusted)
    } catch .missing {
      return .fine("\(what): \(path) not found: \(absent)")
    } catch {
      return .problem("\(what): \(path) \(error)", remedy: "check it with ls -ld \(path)")
    }
  }

  private func result(_ path: String, _ what: String, _ status: FileStatus, _ use: Use) -> DoctorCheck {
    if status.owner != user {
      return .problem(
        "\(what): \(path) belongs to another user", remedy: "chown it, or use another file with --config")
    }
    guard use.isBroken(by: status) else { return .fine("\(what): \(path) (\(status.mode))") }
    return switch use {
    case .trusted:
      .problem("\(what): \(path) is writable by others (mode \(status.mode))", remedy: "chmod go-w \(path)")
    case .personal:
      .problem("\(what): \(path) is accessible to others (mode \(status.mode))", remedy: "chmod 600 \(path)")
    }
  }
}
