// Trains the weights of verdicts on the dev split, writes them, and tells what they achieve on both splits.
import { writeFileSync } from 'node:fs'
import { type LabelledSample, readSamples, type Split } from '../samples/read-samples.ts'
import { loadVocabulary } from '../src/verdict/interstitials/vocabulary.ts'
import { weightsFile, writeWeights } from '../src/verdict/interstitials/weights.ts'
import { measureVerdicts } from './measure-verdicts.ts'
import { trainVerdict, verdictTrainingOptions } from './train-verdict.ts'

/** A table of the quality on each source and split. The same samples and vocabulary give the same bytes. */
export function writeVerdictWeights(): string {
  const sources = readSamples()
  const samplesOf = (split: Split) =>
    sources.filter((source) => source.split === split).flatMap(({ samples }) => samples)
  const weights = trainVerdict(samplesOf('dev'), verdictTrainingOptions)
  const written = writeWeights(weights, loadVocabulary())
  writeFileSync(weightsFile, `${JSON.stringify(written, null, 2)}\n`)
  return [
    '| samples | count | walls caught | pages flagged | precision of blocked |',
    '|---|---|---|---|---|',
    ...sources.map(({ name, split, samples }) => line(`${name} (${split})`, samples)),
    line('all of dev', samplesOf('dev')),
    line('all of test', samplesOf('test')),
    `Walls of a vendor caught without its marks: ${share(caughtWithoutMarks(samplesOf('dev')))}`,
  ].join('\n')
}

/** The share of walls that would be caught if their vendor were unknown, by status 200 and the body alone. */
function caughtWithoutMarks(samples: readonly LabelledSample[]): number {
  const byVendor = Map.groupBy(
    samples.filter(({ kind, status = 200 }) => kind === 'wall' && status === 200),
    ({ vendor }) => vendor,
  )
  byVendor.delete(undefined)
  const caught = [...byVendor].map(
    ([vendor = '', own]) => own.length * measureVerdicts(own, { withoutVendor: vendor }).caught,
  )
  const count = [...byVendor.values()].reduce((sum, own) => sum + own.length, 0)
  return caught.reduce((sum, each) => sum + each, 0) / count
}

function line(name: string, samples: readonly LabelledSample[]): string {
  const { caught, flagged, precision } = measureVerdicts(samples)
  const [one, two, three] = [caught, flagged, precision].map(share)
  return `| ${name} | ${samples.length} | ${one} | ${two} | ${three} |`
}

function share(part: number): string {
  return `${(part * 100).toFixed(1)} %`
}
