// Trains both stages. The second must learn from judgements like those it will meet, so each page is judged for it by
// trees that were not trained on the page's domain.
import { joinRows } from '../src/extraction/extract-main.ts'
import { lexiconNames, lookUp } from '../src/extraction/lexicon.ts'
import type { Model } from '../src/extraction/model.ts'
import { secondLookNames, takeSecondLook } from '../src/extraction/second-look.ts'
import { evaluateTrees, type Trees } from '../src/extraction/trees.ts'
import { hashText } from '../src/extraction/words.ts'
import { binFeatures } from './bins.ts'
import { type BoostOptions, boost } from './boost.ts'
import type { Example } from './examples.ts'
import { learnLexicon } from './learn-lexicon.ts'

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
  hessianMin: 10,
  rowShare: 0.5,
  featureShare: 0.2,
  seed: 20_260,
}
export const trainingOptions: TrainingOptions = {
  first: { ...careful, trees: 80, learningRate: 0.12 },
  second: { ...careful, trees: 200, learningRate: 0.07 },
  parts: 3,
}

export function trainModel(examples: readonly Example[], options: TrainingOptions): Model {
  const { parts } = options
  const lexicon = learnLexicon(examples)
  const looked = byParts(examples, parts, (others) => {
    const learned = learnLexicon(others)
    return (example) => withTable(example, lookUp(example.page, learned), lexiconNames.length)
  })
  const twice = byParts(looked, parts, (others) => {
    const trees = train(others, options.first)
    return (example) =>
      withTable(
        example,
        takeSecondLook(example.page, judge(example, trees)),
        secondLookNames.length,
      )
  })
  return { lexicon, first: train(looked, options.first), second: train(twice, options.second) }
}

/** Changes each example by what is learned from the examples of the other parts. */
function byParts(
  examples: readonly Example[],
  parts: number,
  learn: (others: readonly Example[]) => (example: Example) => Example,
): readonly Example[] {
  const changed = [...examples]
  for (let part = 0; part < parts; part += 1) {
    const inPart = ({ domain }: Example) => partOf(domain, parts) === part
    const change = learn(examples.filter((example) => !inPart(example)))
    examples.forEach((example, index) => {
      if (inPart(example)) changed[index] = change(example)
    })
  }
  return changed
}

function withTable(example: Example, rows: Float32Array, width: number): Example {
  return { ...example, tables: [...example.tables, { rows, width }] }
}

function judge({ page, tables }: Example, trees: Trees): Float32Array {
  const width = tables.reduce((sum, table) => sum + table.width, 0)
  const joined = joinRows(
    page.tree.blocks.length,
    tables.map(({ rows }) => rows),
  )
  return evaluateTrees(trees, joined, width)
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
  return (hashText(`${parts} ${domain}`) >>> 5) % parts
}
