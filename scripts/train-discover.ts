// `npm run train:discover` writes the weights of discover's ranking anew. The same questions and catalog give the same bytes.
import { writeFileSync } from 'node:fs'
import { createEncoder } from '#features/discover/encoder.ts'
import { weightsFile } from '#features/discover/weights.ts'
import { systemClock } from '#platform/clock.ts'
import { openWholeCatalog } from '../training/discover-catalog.ts'
import {
  createExamples,
  ownQuestions,
  questionsFile,
  readQuestions,
} from '../training/discover-examples.ts'
import { trainRanker } from '../training/ranker.ts'

const digits = 4
/** Nobody waits for an answer here, and a busy machine shall learn the same. */
const answerTimeoutMs = 120_000

const { catalog, close } = openWholeCatalog()
const encoder = createEncoder({ log: console, now: systemClock.now, answerTimeoutMs })
const questions = [...readQuestions(questionsFile), ...ownQuestions(catalog.entries)]
const examples = await createExamples(catalog.entries, questions, encoder)
const weights = {
  withModel: trainRanker(examples, { withModel: true }),
  withoutModel: trainRanker(examples, { withModel: false }),
}
const round = (_key: string, value: unknown) =>
  typeof value === 'number' ? Number(value.toFixed(digits)) : value
writeFileSync(weightsFile, `${JSON.stringify(weights, round, 2)}\n`)
console.log(`${weightsFile.pathname}: learned from ${examples.length} questions.`)
await encoder.close()
await close()
