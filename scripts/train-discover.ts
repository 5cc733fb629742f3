// `npm run train:discover` rewrites the projection, the vectors and the weights of discover's ranking. The same
// questions and catalog give the same bytes.
import { writeFileSync } from 'node:fs'
import { loadEncoder } from '#features/knowledge/discover/encoder.ts'
import { projectionFile, writeProjection } from '#features/knowledge/discover/projection.ts'
import { readTexts, readUnserved } from '#features/knowledge/discover/texts.ts'
import { tableOfVectors, vectorsFile } from '#features/knowledge/discover/vectors.ts'
import { weightsFile } from '#features/knowledge/discover/weights.ts'
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
import { learnScope } from '../training/scope.ts'

const digits = 4

const { catalog, close } = openWholeCatalog()
const encoder = loadEncoder()
const texts = readTexts(catalog.entries, ownNamespace)
const unserved = readUnserved()
const documents = new Map([...texts, ...unserved])
const scope = learnScope(texts.values(), unserved.values(), encoder)
writeFileSync(projectionFile, writeProjection(scope, learnProjection(documents, encoder)))
writeFileSync(vectorsFile, tableOfVectors(documents))
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
await close()
