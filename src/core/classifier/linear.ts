// A linear model of text: how much each gram speaks for each class. It is trained in the repository, and the same lines
// give the same model.

/** Of a weight in the file, which is a whole number from -127 to 127. */
export const weightStep = 0.1
/** The gram that every text has, and its strength. */
export const bias = { gram: '*', strength: 0.3 } as const

export type LinearModel = ReadonlyMap<string, Int8Array>

/**
 * Lines of a gram and its weights for the classes, in base64. Throws when the file does not fit the classes; `train` is
 * the command that writes it.
 */
export function parseLinearModel(
  table: string,
  classes: readonly string[],
  train: string,
): LinearModel {
  const [head = '', ...lines] = table.trimEnd().split('\n')
  if (head !== headOf(classes))
    throw new Error(`A model does not fit its classes: run \`${train}\`.`)
  return new Map(
    lines.map((line) => {
      const at = line.lastIndexOf('\t')
      return [line.slice(0, at), new Int8Array(Buffer.from(line.slice(at + 1), 'base64'))]
    }),
  )
}

export function writeLinearModel(model: LinearModel, classes: readonly string[]): string {
  const lines = [...model].map(
    ([gram, weights]) => `${gram}\t${Buffer.from(weights.buffer).toString('base64')}`,
  )
  return `${[headOf(classes), ...lines].join('\n')}\n`
}

const headOf = (classes: readonly string[]) => `gram\t${classes.join(' ')}`

/** How likely each class is, in their order, 0 to 1. */
export function classShares(
  grams: ReadonlyMap<string, number>,
  model: LinearModel,
  classCount: number,
): Float64Array {
  const sums = new Float64Array(classCount)
  for (const [gram, strength] of [...grams, [bias.gram, bias.strength] as const]) {
    const weights = model.get(gram)
    if (weights === undefined) continue
    for (const [place, weight] of weights.entries()) {
      sums[place] = (sums[place] ?? 0) + weight * weightStep * strength
    }
  }
  return toShares(sums)
}

/** Softmax. */
export function toShares(sums: Float64Array): Float64Array {
  const most = Math.max(...sums)
  const powers = sums.map((sum) => Math.exp(sum - most))
  const all = powers.reduce((sum, power) => sum + power, 0)
  return powers.map((power) => power / all)
}
