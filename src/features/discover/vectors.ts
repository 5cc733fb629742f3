// What the sentence model makes of the catalog's texts. `npm run generate` writes vectors.tsv, a line for each action, so that no
// gateway computes them at its start; texts that are not in the file, of private providers, are embedded at the first question.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { Encoder } from './encoder.ts'
import type { ActionTexts } from './texts.ts'

export const vectorsFile = new URL('./vectors.tsv', import.meta.url)
const vectorSize = 512
/** Of the model's numbers, none of which is far from zero, in a byte. */
const scale = 127 / 0.1

/** What an action's vectors are made of, in the order of the file. */
export const embeddedTexts = ({ summary, synonym, question }: ActionTexts): readonly string[] => [
  ...summary,
  ...synonym,
  ...question,
]

/** The texts are those of the line as long as their hash is. */
export const hashOf = (texts: readonly string[]) =>
  createHash('sha256').update(texts.join('\n')).digest('base64url').slice(0, 12)

export function writeLine(id: string, texts: readonly string[], vectors: readonly Float32Array[]) {
  const bytes = vectors.flatMap((vector) =>
    Array.from(vector, (value) => Math.max(-127, Math.min(127, Math.round(value * scale)))),
  )
  return `${id}\t${hashOf(texts)}\t${Buffer.from(Int8Array.from(bytes).buffer).toString('base64')}`
}

/** Hash and vectors by action. */
export function readLines(table: string): Map<string, { hash: string; line: string }> {
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

export interface ActionVectors {
  readonly summary: readonly Int8Array[]
  readonly synonym: readonly Int8Array[]
  readonly question: readonly Int8Array[]
}

export async function loadVectors(
  texts: ReadonlyMap<string, ActionTexts>,
  encoder: Encoder,
): Promise<Map<string, ActionVectors>> {
  const lines = readLines(readFileSync(vectorsFile, 'utf8'))
  const vectors = new Map<string, ActionVectors>()
  for (const [id, own] of texts) {
    const wanted = embeddedTexts(own)
    const found = lines.get(id)
    const isFresh = found?.hash === hashOf(wanted)
    const line = isFresh ? found.line : await embedLine(id, wanted, encoder)
    if (line !== undefined) vectors.set(id, split(line, own))
  }
  return vectors
}

async function embedLine(id: string, texts: readonly string[], encoder: Encoder) {
  const vectors = await encoder.embed(texts)
  return vectors === undefined ? undefined : writeLine(id, texts, vectors)
}

function split(line: string, texts: ActionTexts): ActionVectors {
  const bytes = Buffer.from(line.slice(line.lastIndexOf('\t') + 1), 'base64')
  const all = new Int8Array(bytes.buffer, bytes.byteOffset, bytes.length)
  let at = 0
  const take = ({ length }: readonly string[]) =>
    Array.from({ length }, () => {
      at += vectorSize
      return all.subarray(at - vectorSize, at)
    })
  return {
    summary: take(texts.summary),
    synonym: take(texts.synonym),
    question: take(texts.question),
  }
}

/** The cosine of a question's vector and a stored one. */
export function likeness(question: Float32Array, stored: Int8Array): number {
  let sum = 0
  let square = 0
  for (let at = 0; at < stored.length; at += 1) {
    const value = stored[at] ?? 0
    sum += (question[at] ?? 0) * value
    square += value * value
  }
  return square === 0 ? 0 : sum / Math.sqrt(square)
}
