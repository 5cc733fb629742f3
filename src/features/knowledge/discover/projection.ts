// Projects the vectors of sentences to the few dimensions that distinguish actions. `npm run train:discover` learns
// it by linear discriminant analysis: directions in which the texts of one action differ count little, those between
// actions much. One more direction tells what some action answers from what none does.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { vectorSize } from './encoder.ts'

export const projectionFile = new URL('./projection.tsv', import.meta.url)

/** One of the numbers: the sum of the sentence's, weighted, less what all texts have in common. */
export interface Direction {
  readonly offset: number
  readonly weights: ArrayLike<number>
}
export interface Projection {
  /** Changes whenever the result of the projection does. */
  readonly version: string
  /** A vector of length 1. */
  project(vector: ArrayLike<number>): Float64Array
  /** The logit of the likelihood that some action answers. */
  scopeOf(vector: ArrayLike<number>): number
}

const byteMax = 127

/** A line for each direction, that of the scope first: offset, scale, weights in a byte each. */
export function writeProjection(scope: Direction, directions: readonly Direction[]): string {
  const lines = [scope, ...directions].map(({ offset, weights }) => {
    const list = Array.from(weights)
    const scale = Math.max(...list.map(Math.abs)) / byteMax
    const bytes = Buffer.from(Int8Array.from(list, (value) => Math.round(value / scale)).buffer)
    return `${offset.toPrecision(6)}\t${scale.toPrecision(6)}\t${bytes.toString('base64')}`
  })
  return `${lines.join('\n')}\n`
}

export function readProjection(table: string): Projection {
  const [scope, ...directions] = table
    .trimEnd()
    .split('\n')
    .map((line): Direction => {
      const [offset, scale, base64 = ''] = line.split('\t')
      const bytes = new Int8Array(Buffer.from(base64, 'base64'))
      const weights = Float64Array.from(bytes, (value) => value * Number(scale))
      return { offset: Number(offset), weights }
    })
  if (scope === undefined) throw new Error('The projection is empty.')
  return {
    version: createHash('sha256').update(table).digest('base64url').slice(0, 12),
    project: (vector) => unit(directions.map((direction) => along(vector, direction))),
    scopeOf: (vector) => along(vector, scope),
  }
}

export const loadProjection = () => readProjection(readFileSync(projectionFile, 'utf8'))

function along(vector: ArrayLike<number>, { offset, weights }: Direction): number {
  let sum = -offset
  for (let at = 0; at < vectorSize; at += 1) sum += (vector[at] ?? 0) * (weights[at] ?? 0)
  return sum
}

export function unit(vector: readonly number[]): Float64Array {
  const length = Math.hypot(...vector) || 1
  return Float64Array.from(vector, (value) => value / length)
}
