// The labelled pages that verdicts are trained and tested on. `sources.json` says where each file comes from and which
// split it belongs to; all are in our own words, and no page is copied.
import { readFileSync } from 'node:fs'
import written from './sources.json' with { type: 'json' }

export interface LabelledSample {
  readonly kind: 'wall' | 'page'
  /** Unique within its source and kind. */
  readonly name: string
  readonly html: string
  /** Of the reply. HTML unless given. */
  readonly contentType?: string
  /** Whose wall it is, where marks are known for it. */
  readonly vendor?: string
  /** Of the reply as it was recorded. 200, no telling headers and an address of no meaning unless given. */
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly finalUrl?: string
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
    const recorded = lines.split('\n').map((line): LabelledSample => JSON.parse(line))
    return { name, split, samples: recorded.flatMap(withStatusOk) }
  })
}

/** A recorded reply, and the same with status 200 and without its headers: the body alone must give a wall away. */
function withStatusOk(sample: LabelledSample): LabelledSample[] {
  const { status = 200, headers = {}, ...rest } = sample
  if (status === 200 && Object.keys(headers).length === 0) return [rest]
  return [rest, { ...sample, name: `${sample.name}, as recorded` }]
}
