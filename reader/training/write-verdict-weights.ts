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
  ].join('\n')
}

function line(name: string, samples: readonly LabelledSample[]): string {
  const { caught, flagged, precision } = measureVerdicts(samples)
  const [one, two, three] = [caught, flagged, precision].map((share) => (share * 100).toFixed(1))
  return `| ${name} | ${samples.length} | ${one} % | ${two} % | ${three} % |`
}
