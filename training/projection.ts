// Learns discover's projection by linear discriminant analysis, from the texts of actions and of topics without an
// action.
import { CholeskyDecomposition, Matrix, SingularValueDecomposition, solve } from 'ml-matrix'
import { type Encoder, vectorSize } from '#features/knowledge/discover/encoder.ts'
import type { Direction } from '#features/knowledge/discover/projection.ts'
import type { ActionTexts } from '#features/knowledge/discover/texts.ts'
import { embeddedTexts } from '#features/knowledge/discover/vectors.ts'

const directionsMax = 128
/**
 * Shrinkage: how far the spread within actions is assumed equal in all directions, since few texts estimate it badly.
 */
const shrinkage = 0.3

export function learnProjection(
  documents: ReadonlyMap<string, ActionTexts>,
  encoder: Encoder,
): Direction[] {
  const means: number[][] = []
  const deviations: number[][] = []
  for (const texts of documents.values()) {
    const vectors = embeddedTexts(texts)
      .map((text) => encoder.embed(text))
      .filter((vector) => vector !== undefined)
    const mean = meanOf(vectors)
    means.push(mean)
    for (const vector of vectors)
      deviations.push(Array.from(vector, (value, at) => value - (mean[at] ?? 0)))
  }
  const within = new Matrix(deviations)
  const spread = within.transpose().mmul(within).div(deviations.length)
  const even = Matrix.eye(vectorSize).mul((shrinkage * spread.trace()) / vectorSize)
  const lower = new CholeskyDecomposition(spread.mul(1 - shrinkage).add(even)).lowerTriangularMatrix
  const middle = meanOf(means)
  const between = new Matrix(means).subRowVector(middle)
  // In the coordinates that `lower` undoes, the spread within is the same in all directions, and the widest between are
  // best.
  const level = solve(lower, between.transpose())
  const { leftSingularVectors } = new SingularValueDecomposition(level)
  const directions = solve(
    lower.transpose(),
    leftSingularVectors.subMatrix(0, vectorSize - 1, 0, directionsMax - 1),
  )
  return Array.from({ length: directionsMax }, (_, at) => {
    const weights = directions.getColumn(at)
    return {
      weights,
      offset: weights.reduce((sum, value, by) => sum + value * (middle[by] ?? 0), 0),
    }
  })
}

function meanOf(vectors: readonly ArrayLike<number>[]): number[] {
  return Array.from(
    { length: vectorSize },
    (_, at) => vectors.reduce((sum, vector) => sum + (vector[at] ?? 0), 0) / vectors.length,
  )
}
