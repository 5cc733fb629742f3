// `npm run train:consult` rewrites the weights by which consult reads what an intent asks for. The same lines give the same bytes.
import { writeFileSync } from 'node:fs'
import { outcomesFile, writeOutcomes } from '#features/plans/consult/outcomes.ts'
import { readIntents, trainOutcomes } from '../training/consult.ts'

const intents = readIntents()
const model = trainOutcomes(intents)
writeFileSync(outcomesFile, writeOutcomes(model))
console.log(
  `${outcomesFile.pathname}: ${model.size} grams, learned from ${intents.length} intents and phrases.`,
)
