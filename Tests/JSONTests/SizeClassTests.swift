import JSON
import Testing

@Suite struct SizeClassTests {
  @Test(arguments: [
    (-1, 0), (0, 0), (1, 1), (16, 16), (17, 17), (31, 31), (32, 32), (33, 34), (63, 64), (65, 68),
    (1000, 1024),
    (1024, 1024), (1025, 1088), (585_000, 589_824), (590_000, 622_592),
  ]) func `A size class is the next of sixteen steps between powers of two.`(number: Int, expected: Int) {
    #expect(number.sizeClass == expected)
  }
}
