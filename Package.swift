// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

let argumentParser = Target.Dependency.product(name: "ArgumentParser", package: "swift-argument-parser")
let nio: [Target.Dependency] = ["NIOCore", "NIOPosix", "NIOHTTP1"].map {
  .product(name: $0, package: "swift-nio")
}

let collections: [Target.Dependency] = [
  .product(name: "Algorithms", package: "swift-algorithms"),
  .product(name: "Collections", package: "swift-collections"),
]

let package = Package(
  name: "riffle",
  // For the library; the program runs on Linux only.
  platforms: [.macOS(.v15), .iOS(.v18)],
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
    .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
    .package(url: "https://github.com/onevcat/Rainbow", from: "4.2.2"),
    .package(url: "https://github.com/ordo-one/TextTable", from: "0.0.2"),
    .package(url: "https://github.com/jpsim/Yams", from: "6.2.2"),
  ],
  targets: [
    .target(name: "FeedbackLoop", swiftSettings: settings),
    .target(name: "FeedbackLoopTesting", dependencies: ["FeedbackLoop"], swiftSettings: settings),
    // Apart, since it links Swift Testing, which a program that uses the manual clock must not need.
    .target(
      name: "FeedbackLoopSwiftTesting", dependencies: ["FeedbackLoopTesting"], swiftSettings: settings),
    .target(name: "Text", swiftSettings: settings),
    .target(name: "JSON", swiftSettings: settings),
    .target(
      name: "HTTPValues",
      dependencies: ["JSON", .product(name: "HTTPTypes", package: "swift-http-types")],
      swiftSettings: settings),
    .target(
      name: "Search", dependencies: ["HTTPValues", "JSON", "Text"] + collections, swiftSettings: settings),
    .target(
      name: "Detection",
      dependencies: ["HTTPValues", "JSON", "Search", "Text", .product(name: "Yams", package: "Yams")],
      swiftSettings: settings),
    .target(
      name: "HTTPTransport",
      dependencies: [
        "CZlib", "FeedbackLoop", "HTTPValues", "JSON", "Text",
        .product(name: "AsyncHTTPClient", package: "async-http-client"),
        .product(name: "NIOSOCKS", package: "swift-nio-extras"),
        .product(name: "NIOSSL", package: "swift-nio-ssl"),
      ] + nio,
      exclude: ["CZlib"], swiftSettings: settings),
    // The C library of the system; the client's own compression links it already.
    .systemLibrary(name: "CZlib", path: "Sources/HTTPTransport/CZlib"),
    .target(name: "CRestore", path: "Sources/Terminal/CRestore"),
    .target(
      name: "Terminal", dependencies: ["Text", "CRestore"], exclude: ["CRestore"],
      swiftSettings: settings),
    .target(
      name: "Pager", dependencies: ["HTTPValues", "JSON", "Search", "Terminal", "Text"],
      swiftSettings: settings),
    .target(
      name: "Output",
      dependencies: ["JSON", "Search", "Text", .product(name: "TextTable", package: "TextTable")],
      swiftSettings: settings),
    .target(
      name: "Config",
      dependencies: [
        "FeedbackLoop", "HTTPValues", "JSON", "Search", "Text",
        .product(name: "Configuration", package: "swift-configuration"),
      ],
      swiftSettings: settings + [.enableUpcomingFeature("NonisolatedNonsendingByDefault")]),
    .target(
      name: "Demo", dependencies: ["FeedbackLoop", "HTTPValues", "JSON", "Text"] + nio,
      swiftSettings: settings),
    .target(
      name: "App",
      dependencies: [
        "Config", "Demo", "Detection", "FeedbackLoop", "HTTPTransport", "HTTPValues", "JSON", "Output",
        "Pager",
        "Search", "Terminal", "Text", .product(name: "Rainbow", package: "Rainbow"),
      ],
      resources: [.embedInCode("BuiltInSources")], swiftSettings: settings),
    .executableTarget(
      name: "riffle",
      dependencies: ["App", "Config", "Demo", "Output", "Search", "Text", argumentParser],
      swiftSettings: settings),
    .target(
      name: "TestSupport",
      dependencies: ["FeedbackLoop", "Terminal", "Text", .product(name: "NIOSSL", package: "swift-nio-ssl")]
        + nio,
      path: "Tests/TestSupport",
      swiftSettings: settings),
    .target(
      name: "TransportTesting", dependencies: ["HTTPTransport", "HTTPValues", "TestSupport"],
      path: "Tests/TransportTesting", swiftSettings: settings),
    .target(
      name: "DemoTesting", dependencies: ["Demo", "FeedbackLoop", "HTTPValues", "JSON"] + nio,
      path: "Tests/DemoTesting",
      swiftSettings: settings),
    .testTarget(
      name: "FeedbackLoopTests",
      dependencies: ["FeedbackLoop", "FeedbackLoopSwiftTesting", "FeedbackLoopTesting"],
      exclude: ["Messages"], swiftSettings: settings),
    // A program whose code is on the main actor by default.
    .testTarget(
      name: "FeedbackLoopMainActorTests",
      dependencies: ["FeedbackLoop", "FeedbackLoopSwiftTesting", "FeedbackLoopTesting"],
      swiftSettings: settings + [.defaultIsolation(MainActor.self)]),
    .testTarget(
      name: "FeedbackLoopTestingTests",
      dependencies: ["FeedbackLoop", "FeedbackLoopSwiftTesting", "FeedbackLoopTesting"],
      swiftSettings: settings),
    .testTarget(
      name: "TextTests", dependencies: ["Text", "TestSupport"], exclude: ["Generate"], swiftSettings: settings
    ),
    .testTarget(name: "JSONTests", dependencies: ["JSON", "TestSupport"], swiftSettings: settings),
    .testTarget(
      name: "HTTPValuesTests", dependencies: ["HTTPValues"],
      swiftSettings: settings),
    .testTarget(
      name: "SearchTests",
      dependencies: ["FeedbackLoop", "HTTPValues", "JSON", "Search", "TestSupport", "Text"],
      swiftSettings: settings),
    .testTarget(
      name: "DetectionTests",
      dependencies: ["Config", "Detection", "HTTPValues", "JSON", "Search", "TestSupport"],
      swiftSettings: settings),
    .testTarget(
      name: "HTTPTransportTests",
      dependencies: [
        "Demo", "DemoTesting", "FeedbackLoop", "HTTPTransport", "HTTPValues", "JSON", "Search", "TestSupport",
        "TransportTesting",
        .product(name: "AsyncHTTPClient", package: "async-http-client"),
        .product(name: "NIOSSL", package: "swift-nio-ssl"),
      ] + nio,
      swiftSettings: settings),
    .testTarget(
      name: "DemoTests",
      dependencies: [
        "Demo", "DemoTesting", "HTTPValues", "JSON", "TestSupport",
        .product(name: "NIOEmbedded", package: "swift-nio"),
      ] + nio,
      swiftSettings: settings),
    .executableTarget(
      name: "TerminalTestProgram", dependencies: ["Terminal", "Text"], path: "Tests/TerminalTestProgram",
      swiftSettings: settings),
    .testTarget(
      name: "TerminalTests",
      dependencies: ["CRestore", "Terminal", "Text", "TerminalTestProgram", "TestSupport"],
      swiftSettings: settings),
    .testTarget(
      name: "PagerTests",
      dependencies: ["HTTPValues", "JSON", "Pager", "Search", "Terminal", "TestSupport", "Text"],
      exclude: ["Screens"], swiftSettings: settings),
    .testTarget(
      name: "OutputTests", dependencies: ["HTTPValues", "JSON", "Output", "Search", "TestSupport", "Text"],
      swiftSettings: settings),
    .testTarget(
      name: "ConfigTests", dependencies: ["Config", "HTTPValues", "JSON", "Search", "TestSupport", "Text"],
      swiftSettings: settings),
    .testTarget(
      name: "riffleTests",
      dependencies: [
        "riffle", "App", "Config", "Demo", "DemoTesting", "FeedbackLoop", "HTTPTransport", "HTTPValues",
        "JSON",
        "Output",
        "Pager", "Search", "Terminal", "TestSupport", "Text", "TransportTesting", argumentParser,
      ],
      exclude: ["Conformance/recordings.txt", "Matrix/matrix.txt"], swiftSettings: settings),
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
      name: "LoopBenchmark", dependencies: ["FeedbackLoop"], path: "Benchmarks/Loop", swiftSettings: settings),
    .executableTarget(
      name: "ReadingBenchmark", dependencies: ["HTTPValues", "JSON", "Search"],
      path: "Benchmarks/Reading", swiftSettings: settings),
    .executableTarget(
      name: "Fuzzing", dependencies: ["Config", "HTTPValues", "JSON", "Pager", "Search", "Terminal", "Text"],
      path: "Benchmarks/Fuzzing", exclude: ["Seeds"], swiftSettings: settings),
  ]
}
