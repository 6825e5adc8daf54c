import Config
import HTTPTransport

/// Checks how services are reached: proxies and trusted certificates.
struct NetworkDoctor {
  let world: World
  let settings: Settings

  func findings() -> [Finding] {
    ProxyChoice.all(environment: world.environment).map(proxy) + exceptions + [roots]
  }

  private func proxy(_ choice: ProxyChoice) -> Finding {
    guard let variable = choice.variable else { return .fine("\(choice.scheme): no proxy") }
    if let server = choice.server {
      return .fine("\(choice.scheme): through \(server), as \(variable) says")
    }
    return .problem(
      "\(choice.scheme): \(variable) cannot be used: \(choice.problem ?? "")",
      remedy: "write \(variable)=http://HOST:PORT, or unset it")
  }

  private var exceptions: [Finding] {
    let name = ["no_proxy", "NO_PROXY"].first { world.environment[$0]?.isEmpty == false }
    return name.map { [.fine("without a proxy: what \($0) says (\(world.environment[$0] ?? ""))")] } ?? []
  }

  private var roots: Finding {
    let remedy = "install the system's certificates (ca-certificates), or name a PEM file in tls.ca_file"
    guard let roots = TrustedRoots(TransportConfiguration(world, settings)) else {
      return .problem("any certificate is taken", remedy: "leave --insecure out")
    }
    guard let file = roots.file else { return .problem("there are no root certificates", remedy: remedy) }
    if let count = roots.count { return .fine("\(count) root certificates in \(file)") }
    return .problem("\(file) cannot be read as a PEM file of root certificates", remedy: remedy)
  }
}
