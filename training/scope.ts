// Learns the direction along which the meanings of what actions answer differ from those of what no action does, by
// logistic regression. Both kinds count the same, regardless of their numbers.
import { CholeskyDecomposition, Matrix } from 'ml-matrix'
import { type Encoder, vectorSize } from '#features/knowledge/discover/encoder.ts'
import type { Direction } from '#features/knowledge/discover/projection.ts'
import type { ActionTexts } from '#features/knowledge/discover/texts.ts'
import { embeddedTexts } from '#features/knowledge/discover/vectors.ts'

/** Keeps the weights near 0 unless the texts contradict it. */
const ridge = 0.00003
const steps = 12

export function learnScope(
  served: Iterable<ActionTexts>,
  unserved: Iterable<ActionTexts>,
  encoder: Encoder,
): Direction {
  const vectorsOf = (all: Iterable<ActionTexts>) =>
    [...all].flatMap(embeddedTexts).flatMap((text) => encoder.embed(text) ?? [])
  const [inside, outside] = [vectorsOf(served), vectorsOf(unserved)]
  // The last number of each row stands for the constant.
  const rows = new Matrix([...inside, ...outside].map((vector) => [...vector, 1]))
  const signs = [...inside.map(() => 1), ...outside.map(() => -1)]
  const shares = [
    ...inside.map(() => 1 / (2 * inside.length)),
    ...outside.map(() => 1 / (2 * outside.length)),
  ]
  let weights = Matrix.zeros(vectorSize + 1, 1)
  for (let step = 0; step < steps; step += 1) {
    const doubts = rows
      .mmul(weights)
      .to1DArray()
      .map((sum, at) => 1 / (1 + Math.exp(sum * (signs[at] ?? 0))))
    const pulls = doubts.map((doubt, at) => doubt * (shares[at] ?? 0) * (signs[at] ?? 0))
    const bends = doubts.map((doubt, at) => Math.sqrt(doubt * (1 - doubt) * (shares[at] ?? 0)))
    const bent = rows.clone().mulColumnVector(bends)
    const hessian = bent
      .transpose()
      .mmul(bent)
      .add(Matrix.eye(vectorSize + 1).mul(ridge))
    const slope = rows.transpose().mmul(Matrix.columnVector(pulls)).sub(weights.clone().mul(ridge))
    weights = weights.add(new CholeskyDecomposition(hessian).solve(slope))
  }
  const list = weights.to1DArray()
  return { offset: -(list.pop() ?? 0), weights: list }
}
