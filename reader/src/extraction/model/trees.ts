// Gradient-boosted trees as flat arrays. A node's left child is the next node, its right child is named.

export interface Trees {
  /** The feature that the node asks for, or `leafMark`. */
  readonly features: Uint16Array
  /** What it is compared with; at a leaf, what the leaf adds. */
  readonly values: Float32Array
  readonly rights: Uint16Array
  /** Where each tree begins. */
  readonly roots: Uint32Array
  /** The score before the first tree. */
  readonly base: number
}

export const leafMark = 0xffff

/** A probability for each row. */
export function evaluateTrees(trees: Trees, rows: Float32Array, width: number): Float32Array {
  const { features, values, rights, roots, base } = trees
  const count = rows.length / width
  const scores = new Float64Array(count).fill(base)
  // Tree by tree: a tree's nodes stay near while all rows pass through it.
  for (let tree = 0; tree < roots.length; tree += 1) {
    const root = roots[tree] as number
    for (let row = 0; row < count; row += 1) {
      const start = row * width
      let node = root
      let feature = features[node] as number
      while (feature !== leafMark) {
        // `rights` counts from the tree's root, so that two bytes are enough.
        node =
          (rows[start + feature] as number) <= (values[node] as number)
            ? node + 1
            : root + (rights[node] as number)
        feature = features[node] as number
      }
      scores[row] = (scores[row] as number) + (values[node] as number)
    }
  }
  return Float32Array.from(scores, (score) => 1 / (1 + Math.exp(-score)))
}
