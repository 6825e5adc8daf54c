// swift-tools-version: 6.2
import PackageDescription

/// libFuzzer sees which branches an input takes.
let instrumented: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .unsafeFlags(["-sanitize=fuzzer"]),
]

// The modules are no products of riffle: links to their folders make them modules of this package.
let package = Package(
  name: "Fuzzing",
  dependencies: [
    .package(url: "https://github.com/apple/swift-configuration", from: "1.4.0", traits: []),
    .package(url: "https://github.com/LebJe/TOMLKit", from: "0.6.0"),
  ],
  targets: [
    .target(name: "Text", swiftSettings: instrumented),
    .target(name: "Search", dependencies: ["Text"], swiftSettings: instrumented),
    .target(name: "CRestore", path: "Sources/Terminal/CRestore"),
    .target(
      name: "Terminal", dependencies: ["Text", "CRestore"], exclude: ["CRestore"], swiftSettings: instrumented
    ),
    .target(
      name: "Config",
      dependencies: [
        "Search", "Text",
        .product(name: "Configuration", package: "swift-configuration"),
        .product(name: "TOMLKit", package: "TOMLKit"),
      ],
      swiftSettings: instrumented + [.enableUpcomingFeature("NonisolatedNonsendingByDefault")]),
    .target(name: "Pager", dependencies: ["Search", "Text", "Terminal"], swiftSettings: instrumented),
    .executableTarget(
      name: "Fuzzing", dependencies: ["Config", "Pager", "Search", "Terminal", "Text"],
      swiftSettings: instrumented,
      linkerSettings: [.unsafeFlags(["-sanitize=fuzzer", "-use-ld=lld"])]),
  ]
)
