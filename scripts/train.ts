// `npm run train` rewrites the weights of the reader's verdicts; `npm run train <data folders>` also its extraction
// model.
import { writeExtractor } from '../reader/training/write-extractor.ts'
import { writeVerdictWeights } from '../reader/training/write-verdict-weights.ts'
import { recordFingerprint } from '../training/fingerprints.ts'

const folders = process.argv.slice(2)
const startedAt = performance.now()
if (folders.length > 0) console.log(await writeExtractor(folders))
else console.log('For the extraction model too: npm run train <folders with pages.jsonl.gz>')
// The samples are read with the extraction model.
console.log(writeVerdictWeights())
recordFingerprint('npm run train')
console.log(`${((performance.now() - startedAt) / 1_000).toFixed(0)} s`)
