// Trains both stages. The second must learn from judgements like those it will meet, so each page is judged for it by
// trees that were not trained on the page's domain.
import { joinRows } from '../src/extraction/judge-blocks.ts'
import { lexiconNames, lookUp } from '../src/extraction/lexicon.ts'
import type { Model } from '../src/extraction/model/model.ts'
import { evaluateTrees, type Trees } from '../src/extraction/model/trees.ts'
import { secondLookNames, takeSecondLook } from '../src/extraction/second-look.ts'
import { binFeatures } from './bins.ts'
import { type BoostOptions, boost } from './boost.ts'
import type { Example } from './examples.ts'
import { learnLexicon } from './learn-lexicon.ts'
import { partOf } from './parts.ts'
import { isArticle, trainPageType } from './train-page-type.ts'

export interface TrainingOptions {
  readonly first: BoostOptions
  readonly second: BoostOptions
  readonly pageType: BoostOptions
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
  second: { ...careful, trees: 120, learningRate: 0.1 },
  pageType: {
    ...careful,
    trees: 60,
    leavesMax: 8,
    depthMax: 4,
    hessianMin: 3,
    rowShare: 0.7,
    featureShare: 0.5,
  },
  parts: 3,
}

export function trainModel(examples: readonly Example[], options: TrainingOptions): Model {
  const { parts } = options
  const found = examples.filter(({ isFollowed }) => !isFollowed)
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
  return {
    lexicon: learnLexicon(found),
    pageType: trainPageType(found, options.pageType),
    first: train(looked, options.first, foundShare),
    second: {
      article: train(twice, options.second, articleShare),
      other: train(twice, options.second, foundShare),
    },
  }
}

/** Made pages teach where an article ends, and nothing else: what follows an article is content elsewhere. */
const foundShare = ({ isFollowed }: Example) => (isFollowed ? 0 : 1)
const articleShare = (example: Example) =>
  example.isFollowed ? followedShare : isArticle(example) ? 1 : otherShare
const followedShare = 0.5
/** Menus and footers are the same on other pages. */
const otherShare = 0.25

/** Changes each example by what is learned from the found pages of the other parts. */
function byParts(
  examples: readonly Example[],
  parts: number,
  learn: (others: readonly Example[]) => (example: Example) => Example,
): readonly Example[] {
  const changed = [...examples]
  for (let part = 0; part < parts; part += 1) {
    const inPart = ({ site }: Example) => partOf(site, parts) === part
    const change = learn(examples.filter((example) => !inPart(example) && !example.isFollowed))
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

function train(
  examples: readonly Example[],
  options: BoostOptions,
  shareOf: (example: Example) => number = () => 1,
): Trees {
  const counted = examples.filter((example) => shareOf(example) > 0)
  const rows = counted.reduce((sum, { chosen }) => sum + chosen.length, 0)
  const targets = new Float32Array(rows)
  const weights = new Float32Array(rows)
  let row = 0
  for (const example of counted) {
    const share = shareOf(example)
    for (const block of example.chosen) {
      targets[row] = example.targets[block] as number
      weights[row] = (example.weights[block] as number) * share
      row += 1
    }
  }
  return boost(binFeatures(counted), targets, weights, options)
}
