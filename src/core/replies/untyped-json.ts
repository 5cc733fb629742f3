/**
 * JSON whose shape TypeScript does not know: a vendor's reply, or the answer of an action that is named by its id. The
 * code reads it leaf by leaf, and an output schema checks the result. In tests it is a body of which each test states
 * what it expects.
 */
// biome-ignore lint/suspicious/noExplicitAny: `unknown` would need a cast at each of the leaves.
export type UntypedJson = any
