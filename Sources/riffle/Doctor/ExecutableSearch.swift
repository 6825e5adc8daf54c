import Glibc

/// Finds programs as a shell does.
struct ExecutableSearch: Sendable {
  let environment: [String: String]

  /// Where a program is; nil when it is not there.
  func path(of program: String) -> String? {
    if program.contains("/") { return access(program, X_OK) == 0 ? program : nil }
    let folders = (environment["PATH"] ?? "/usr/local/bin:/usr/bin:/bin").split(separator: ":")
    return folders.lazy.map { "\($0)/\(program)" }.first { access($0, X_OK) == 0 }
  }
}
