// Trains both stages. The second must learn from judgements like those it will meet, so each page is judged for it by
// trees that were not trained on the page's domain.
import { featureNames } from '../src/features/reading/extraction/features.ts'
import type { Model } from '../src/features/reading/extraction/model.ts'
import { secondLookNames, takeSecondLook } from '../src/features/reading/extraction/second-look.ts'
import { evaluateTrees, type Trees } from '../src/features/reading/extraction/trees.ts'
import { hashText } from '../src/features/reading/extraction/words.ts'
import { binFeatures, type Table } from './bins.ts'
import { type BoostOptions, boost } from './boost.ts'
import type { Example } from './examples.ts'

export interface TrainingOptions {
  readonly first: BoostOptions
  readonly second: BoostOptions
  readonly parts: number
}

const careful = {
  learningRate: 0.1,
  leavesMax: 48,
  depthMax: 9,
  l2: 3,
  hessianMin: 3,
  rowShare: 0.5,
  featureShare: 0.2,
  seed: 20_260,
}
export const trainingOptions: TrainingOptions = {
  first: { ...careful, trees: 120 },
  second: { ...careful, trees: 200, learningRate: 0.06 },
  parts: 3,
}

export function trainModel(examples: readonly Example[], options: TrainingOptions): Model {
  const first = train(examples, options.first)
  const looked = examples.map((example) => ({ ...example }))
  for (let part = 0; part < options.parts; part += 1) {
    const inPart = (example: Example) => partOf(example.domain, options.parts) === part
    const trees = train(
      examples.filter((example) => !inPart(example)),
      options.first,
    )
    examples.forEach((example, index) => {
      if (inPart(example)) looked[index] = withSecondLook(example, trees)
    })
  }
  return { first, second: train(looked, options.second) }
}

function withSecondLook(example: Example, trees: Trees): Example {
  const [table] = example.tables as [Table]
  const rows = takeSecondLook(example.page, evaluateTrees(trees, table.rows, featureNames.length))
  return { ...example, tables: [table, { rows, width: secondLookNames.length }] }
}

function train(examples: readonly Example[], options: BoostOptions): Trees {
  const pick = (from: (example: Example) => Float32Array) =>
    Float32Array.from(
      examples.flatMap((example) =>
        Array.from(example.chosen, (block) => from(example)[block] as number),
      ),
    )
  return boost(
    binFeatures(examples),
    pick(({ targets }) => targets),
    pick(({ weights }) => weights),
    options,
  )
}

/** Domains fall into parts by their names, so that no domain is in two. */
export function partOf(domain: string, parts: number): number {
  return (hashText(domain) >>> 5) % parts
}
