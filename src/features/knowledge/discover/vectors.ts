// What the sentence model makes of the texts of each action: one vector, the mean of its texts'. `npm run generate`
// writes vectors.tsv, a line for each action, so that no gateway computes them at its start; texts that are not in the
// file, of private providers, are embedded at the first question.
import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import type { Encoder } from './encoder.ts'
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

/** A line is that of these texts and this projection as long as their hash is. */
const hashOf = (texts: readonly string[], { version }: Projection) =>
  createHash('sha256')
    .update([version, ...texts].join('\n'))
    .digest('base64url')
    .slice(0, 12)

async function embedLine(
  id: string,
  texts: readonly string[],
  { encoder, projection }: { readonly encoder: Encoder; readonly projection: Projection },
): Promise<string | undefined> {
  const vectors = await encoder.embed(texts)
  if (vectors === undefined) return undefined
  const projected = vectors.map((vector) => projection.project(vector))
  const sums = Array.from(projected[0] ?? [], (_, at) =>
    projected.reduce((sum, vector) => sum + (vector[at] ?? 0), 0),
  )
  const most = Math.max(...sums.map(Math.abs)) || 1
  const bytes = Int8Array.from(sums, (value) => Math.round((value / most) * byteMax))
  return `${id}\t${hashOf(texts, projection)}\t${Buffer.from(bytes.buffer).toString('base64')}`
}

/** The table of the file, brought up to date; without an encoder, what of it is so already. */
export async function tableOfVectors(
  documents: ReadonlyMap<string, ActionTexts>,
  encoder: Encoder | undefined,
): Promise<string> {
  const projection = loadProjection()
  const before = existsSync(vectorsFile) ? readLines(readFileSync(vectorsFile, 'utf8')) : new Map()
  const lines: string[] = []
  for (const [id, own] of documents) {
    const texts = embeddedTexts(own)
    const found = before.get(id)
    const isFresh = found?.hash === hashOf(texts, projection)
    const line = isFresh
      ? found.line
      : encoder && (await embedLine(id, texts, { encoder, projection }))
    if (line !== undefined) lines.push(line)
    else if (encoder !== undefined) throw new Error(`The sentence model has no vector for ${id}.`)
  }
  return `${lines.toSorted().join('\n')}\n`
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

/** The cosine of a question and each document, in order. */
export type MeaningIndex = (question: Float32Array) => Float64Array

export async function loadMeanings(
  documents: ReadonlyMap<string, ActionTexts>,
  encoder: Encoder,
): Promise<MeaningIndex> {
  const projection = loadProjection()
  const lines = readLines(readFileSync(vectorsFile, 'utf8'))
  const vectors: Float64Array[] = []
  for (const [id, own] of documents) {
    const texts = embeddedTexts(own)
    const found = lines.get(id)
    const isFresh = found?.hash === hashOf(texts, projection)
    const line = isFresh ? found.line : await embedLine(id, texts, { encoder, projection })
    vectors.push(parse(line))
  }
  return (question) => {
    const asked = projection.project(question)
    return Float64Array.from(vectors, (vector) => dot(asked, vector))
  }
}

function parse(line: string | undefined): Float64Array {
  const base64 = line?.slice(line.lastIndexOf('\t') + 1) ?? ''
  return unit([...new Int8Array(Buffer.from(base64, 'base64'))])
}

function dot(one: Float64Array, other: Float64Array): number {
  let sum = 0
  for (let at = 0; at < other.length; at += 1) sum += (one[at] ?? 0) * (other[at] ?? 0)
  return sum
}
