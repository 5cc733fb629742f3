// One regression tree, grown leaf by leaf where it helps most, from histograms of gradients.
import { type Bins, binsMax } from './bins.ts'

export interface TreeOptions {
  readonly leavesMax: number
  readonly depthMax: number
  /** Added to the sum of hessians: the larger, the more careful the leaves. */
  readonly l2: number
  readonly hessianMin: number
}

/** Nodes in the order of their making; the first is the root. */
export interface GrownNode {
  feature: number
  /** Rows in this bin or below it go left. */
  bin: number
  left: number
  right: number
  value: number
}

interface Split {
  gain: number
  feature: number
  bin: number
}

interface Leaf {
  readonly node: number
  readonly from: number
  readonly to: number
  readonly depth: number
  readonly histogram: Float64Array
  readonly split: Split
}

const slots = binsMax * 2

export function createTreeGrower(bins: Bins, options: TreeOptions) {
  const order = new Uint32Array(bins.rows)
  const spare = new Uint32Array(bins.rows)
  const gathered = new Float64Array(bins.rows * 2)
  const freeHistograms: Float64Array[] = []

  /** `gradients` has the gradient and hessian of each row in turn; only `sampled` rows and `features` are looked at. */
  return (gradients: Float64Array, sampled: Uint32Array, features: Uint32Array): GrownNode[] => {
    order.set(sampled)
    const nodes: GrownNode[] = []
    const leaves: Leaf[] = []
    const size = features.length * slots

    const takeHistogram = () => {
      const free = freeHistograms.pop()
      return free !== undefined && free.length === size ? free.fill(0) : new Float64Array(size)
    }

    function measure(from: number, to: number): Float64Array {
      const histogram = takeHistogram()
      gather(gradients, order, from, to, gathered)
      for (let index = 0; index < features.length; index += 1) {
        const start = (features[index] as number) * bins.rows
        fillHistogram(bins.columns, start, order, from, to, gathered, histogram, index * slots)
      }
      return histogram
    }

    function addLeaf(from: number, to: number, depth: number, histogram: Float64Array): void {
      const { gradient, hessian } = sumHistogram(histogram)
      const split =
        depth >= options.depthMax
          ? { gain: 0, feature: -1, bin: 0 }
          : bestSplit(histogram, features, gradient, hessian, bins, options)
      const node = nodes.length
      nodes.push({
        feature: -1,
        bin: 0,
        left: 0,
        right: 0,
        value: -gradient / (hessian + options.l2),
      })
      leaves.push({ node, from, to, depth, histogram, split })
    }

    addLeaf(0, sampled.length, 0, measure(0, sampled.length))
    while (leaves.length < options.leavesMax) {
      const best = mostGaining(leaves)
      const leaf = leaves[best] as Leaf
      if (leaf.split.gain <= 0) break
      leaves.splice(best, 1)
      const { feature, bin } = leaf.split
      const middle = partition(bins, feature, bin, order, spare, leaf.from, leaf.to)
      const leftIsSmaller = middle - leaf.from < leaf.to - middle
      const smaller = leftIsSmaller ? measure(leaf.from, middle) : measure(middle, leaf.to)
      const larger = leaf.histogram
      subtract(larger, smaller)
      const parent = nodes[leaf.node] as GrownNode
      parent.feature = feature
      parent.bin = bin
      parent.left = nodes.length
      addLeaf(leaf.from, middle, leaf.depth + 1, leftIsSmaller ? smaller : larger)
      parent.right = nodes.length
      addLeaf(middle, leaf.to, leaf.depth + 1, leftIsSmaller ? larger : smaller)
    }
    for (const leaf of leaves) freeHistograms.push(leaf.histogram)
    return nodes
  }
}

function subtract(larger: Float64Array, smaller: Float64Array): void {
  for (let slot = 0; slot < larger.length; slot += 1)
    larger[slot] = (larger[slot] as number) - (smaller[slot] as number)
}

/** Lays the gradients of a leaf's rows side by side, since each feature reads them again. */
function gather(
  gradients: Float64Array,
  order: Uint32Array,
  from: number,
  to: number,
  gathered: Float64Array,
): void {
  for (let place = from; place < to; place += 1) {
    const row = order[place] as number
    gathered[place * 2] = gradients[row * 2] as number
    gathered[place * 2 + 1] = gradients[row * 2 + 1] as number
  }
}

/** Each feature's bins sum up to the same; the first's will do. */
function sumHistogram(histogram: Float64Array): { gradient: number; hessian: number } {
  let gradient = 0
  let hessian = 0
  for (let slot = 0; slot < slots; slot += 2) {
    gradient += histogram[slot] as number
    hessian += histogram[slot + 1] as number
  }
  return { gradient, hessian }
}

function mostGaining(leaves: readonly Leaf[]): number {
  let best = 0
  for (let index = 1; index < leaves.length; index += 1)
    if ((leaves[index] as Leaf).split.gain > (leaves[best] as Leaf).split.gain) best = index
  return best
}

function fillHistogram(
  columns: Uint8Array,
  start: number,
  order: Uint32Array,
  from: number,
  to: number,
  gathered: Float64Array,
  histogram: Float64Array,
  offset: number,
): void {
  for (let place = from; place < to; place += 1) {
    const slot = offset + (columns[start + (order[place] as number)] as number) * 2
    histogram[slot] = (histogram[slot] as number) + (gathered[place * 2] as number)
    histogram[slot + 1] = (histogram[slot + 1] as number) + (gathered[place * 2 + 1] as number)
  }
}

function bestSplit(
  histogram: Float64Array,
  features: Uint32Array,
  gradient: number,
  hessian: number,
  { edges }: Bins,
  { l2, hessianMin }: TreeOptions,
): Split {
  const best: Split = { gain: 1e-6, feature: -1, bin: 0 }
  const whole = (gradient * gradient) / (hessian + l2)
  for (let index = 0; index < features.length; index += 1) {
    const feature = features[index] as number
    const last = (edges[feature] as Float32Array).length - 1
    let left = 0
    let leftHessian = 0
    for (let bin = 0; bin < last; bin += 1) {
      const slot = index * slots + bin * 2
      left += histogram[slot] as number
      leftHessian += histogram[slot + 1] as number
      const rightHessian = hessian - leftHessian
      if (leftHessian < hessianMin) continue
      if (rightHessian < hessianMin) break
      const right = gradient - left
      const gain =
        (left * left) / (leftHessian + l2) + (right * right) / (rightHessian + l2) - whole
      if (gain > best.gain) {
        best.gain = gain
        best.feature = feature
        best.bin = bin
      }
    }
  }
  return best.feature < 0 ? { ...best, gain: 0 } : best
}

/** Rows that go left come first, each side in its former order; returns where the others begin. */
function partition(
  { columns, rows }: Bins,
  feature: number,
  bin: number,
  order: Uint32Array,
  spare: Uint32Array,
  from: number,
  to: number,
): number {
  const start = feature * rows
  let left = from
  let right = 0
  for (let place = from; place < to; place += 1) {
    const row = order[place] as number
    if ((columns[start + row] as number) <= bin) order[left++] = row
    else spare[right++] = row
  }
  order.set(spare.subarray(0, right), left)
  return left
}
