import Glibc

/// Finds executables as a shell does.
struct ExecutableSearch: Sendable {
  let environment: [String: String]

  /// The path of a program; nil if it is not found.
  func path(of program: String) -> String? {
    if program.contains("/") { return access(program, X_OK) == 0 ? program : nil }
    let folders = (environment["PATH"] ?? "/usr/local/bin:/usr/bin:/bin").split(separator: ":")
    return folders.lazy.map { "\($0)/\(program)" }.first { access($0, X_OK) == 0 }
  }
}
