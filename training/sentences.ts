// Distils a sentence model into a table of tokens: vectors whose sums come as near as possible to what the model makes
// of texts.
import { EigenvalueDecomposition, Matrix } from 'ml-matrix'
import { readTokenizer, vectorSize } from '#features/knowledge/discover/encoder.ts'

/** Pulls tokens that few texts have towards 0. */
const ridge = 1
const steps = 30
const byteMax = 127
/** Larger numbers are cut, so that the others keep more of their digits. */
const cutAbove = 0.995
const scoreDigits = 2

/** The places of the tokens of each text. */
type Bags = readonly (readonly number[])[]

/** The tokens that lower case text can have, a line each. */
export const writeTokens = (
  vocabulary: readonly (readonly [token: string, score: number | null])[],
): string =>
  vocabulary
    .filter(([token, score]) => score !== null && score < 0 && token === token.toLowerCase())
    .map(([token, score]) => `${token}\t${score?.toFixed(scoreDigits)}\n`)
    .join('')

/** A byte for each number, in the order of the tokens. */
export async function distil(
  tokens: string,
  texts: Iterable<string>,
  embed: (text: string) => Promise<readonly number[]>,
): Promise<Int8Array> {
  const tokenize = readTokenizer(tokens)
  const bags: number[][] = []
  const targets: number[][] = []
  for (const text of texts) {
    const bag = tokenize(text)
    if (bag.length === 0) continue
    bags.push(bag)
    const vector = await embed(text)
    const length = Math.hypot(...vector)
    targets.push(vector.map((value) => value / length))
  }
  const rows = tokens.trimEnd().split('\n').length
  return toBytes(solveRidge(bags, narrow(new Matrix(targets)), rows))
}

/** In the directions in which the targets are longest. */
function narrow(targets: Matrix): Float64Array {
  const { eigenvectorMatrix } = new EigenvalueDecomposition(targets.transpose().mmul(targets), {
    assumeSymmetric: true,
  })
  const size = eigenvectorMatrix.columns
  // The longest is last.
  const longest = eigenvectorMatrix.subMatrix(0, size - 1, size - vectorSize, size - 1)
  return Float64Array.from(targets.mmul(longest).to1DArray())
}

/** Conjugate gradients, for all columns at once. */
function solveRidge(bags: Bags, targets: Float64Array, rows: number): Float64Array {
  const solution = new Float64Array(rows * vectorSize)
  const rest = spread(bags, targets, rows)
  const direction = rest.slice()
  let before = dotColumns(rest, rest)
  for (let step = 0; step < steps; step += 1) {
    const image = spread(bags, gather(bags, direction), rows)
    for (let at = 0; at < image.length; at += 1)
      image[at] = (image[at] ?? 0) + ridge * (direction[at] ?? 0)
    const across = dotColumns(direction, image)
    const strides = before.map((value, column) => value / Math.max(across[column] ?? 0, 1e-30))
    addColumns(solution, direction, strides)
    addColumns(
      rest,
      image,
      strides.map((stride) => -stride),
    )
    const after = dotColumns(rest, rest)
    const turns = after.map((value, column) => value / Math.max(before[column] ?? 0, 1e-30))
    for (let at = 0; at < direction.length; at += 1)
      direction[at] = (rest[at] ?? 0) + (turns[at % vectorSize] ?? 0) * (direction[at] ?? 0)
    before = after
  }
  return solution
}

/** Of each text, the sum of the rows of its tokens, by the root of their number. */
function gather(bags: Bags, table: Float64Array): Float64Array {
  const sums = new Float64Array(bags.length * vectorSize)
  for (const [place, bag] of bags.entries())
    for (const token of bag) addRow(sums, place, table, token, 1 / Math.sqrt(bag.length))
  return sums
}

/** The transpose of `gather`. */
function spread(bags: Bags, sums: Float64Array, rows: number): Float64Array {
  const table = new Float64Array(rows * vectorSize)
  for (const [place, bag] of bags.entries())
    for (const token of bag) addRow(table, token, sums, place, 1 / Math.sqrt(bag.length))
  return table
}

function addRow(to: Float64Array, row: number, from: Float64Array, place: number, by: number) {
  for (let column = 0; column < vectorSize; column += 1) {
    const at = row * vectorSize + column
    to[at] = (to[at] ?? 0) + by * (from[place * vectorSize + column] ?? 0)
  }
}

function addColumns(to: Float64Array, from: Float64Array, by: Float64Array) {
  for (let at = 0; at < to.length; at += 1)
    to[at] = (to[at] ?? 0) + (by[at % vectorSize] ?? 0) * (from[at] ?? 0)
}

function dotColumns(one: Float64Array, other: Float64Array): Float64Array {
  const sums = new Float64Array(vectorSize)
  for (let at = 0; at < one.length; at += 1) {
    const column = at % vectorSize
    sums[column] = (sums[column] ?? 0) + (one[at] ?? 0) * (other[at] ?? 0)
  }
  return sums
}

function toBytes(table: Float64Array): Int8Array {
  const sizes = table.map(Math.abs).sort()
  const most = sizes[Math.floor(cutAbove * (sizes.length - 1))] ?? 1
  return Int8Array.from(table, (value) =>
    Math.max(-byteMax, Math.min(byteMax, Math.round((value / most) * byteMax))),
  )
}
