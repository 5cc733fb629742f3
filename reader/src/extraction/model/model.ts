// The trained model as it is kept in the repository: trees, what they were trained on, and which features they expect.
import { readFileSync } from 'node:fs'
import { featureNames } from '../features.ts'
import { type Lexicon, lexiconNames } from '../lexicon.ts'
import { type PageType, pageTypeNames } from '../page-type.ts'
import { secondLookNames } from '../second-look.ts'
import { hashText } from '../words.ts'
import type { Trees } from './trees.ts'

const modelVersion = 3
export const modelFile = new URL('./model.json', import.meta.url)

export interface WrittenModel {
  readonly version: number
  readonly credits: string
  /** Stands for the names of the features and their order. */
  readonly features: number
  readonly lexicon: Readonly<Record<keyof Lexicon, WrittenScores>>
  readonly pageType: WrittenTrees
  readonly first: WrittenTrees
  readonly second: Readonly<Record<PageType, WrittenTrees>>
}

interface WrittenScores {
  readonly hashes: string
  /** Scores from -1 to 1 as bytes from -127 to 127. */
  readonly scores: string
}

interface WrittenTrees {
  readonly base: number
  /** Little-endian numbers as base64. */
  readonly roots: string
  readonly nodeFeatures: string
  readonly nodeRights: string
  readonly nodeValues: string
}

export interface Model {
  readonly lexicon: Lexicon
  /** Judges each block by its features. */
  readonly first: Trees
  /** Tells articles from other pages. */
  readonly pageType: Trees
  /** Judges each block again by the judgements of the blocks around it, and by what belongs to a page of this type. */
  readonly second: Readonly<Record<PageType, Trees>>
}

const featuresHash = hashText(
  [...featureNames, '', ...lexiconNames, '', ...secondLookNames, '', ...pageTypeNames].join('\n'),
)
let loaded: Model | undefined

export function loadModel(): Model {
  loaded ??= readModel(JSON.parse(readFileSync(modelFile, 'utf8')) as WrittenModel)
  return loaded
}

export function readModel(written: WrittenModel): Model {
  if (written.version !== modelVersion || written.features !== featuresHash)
    throw new Error(
      'The extraction model was trained on other features than these. Train it again: npm run train <data folder>',
    )
  const { classes, words, texts } = written.lexicon
  return {
    lexicon: { classes: readScores(classes), words: readScores(words), texts: readScores(texts) },
    pageType: readTrees(written.pageType),
    first: readTrees(written.first),
    second: { article: readTrees(written.second.article), other: readTrees(written.second.other) },
  }
}

function readTrees(written: WrittenTrees): Trees {
  return {
    base: written.base,
    roots: new Uint32Array(bytesOf(written.roots)),
    features: new Uint16Array(bytesOf(written.nodeFeatures)),
    rights: new Uint16Array(bytesOf(written.nodeRights)),
    values: new Float32Array(bytesOf(written.nodeValues)),
  }
}

export function writeModel(
  { lexicon, pageType, first, second }: Model,
  credits: string,
): WrittenModel {
  return {
    version: modelVersion,
    credits,
    features: featuresHash,
    lexicon: {
      classes: writeScores(lexicon.classes),
      words: writeScores(lexicon.words),
      texts: writeScores(lexicon.texts),
    },
    pageType: writeTrees(pageType),
    first: writeTrees(first),
    second: { article: writeTrees(second.article), other: writeTrees(second.other) },
  }
}

function writeTrees({ base, roots, features, rights, values }: Trees): WrittenTrees {
  return {
    base,
    roots: textOf(roots),
    nodeFeatures: textOf(features),
    nodeRights: textOf(rights),
    nodeValues: textOf(values),
  }
}

function readScores({ hashes, scores }: WrittenScores): ReadonlyMap<number, number> {
  const values = new Int8Array(bytesOf(scores))
  return new Map(
    Array.from(new Int32Array(bytesOf(hashes)), (hash, index) => [
      hash,
      (values[index] as number) / 127,
    ]),
  )
}

function writeScores(scores: ReadonlyMap<number, number>): WrittenScores {
  return {
    hashes: textOf(Int32Array.from(scores.keys())),
    scores: textOf(Int8Array.from(scores.values(), (score) => Math.round(score * 127))),
  }
}

function bytesOf(text: string): ArrayBuffer {
  return Uint8Array.from(Buffer.from(text, 'base64')).buffer
}

function textOf({ buffer, byteOffset, byteLength }: ArrayBufferView): string {
  return Buffer.from(buffer, byteOffset, byteLength).toString('base64')
}
