// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .treatAllWarnings(as: .error),
]

  .product(name: $0, package: "swift-nio")
}

let package = Package(
  name: "riffle",
  products: [
    .library(name: "FeedbackLoop", targets: ["FeedbackLoop"]),
    .library(name: "FeedbackLoopTesting", targets: ["FeedbackLoopTesting"]),
  ],
  dependencies: [
  ],
  targets: [
    .target(name: "FeedbackLoop", swiftSettings: settings),
    .target(name: "FeedbackLoopTesting", dependencies: ["FeedbackLoop"], swiftSettings: settings),
    .target(name: "Text", swiftSettings: settings),
    .target(name: "Search", dependencies: ["Text"], swiftSettings: settings),
    .target(name: "CRestore", path: "Sources/Terminal/CRestore"),
    .target(
      name: "Terminal", dependencies: ["Text", "CRestore"], exclude: ["CRestore"], swiftSettings: settings),
    .target(name: "Pager", dependencies: ["Search", "Text", "Terminal"], swiftSettings: settings),
    .testTarget(
      name: "FeedbackLoopTests", dependencies: ["FeedbackLoop", "FeedbackLoopTesting"],
      swiftSettings: settings),
    .testTarget(name: "TextTests", dependencies: ["Text"], exclude: ["Generate"], swiftSettings: settings),
    .testTarget(name: "SearchTests", dependencies: ["Search", "Text"], swiftSettings: settings),
    .executableTarget(
      name: "TerminalTestProgram", dependencies: ["Terminal", "Text"], path: "Tests/TerminalTestProgram",
      swiftSettings: settings),
    .testTarget(
      name: "TerminalTests", dependencies: ["Terminal", "Text", "TerminalTestProgram"],
      swiftSettings: settings),
    .testTarget(
      name: "PagerTests", dependencies: ["Pager", "Search", "Terminal", "Text"], swiftSettings: settings),
  ]
)
