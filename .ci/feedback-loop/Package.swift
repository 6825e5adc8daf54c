// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

let package = Package(
  name: "feedback-loop",
  platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
  products: [
    .library(name: "FeedbackLoop", targets: ["FeedbackLoop"]),
    .library(name: "FeedbackLoopTesting", targets: ["FeedbackLoopTesting"]),
    .library(name: "FeedbackLoopSwiftTesting", targets: ["FeedbackLoopSwiftTesting"]),
  ],
  targets: [
    // What it locks with: a module, but no product.
    .target(name: "Locking", swiftSettings: settings),
    .target(name: "FeedbackLoop", dependencies: ["Locking"], swiftSettings: settings),
    .target(name: "FeedbackLoopTesting", dependencies: ["FeedbackLoop", "Locking"], swiftSettings: settings),
    // Apart, since it links Swift Testing, which a program that uses the manual clock must not need.
    .target(
      name: "FeedbackLoopSwiftTesting", dependencies: ["FeedbackLoopTesting"], swiftSettings: settings),
    .testTarget(
      name: "FeedbackLoopTests",
      dependencies: ["FeedbackLoop", "FeedbackLoopSwiftTesting", "FeedbackLoopTesting", "Locking"],
      swiftSettings: settings),
    // A program whose code is on the main actor by default.
    .testTarget(
      name: "FeedbackLoopMainActorTests",
      dependencies: ["FeedbackLoop", "FeedbackLoopSwiftTesting", "FeedbackLoopTesting", "Locking"],
      swiftSettings: settings + [.defaultIsolation(MainActor.self)]),
    .testTarget(
      name: "FeedbackLoopTestingTests",
      dependencies: ["FeedbackLoop", "FeedbackLoopSwiftTesting", "FeedbackLoopTesting", "Locking"],
      swiftSettings: settings),
  ]
)
