import Config
import HTTPTransport

extension TransportConfiguration {
  /// - Parameter isInsecure: Whether any certificate is accepted.
  init(_ world: World, _ settings: Settings, isInsecure: Bool = false) {
    self.init(environment: world.environment, now: world.now)
    clock = world.clock
    if isInsecure {
      trust = .anything
    } else if let file = settings.tls.rootsFile {
      trust = .roots(
        file: file.hasPrefix("~/") ? (world.environment["HOME"] ?? "~") + file.dropFirst() : file)
    }
  }
}
