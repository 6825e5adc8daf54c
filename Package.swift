// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

/// A module in `Sources`.
func module(_ name: String, _ dependencies: [Target.Dependency] = [], exclude: [String] = []) -> Target {
  .target(name: name, dependencies: dependencies, exclude: exclude, swiftSettings: settings)
}

/// A module for tests, in `Tests`.
func support(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
  .target(name: name, dependencies: dependencies, path: "Tests/\(name)", swiftSettings: settings)
}

func tests(_ name: String, _ dependencies: [Target.Dependency], exclude: [String] = []) -> Target {
  .testTarget(name: name, dependencies: dependencies, exclude: exclude, swiftSettings: settings)
}

func product(_ name: String, _ package: String) -> Target.Dependency {
  .product(name: name, package: package)
}

let argumentParser = product("ArgumentParser", "swift-argument-parser")
let asyncHTTPClient = product("AsyncHTTPClient", "async-http-client")
let configuration = product("Configuration", "swift-configuration")
let rainbow = product("Rainbow", "Rainbow")
let textTable = product("TextTable", "TextTable")
let yams = product("Yams", "Yams")
let algorithms = product("Algorithms", "swift-algorithms")
let bitCollections = product("BitCollections", "swift-collections")
let deques = product("DequeModule", "swift-collections")
let orderedCollections = product("OrderedCollections", "swift-collections")
let nio = ["NIOCore", "NIOPosix", "NIOHTTP1"].map { product($0, "swift-nio") }
let nioSSL = product("NIOSSL", "swift-nio-ssl")
let nioSOCKS = product("NIOSOCKS", "swift-nio-extras")
let nioEmbedded = product("NIOEmbedded", "swift-nio")

let package = Package(
  name: "riffle",
  // For the library; the program runs on Linux only.
  platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
  products: [
    .library(name: "FeedbackLoop", targets: ["FeedbackLoop"]),
    .library(name: "FeedbackLoopTesting", targets: ["FeedbackLoopTesting"]),
    .library(name: "FeedbackLoopSwiftTesting", targets: ["FeedbackLoopSwiftTesting"]),
    .executable(name: "riffle", targets: ["riffle"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/apple/swift-configuration", from: "1.4.0", traits: []),
    .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
    .package(url: "https://github.com/apple/swift-nio-extras", from: "1.35.2"),
    .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.6"),
    .package(url: "https://github.com/swift-server/async-http-client", from: "1.37.0"),
    .package(url: "https://github.com/apple/swift-algorithms", from: "1.2.1"),
    .package(url: "https://github.com/apple/swift-collections", from: "1.6.0"),
    .package(url: "https://github.com/onevcat/Rainbow", from: "4.2.2"),
    .package(url: "https://github.com/ordo-one/TextTable", from: "0.0.2"),
    .package(url: "https://github.com/jpsim/Yams", from: "6.2.2"),
  ],
  targets: [
    module("Locking"),
    module("FeedbackLoop", ["Locking"]),
    module("FeedbackLoopTesting", ["FeedbackLoop", "Locking"]),
    // Apart, since it links Swift Testing, which a program that uses the manual clock must not need.
    module("FeedbackLoopSwiftTesting", ["FeedbackLoopTesting"]),
    module("Text"),
    module("JSON"),
    module("HTTPValues", ["JSON"]),
    module("Search", ["HTTPValues", "JSON", "Text", algorithms]),
    module("Detection", ["HTTPValues", "JSON", "Search", "Text", yams]),
    module(
      "HTTPTransport",
      ["CZlib", "HTTPValues", "JSON", "Locking", "Text", asyncHTTPClient, nioSOCKS, nioSSL] + nio,
      exclude: ["CZlib"]),
    // The C library of the system; the client's own compression links it already.
    .systemLibrary(name: "CZlib", path: "Sources/HTTPTransport/CZlib"),
    .target(name: "CRestore", path: "Sources/Terminal/CRestore"),
    module("Terminal", ["CRestore", "Text", algorithms], exclude: ["CRestore"]),
    module("Pager", ["HTTPValues", "JSON", "Search", "Terminal", "Text", algorithms, bitCollections]),
    module("Output", ["JSON", "Search", "Text", textTable]),
    .target(
      name: "Config",
      dependencies: ["HTTPValues", "JSON", "Locking", "Search", "Text", configuration, orderedCollections],
      swiftSettings: settings + [.enableUpcomingFeature("NonisolatedNonsendingByDefault")]),
    module("Credentials", ["Config", "HTTPValues", "JSON", "Search", "Text"]),
    module("Demo", ["HTTPValues", "JSON", "Locking"] + nio),
    .target(
      name: "App",
      dependencies: [
        "Config", "Credentials", "Demo", "Detection", "FeedbackLoop", "HTTPTransport", "HTTPValues", "JSON",
        "Locking", "Output", "Pager", "Search", "Terminal", "Text", argumentParser, deques, rainbow,
      ],
      resources: [.embedInCode("BuiltInSources")], swiftSettings: settings),
    .executableTarget(
      name: "riffle", dependencies: ["App", "Config", "Demo", "Output", "Search", "Text", argumentParser],
      swiftSettings: settings),

    support("TestSupport", ["Locking", "Terminal", "Text", nioSSL] + nio),
    support("ConfigTesting", ["Config"]),
    support("TransportTesting", ["HTTPTransport", "HTTPValues", "TestSupport"]),
    support("DemoTesting", ["Demo", "HTTPValues", "JSON", "Locking", "Text"] + nio),
    .executableTarget(
      name: "TerminalTestProgram", dependencies: ["Terminal", "Text"], path: "Tests/TerminalTestProgram",
      swiftSettings: settings),
    tests(
      "FeedbackLoopTests", ["FeedbackLoop", "FeedbackLoopSwiftTesting", "FeedbackLoopTesting", "Locking"]),
    // A program whose code is on the main actor by default.
    .testTarget(
      name: "FeedbackLoopMainActorTests",
      dependencies: ["FeedbackLoop", "FeedbackLoopSwiftTesting", "FeedbackLoopTesting"],
      swiftSettings: settings + [.defaultIsolation(MainActor.self)]),
    tests(
      "FeedbackLoopTestingTests",
      ["FeedbackLoop", "FeedbackLoopSwiftTesting", "FeedbackLoopTesting", "Locking"]),
    tests("TextTests", ["TestSupport", "Text"], exclude: ["Generate"]),
    tests("JSONTests", ["JSON", "TestSupport"]),
    tests("HTTPValuesTests", ["HTTPValues"]),
    tests("SearchTests", ["HTTPValues", "JSON", "Locking", "Search", "TestSupport", "Text"]),
    tests("DetectionTests", ["Config", "Detection", "HTTPValues", "JSON", "Search", "TestSupport"]),
    tests(
      "HTTPTransportTests",
      [
        "Demo", "DemoTesting", "HTTPTransport", "HTTPValues", "JSON", "Locking", "Search", "TestSupport",
        "TransportTesting", asyncHTTPClient, nioSSL,
      ] + nio),
    tests("DemoTests", ["Demo", "DemoTesting", "HTTPValues", "JSON", "TestSupport", nioEmbedded] + nio),
    tests("TerminalTests", ["CRestore", "Terminal", "TerminalTestProgram", "TestSupport", "Text"]),
    tests(
      "PagerTests", ["HTTPValues", "JSON", "Pager", "Search", "Terminal", "TestSupport", "Text"],
      exclude: ["Screens"]),
    tests("OutputTests", ["HTTPValues", "JSON", "Output", "Search", "TestSupport", "Text"]),
    tests(
      "ConfigTests", ["Config", "ConfigTesting", "HTTPValues", "JSON", "Search", "TestSupport", "Text"]),
    tests("CredentialsTests", ["Config", "ConfigTesting", "Credentials", "HTTPValues", "Search", "Text"]),
    tests(
      "riffleTests",
      [
        "App", "Config", "Credentials", "Demo", "DemoTesting", "FeedbackLoop", "HTTPTransport", "HTTPValues",
        "JSON",
        "Locking",
        "Output", "Pager", "Search", "Terminal", "TestSupport", "Text", "TransportTesting", "riffle",
        argumentParser,
      ],
      exclude: ["Conformance/recordings.txt", "Manual/Pictures/screens.txt", "Matrix/matrix.txt", "Walks"]),
  ]
)

// The plugin that shows the documentation of FeedbackLoop, only on request: every build would compile it.
//
//     RIFFLE_DOCUMENTATION=1 swift package --disable-sandbox preview-documentation --target FeedbackLoop
if Context.environment["RIFFLE_DOCUMENTATION"] != nil {
  package.dependencies.append(.package(url: "https://github.com/swiftlang/swift-docc-plugin", from: "1.5.0"))
}

// Programs for maintainers, only on request: they use modules that are no products.
//
//     RIFFLE_TOOLS=1 swift run -c release ReadingBenchmark
//     RIFFLE_TOOLS=1 swift run -c release --scratch-path .build/fuzzing --sanitize fuzzer Fuzzing json
if Context.environment["RIFFLE_TOOLS"] != nil {
  package.targets += [
    .executableTarget(
      name: "LoopBenchmark", dependencies: ["FeedbackLoop", "Locking"], path: "Benchmarks/Loop",
      swiftSettings: settings),
    .executableTarget(
      name: "ReadingBenchmark", dependencies: ["HTTPValues", "JSON", "Search"],
      path: "Benchmarks/Reading", swiftSettings: settings),
    .executableTarget(
      name: "Fuzzing", dependencies: ["Config", "HTTPValues", "JSON", "Search", "Terminal", "Text"],
      path: "Benchmarks/Fuzzing", swiftSettings: settings),
  ]
}
