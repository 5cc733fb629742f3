// `npm run train` rewrites the weights of the reader's verdicts; `npm run train <data folder>` also its extraction model.
import { writeExtractor } from '../reader/training/write-extractor.ts'
import { writeVerdictWeights } from '../reader/training/write-verdict-weights.ts'

const [folder] = process.argv.slice(2)
const startedAt = performance.now()
console.log(writeVerdictWeights())
if (folder === undefined)
  console.log('For the extraction model too: npm run train <folder with pages.jsonl.gz>')
else console.log(await writeExtractor(folder))
console.log(`${((performance.now() - startedAt) / 1_000).toFixed(0)} s`)
