// The meaning of the texts of each action: one vector, the mean of its texts'. `npm run generate` writes vectors.tsv, a
// line for each action, so that no gateway computes them at its start; texts that are not in the file, of private
// providers, are embedded at the first question.
import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { type Encoder, loadEncoder } from './encoder.ts'
import { loadProjection, type Projection, unit } from './projection.ts'
import type { ActionTexts } from './texts.ts'

export const vectorsFile = new URL('./vectors.tsv', import.meta.url)
const byteMax = 127

/** What an action's vector is made of. */
export const embeddedTexts = ({ summary, synonym, question, phrase }: ActionTexts) => [
  ...summary,
  ...synonym,
  ...question,
  ...phrase,
]

interface Embedding {
  readonly encoder: Encoder
  readonly projection: Projection
}

/** A line is that of these texts and this embedding as long as their hash is. */
const hashOf = (texts: readonly string[], { encoder, projection }: Embedding) =>
  createHash('sha256')
    .update([encoder.version, projection.version, ...texts].join('\n'))
    .digest('base64url')
    .slice(0, 12)

function embedLine(id: string, texts: readonly string[], embedding: Embedding): string {
  const { encoder, projection } = embedding
  const projected = texts
    .map((text) => encoder.embed(text))
    .filter((vector) => vector !== undefined)
    .map((vector) => projection.project(vector))
  const sums = Array.from(projected[0] ?? [], (_, at) =>
    projected.reduce((sum, vector) => sum + (vector[at] ?? 0), 0),
  )
  const most = Math.max(...sums.map(Math.abs)) || 1
  const bytes = Int8Array.from(sums, (value) => Math.round((value / most) * byteMax))
  return `${id}\t${hashOf(texts, embedding)}\t${Buffer.from(bytes.buffer).toString('base64')}`
}

/** A line for each document: that of the file where it still holds, otherwise a new one. */
function currentLines(documents: ReadonlyMap<string, ActionTexts>, embedding: Embedding): string[] {
  const before = existsSync(vectorsFile) ? readLines(readFileSync(vectorsFile, 'utf8')) : new Map()
  return Array.from(documents, ([id, own]) => {
    const texts = embeddedTexts(own)
    const found = before.get(id)
    return found?.hash === hashOf(texts, embedding) ? found.line : embedLine(id, texts, embedding)
  })
}

/** The table of the file, brought up to date. */
export function tableOfVectors(documents: ReadonlyMap<string, ActionTexts>): string {
  const embedding = { encoder: loadEncoder(), projection: loadProjection() }
  return `${currentLines(documents, embedding).toSorted().join('\n')}\n`
}

/** Lines by action. */
function readLines(table: string): Map<string, { hash: string; line: string }> {
  return new Map(
    table
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => {
        const [id = '', hash = ''] = line.split('\t', 2)
        return [id, { hash, line }]
      }),
  )
}

export interface Meanings {
  /** Of the question and each document, in order. */
  readonly cosines: Float64Array
  /** The logit of the likelihood that some action answers the question. */
  readonly scope: number
}
export type MeaningIndex = (question: Float64Array) => Meanings

export function loadMeanings(
  documents: ReadonlyMap<string, ActionTexts>,
  encoder: Encoder,
): MeaningIndex {
  const projection = loadProjection()
  const vectors = currentLines(documents, { encoder, projection }).map(parse)
  return (question) => {
    const asked = projection.project(question)
    return {
      cosines: Float64Array.from(vectors, (vector) => dot(asked, vector)),
      scope: projection.scopeOf(question),
    }
  }
}

function parse(line: string): Float64Array {
  const base64 = line.slice(line.lastIndexOf('\t') + 1)
  return unit([...new Int8Array(Buffer.from(base64, 'base64'))])
}

function dot(one: Float64Array, other: Float64Array): number {
  let sum = 0
  for (let at = 0; at < other.length; at += 1) sum += (one[at] ?? 0) * (other[at] ?? 0)
  return sum
}
