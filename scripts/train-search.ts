// `npm run train:search` rewrites the weights by which a question is routed to facets. The same questions give the same
// bytes.
import { writeFileSync } from 'node:fs'
import { modelFile, writeModel } from '#features/knowledge/search/routing/model.ts'
import { recordFingerprint } from '../training/fingerprints.ts'
import { readQuestions, trainRouter } from '../training/search-router.ts'

const questions = readQuestions()
const model = trainRouter(questions)
writeFileSync(modelFile, writeModel(model))
console.log(
  `${modelFile.pathname}: ${model.size} grams, learned from ${questions.length} questions.`,
)
recordFingerprint('npm run train:search')
