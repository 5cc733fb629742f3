// What each set of weights was learned from, in hashes. Training again takes a minute of the processor, so the quick
// check compares the hashes, and the slow tests train.
import { createHash } from 'node:crypto'
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'

const root = path.join(import.meta.dirname, '..')
const recordFile = path.join(import.meta.dirname, 'fingerprints.tsv')

interface Learned {
  /** The command that learns it. */
  readonly command: string
  /** Patterns of the weights, of what they are learned from, and of the program that learns. */
  readonly files: readonly string[]
}

const learned: readonly Learned[] = [
  {
    command: 'npm run train:consult',
    files: ['models/consult/*.tsv', 'training/consult/*.tsv', 'training/{consult,linear-model}.ts'],
  },
  {
    command: 'npm run train:search',
    files: [
      'models/search/routing.tsv',
      'training/search/*',
      'training/{search-router,linear-model}.ts',
    ],
  },
  {
    command: 'npm run train:sentences',
    files: ['models/sentences/*', 'training/{sentences,sentence-texts}.ts'],
  },
  {
    command: 'npm run train',
    files: [
      'reader/src/verdict/interstitials/weights.json',
      'reader/samples/*.jsonl',
      'reader/training/train-verdict.ts',
    ],
  },
]

/** A command, and the hash of all that it reads and writes. */
export interface Fingerprint {
  readonly command: string
  readonly hash: string
}

export const takeFingerprints = (): Fingerprint[] =>
  learned.map(({ command, files }) => {
    const hash = createHash('sha256')
    for (const file of globSync(files, { cwd: root }).sort())
      hash.update(`${file}\0`).update(readFileSync(path.join(root, file)))
    return { command, hash: hash.digest('hex').slice(0, 16) }
  })

export const readFingerprints = (): Fingerprint[] =>
  readFileSync(recordFile, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => {
      const [command = '', hash = ''] = line.split('\t')
      return { command, hash }
    })

/** Call this after a training. Only the line of its command changes. */
export function recordFingerprint(command: string): void {
  const before = new Map(readFingerprints().map((known) => [known.command, known.hash]))
  const lines = takeFingerprints().map((now) => {
    const hash = now.command === command ? now.hash : (before.get(now.command) ?? '')
    return `${now.command}\t${hash}\n`
  })
  writeFileSync(recordFile, lines.join(''))
}
