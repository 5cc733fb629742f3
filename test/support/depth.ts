/**
 * How much of something a test tries: `usual` in `npm test`, `deep` where TEST_DEPTH=deep asks for more of the same, as
 * `npm test -- --deep` does.
 */
export const depth = (usual: number, deep: number): number =>
  process.env.TEST_DEPTH === 'deep' ? deep : usual

/** Ends a test that hangs. Each try adds to it, and the rest is what every slow test has. */
export const limitForTriesMs = (tries: number, tryMs: number): number => 2_500_000 + tries * tryMs
