import Config
import HTTPTransport

extension TransportConfiguration {
  /// - Parameter isInsecure: Whether any certificate is accepted.
  init(_ dependencies: Dependencies, _ settings: Settings, isInsecure: Bool = false) {
    self.init(environment: dependencies.environment, now: dependencies.now)
    clock = dependencies.clock
    if isInsecure {
      trust = .anything
    } else if let file = settings.tls.rootsFile {
      trust = .roots(
        file: file.hasPrefix("~/") ? (dependencies.environment["HOME"] ?? "~") + file.dropFirst() : file)
    }
  }
}
