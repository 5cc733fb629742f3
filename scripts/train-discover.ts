// `npm run train:discover` rewrites the projection, the vectors and the weights of discover's ranking. The same
// questions and catalog give the same bytes.
import { writeFileSync } from 'node:fs'
import { createEncoder } from '#features/knowledge/discover/encoder.ts'
import { projectionFile, writeProjection } from '#features/knowledge/discover/projection.ts'
import { readTexts, readUnserved } from '#features/knowledge/discover/texts.ts'
import { tableOfVectors, vectorsFile } from '#features/knowledge/discover/vectors.ts'
import { weightsFile } from '#features/knowledge/discover/weights.ts'
import { systemClock } from '#platform/clock.ts'
import { ownNamespace } from '#test/own-actions.ts'
import { openWholeCatalog } from '../training/discover-catalog.ts'
import {
  createExamples,
  independentFile,
  ownFile,
  readQuestions,
} from '../training/discover-examples.ts'
import { learnProjection } from '../training/projection.ts'
import { trainRanker } from '../training/ranker.ts'

const digits = 4
/** Long, so that a busy machine learns the same result. */
const answerTimeoutMs = 120_000

const { catalog, close } = openWholeCatalog()
const encoder = createEncoder({ log: console, now: systemClock.now, answerTimeoutMs })
const documents = new Map([...readTexts(catalog.entries, ownNamespace), ...readUnserved()])
writeFileSync(projectionFile, writeProjection(await learnProjection(documents, encoder)))
writeFileSync(vectorsFile, await tableOfVectors(documents, encoder))
const questions = [independentFile, ownFile].flatMap((file) => readQuestions(file))
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
