// `npm run train <data folder>` writes the extraction model anew. The same data gives the same bytes.
import { writeFileSync } from 'node:fs'
import { modelFile, writeModel } from '../reader/src/extraction/model.ts'
import { exampleOf } from '../reader/training/examples.ts'
import { readPages } from '../reader/training/pages.ts'
import { trainingOptions, trainModel } from '../reader/training/train-model.ts'

const credits =
  'Trained on the development split of WCXB (Web Content Extraction Benchmark) by Murrough Foley, CC-BY-4.0, https://github.com/Murrough-Foley/web-content-extraction-benchmark'
const modelBytesMax = 1_000_000

const [folder] = process.argv.slice(2)
if (folder === undefined) {
  console.error('Say where the data is: npm run train <folder with pages.jsonl.gz>')
  process.exit(1)
}
const startedAt = performance.now()
const examples = []
for await (const page of readPages(folder)) examples.push(exampleOf(page))
console.log(`${examples.length} pages are read.`)
const written = JSON.stringify(writeModel(trainModel(examples, trainingOptions), credits), null, 2)
if (written.length > modelBytesMax)
  throw new Error(
    `The model has ${written.length} bytes, and at most ${modelBytesMax} are allowed.`,
  )
writeFileSync(modelFile, `${written}\n`)
console.log(
  `${modelFile.pathname}: ${written.length} bytes in ${((performance.now() - startedAt) / 1_000).toFixed(0)} s`,
)
