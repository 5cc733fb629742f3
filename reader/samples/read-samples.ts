// The labelled pages that verdicts are trained and tested on. `sources.json` says where each file comes from and which split
// it belongs to; all are in our own words, and no page is copied.
import { readFileSync } from 'node:fs'
import written from './sources.json' with { type: 'json' }

export interface LabelledSample {
  readonly kind: 'wall' | 'page'
  /** Unique within its source and kind. */
  readonly name: string
  readonly html: string
  /** Of the reply. HTML unless given. */
  readonly contentType?: string
}

/** Rules, words and weights are made from `dev` alone. `test` is only measured, and its mistakes are not looked at. */
export type Split = 'dev' | 'test'

export interface SampleSource {
  readonly name: string
  readonly split: Split
  readonly samples: readonly LabelledSample[]
}

const sources: Readonly<Record<string, { readonly split: string }>> = written

export function readSamples(): SampleSource[] {
  return Object.entries(sources).map(([name, { split }]) => {
    if (split !== 'dev' && split !== 'test')
      throw new Error(`sources.json: the split of ${name} is ${split}, not dev or test.`)
    const lines = readFileSync(new URL(`./${name}.jsonl`, import.meta.url), 'utf8').trimEnd()
    return { name, split, samples: lines.split('\n').map((line) => JSON.parse(line)) }
  })
}
