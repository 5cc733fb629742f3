// Trains the extraction model on a folder with labelled pages, and writes it.
import { writeFileSync } from 'node:fs'
import { modelFile, writeModel } from '../src/extraction/model.ts'
import { exampleOf } from './examples.ts'
import { readPages } from './pages.ts'
import { trainingOptions, trainModel } from './train-model.ts'

const credits =
  'Trained on the development split of WCXB (Web Content Extraction Benchmark) by Murrough Foley, CC-BY-4.0, https://github.com/Murrough-Foley/web-content-extraction-benchmark'
const modelBytesMax = 1_000_000

/** What was done, in a line. The same pages give the same bytes. */
export async function writeExtractor(folder: string): Promise<string> {
  const examples = []
  for await (const page of readPages(folder)) examples.push(exampleOf(page))
  const written = JSON.stringify(
    writeModel(trainModel(examples, trainingOptions), credits),
    null,
    2,
  )
  if (written.length > modelBytesMax)
    throw new Error(`The model has ${written.length} bytes. The limit is ${modelBytesMax}.`)
  writeFileSync(modelFile, `${written}\n`)
  return `Extraction model: ${examples.length} pages, ${written.length} bytes.`
}
