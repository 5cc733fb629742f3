// `npm run train:consult` rewrites the weights by which consult reads what an intent asks for, whether it names what it
// is about, and chooses what to do about it. The same lines and catalog give the same bytes.
import { writeFileSync } from 'node:fs'
import { createDiscover } from '#features/knowledge/discover/discover.ts'
import { choiceWeightsFile } from '#features/knowledge/plans/consult/choice.ts'
import { namingFile, writeNaming } from '#features/knowledge/plans/consult/naming.ts'
import { outcomesFile, writeOutcomes } from '#features/knowledge/plans/consult/outcomes.ts'
import { ownNamespace } from '#test/own-actions.ts'
import { choiceRecordFile, recordChoice, writeRecord } from '../training/choice-record.ts'
import { readIntents, readNamed, trainNaming, trainOutcomes } from '../training/consult.ts'
import { createAllExamples, trainChoice, writeChoice } from '../training/consult-choice.ts'
import { openWholeCatalog } from '../training/discover-catalog.ts'
import { recordFingerprint } from '../training/fingerprints.ts'

writeFileSync(outcomesFile, writeOutcomes(trainOutcomes(readIntents())))
writeFileSync(namingFile, writeNaming(trainNaming(readNamed())))
// The choice is learned from what the files above say.
const { catalog, close } = openWholeCatalog()
const { rank } = createDiscover({ catalog: () => catalog, ownNamespace })
const examples = await createAllExamples(catalog, rank)
const weights = writeChoice(trainChoice(examples))
writeFileSync(choiceWeightsFile, weights)
writeFileSync(choiceRecordFile, writeRecord(recordChoice(examples, weights)))
console.log(`${choiceWeightsFile.pathname}: learned from ${examples.length} intents.`)
await close()
recordFingerprint('npm run train:consult')
