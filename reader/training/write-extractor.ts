// Trains the extraction model on folders with labelled pages, and writes it.
import { writeFileSync } from 'node:fs'
import { modelFile, writeModel } from '../src/extraction/model/model.ts'
import { readExamples } from './examples.ts'
import { trainingOptions, trainModel } from './train-model.ts'

const credits = [
  'Trained on the development split of WCXB (Web Content Extraction Benchmark) by Murrough Foley, CC-BY-4.0, https://github.com/Murrough-Foley/web-content-extraction-benchmark',
  'and on pages of the evaluation of trafilatura by Adrien Barbaresi, Apache-2.0, https://github.com/adbar/trafilatura',
].join(', ')
const modelBytesMax = 1_000_000

/** Returns a line about the model. The same pages give the same bytes. */
export async function writeExtractor(folders: readonly string[]): Promise<string> {
  const examples = await readExamples(folders)
  const written = JSON.stringify(
    writeModel(trainModel(examples, trainingOptions), credits),
    null,
    2,
  )
  if (written.length > modelBytesMax)
    throw new Error(`The model has ${written.length} bytes. The limit is ${modelBytesMax}.`)
  writeFileSync(modelFile, `${written}\n`)
  return `Extraction model: ${examples.filter(({ isFollowed }) => !isFollowed).length} pages, ${written.length} bytes.`
}
