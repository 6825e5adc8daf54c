import Config
import HTTPTransport

/// Checks how services are reached: proxies and trusted certificates.
struct NetworkDoctor {
  let dependencies: Dependencies
  let settings: Settings

  func results() -> [DoctorCheck] {
    ProxyChoice.all(environment: dependencies.environment).map(proxy) + exceptions + [roots]
  }

  private func proxy(_ choice: ProxyChoice) -> DoctorCheck {
    guard let variable = choice.variable else { return .fine("\(choice.scheme): no proxy") }
    if let server = choice.server {
      return .fine("\(choice.scheme): proxy \(server) (\(variable))")
    }
    return .problem(
      "\(choice.scheme): \(variable) cannot be used: \(choice.problem ?? "")",
      remedy: "set \(variable)=http://HOST:PORT, or unset it")
  }

  private var exceptions: [DoctorCheck] {
    let name = ["no_proxy", "NO_PROXY"].first { dependencies.environment[$0]?.isEmpty == false }
    return name.map { [.fine("no proxy for \(dependencies.environment[$0] ?? "") (\($0))")] } ?? []
  }

  private var roots: DoctorCheck {
    let remedy = "install ca-certificates, or set tls.ca_file to a PEM file"
    guard let roots = TrustedRoots(TransportConfiguration(dependencies, settings)) else {
      return .problem("certificates are not checked", remedy: "omit --insecure")
    }
    guard let file = roots.file else { return .problem("no root certificates found", remedy: remedy) }
    if let count = roots.count { return .fine("\(count) root certificates in \(file)") }
    return .problem("cannot read \(file) as a PEM file of root certificates", remedy: remedy)
  }
}
