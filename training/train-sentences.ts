// `npm run train:sentences` distils the sentence model of oracles/ into the vectors of tokens that discover compares
// meanings by. It takes some minutes. Afterwards run `npm run train:discover`.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { tokensFile, tokenVectorsFile } from '#features/knowledge/discover/encoder.ts'
import { openSentenceModel, vocabularyFile } from '#oracles/sentence-model.ts'
import { openWholeCatalog } from './discover-catalog.ts'
import { recordFingerprint } from './fingerprints.ts'
import { readSentences } from './sentence-texts.ts'
import { distil, writeTokens } from './sentences.ts'

const vocabulary = JSON.parse(readFileSync(vocabularyFile, 'utf8')) as [string, number | null][]
const { catalog, close } = openWholeCatalog()
const tokens = writeTokens(vocabulary)
const texts = readSentences(
  catalog.entries,
  vocabulary.map(([token]) => token),
)
const vectors = await distil(tokens, texts, await openSentenceModel())
mkdirSync(new URL('.', tokensFile), { recursive: true })
writeFileSync(tokensFile, tokens)
writeFileSync(tokenVectorsFile, vectors)
process.stdout.write(`${tokenVectorsFile.pathname}: learned from ${texts.size} texts.\n`)
await close()
recordFingerprint('npm run train:sentences')
