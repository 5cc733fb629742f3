// Gradient boosting with the logistic loss. Targets are shares from 0 to 1. The same rows and seed give the same trees.
import { leafMark, type Trees } from '../src/extraction/model/trees.ts'
import type { Bins } from './bins.ts'
import { createTreeGrower, type GrownNode, type TreeOptions } from './grow-tree.ts'
import { createRandom } from './random.ts'

export interface BoostOptions extends TreeOptions {
  readonly trees: number
  readonly learningRate: number
  /** Which part of the rows, and of the features, each tree sees. */
  readonly rowShare: number
  readonly featureShare: number
  readonly seed: number
}

export function boost(
  bins: Bins,
  targets: Float32Array,
  weights: Float32Array,
  options: BoostOptions,
): Trees {
  const random = createRandom(options.seed)
  const grow = createTreeGrower(bins, options)
  const base = logOdds(targets, weights)
  const scores = new Float64Array(bins.rows).fill(base)
  const gradients = new Float64Array(bins.rows * 2)
  const grown: GrownNode[][] = []
  for (let tree = 0; tree < options.trees; tree += 1) {
    for (let row = 0; row < bins.rows; row += 1) {
      const probability = 1 / (1 + Math.exp(-(scores[row] as number)))
      const weight = weights[row] as number
      gradients[row * 2] = weight * (probability - (targets[row] as number))
      gradients[row * 2 + 1] = weight * probability * (1 - probability)
    }
    const nodes = grow(
      gradients,
      sample(bins.rows, options.rowShare, random),
      sample(bins.edges.length, options.featureShare, random),
    )
    for (const node of nodes) node.value = Math.fround(node.value * options.learningRate)
    addScores(bins, nodes, scores)
    grown.push(nodes)
  }
  return flatten(grown, bins.edges, base)
}

function logOdds(targets: Float32Array, weights: Float32Array): number {
  let hits = 0
  let all = 0
  for (let row = 0; row < targets.length; row += 1) {
    hits += (targets[row] as number) * (weights[row] as number)
    all += weights[row] as number
  }
  const share = Math.min(0.999, Math.max(0.001, hits / Math.max(all, 1e-9)))
  return Math.fround(Math.log(share / (1 - share)))
}

function sample(count: number, share: number, random: () => number): Uint32Array {
  const chosen = new Uint32Array(count)
  let length = 0
  for (let index = 0; index < count; index += 1) if (random() < share) chosen[length++] = index
  return chosen.subarray(0, length)
}

function addScores(bins: Bins, nodes: readonly GrownNode[], scores: Float64Array): void {
  const features = Int32Array.from(nodes, ({ feature }) => feature * bins.rows)
  const cuts = Uint8Array.from(nodes, ({ bin }) => bin)
  const lefts = Uint16Array.from(nodes, ({ left }) => left)
  const rights = Uint16Array.from(nodes, ({ right }) => right)
  for (let row = 0; row < scores.length; row += 1) {
    let node = 0
    while ((features[node] as number) >= 0)
      node =
        (bins.columns[(features[node] as number) + row] as number) <= (cuts[node] as number)
          ? (lefts[node] as number)
          : (rights[node] as number)
    scores[row] = (scores[row] as number) + (nodes[node] as GrownNode).value
  }
}

/** Left children move to the place after their parent. */
function flatten(
  grown: readonly (readonly GrownNode[])[],
  edges: readonly Float32Array[],
  base: number,
): Trees {
  const count = grown.reduce((sum, nodes) => sum + nodes.length, 0)
  const features = new Uint16Array(count)
  const values = new Float32Array(count)
  const rights = new Uint16Array(count)
  const roots = new Uint32Array(grown.length)
  let at = 0
  grown.forEach((nodes, tree) => {
    const root = at
    roots[tree] = root
    const lay = (index: number): void => {
      const node = nodes[index] as GrownNode
      const place = at
      at += 1
      if (node.feature < 0) {
        features[place] = leafMark
        values[place] = node.value
        return
      }
      features[place] = node.feature
      values[place] = edges[node.feature]?.[node.bin] as number
      lay(node.left)
      rights[place] = at - root
      lay(node.right)
    }
    lay(0)
  })
  return { features, values, rights, roots, base }
}
