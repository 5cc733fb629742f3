// The texts by which the vectors of tokens are learned: what the catalog says, and what people ask for. None is a
// question that discover is measured by.
import { readFileSync } from 'node:fs'
import type { CatalogEntry } from '#core/catalog.ts'
import { readTexts } from '#features/knowledge/discover/texts.ts'
import { ownNamespace } from '#test/own-actions.ts'
import { readIntents } from './consult.ts'
import { ownFile, readQuestions } from './discover-examples.ts'

const searchFile = new URL('./search/own.tsv', import.meta.url)
/** The sentence model reads no more than 128 tokens. */
const textLengthMax = 400

/** `tokens`: each token is a text too, so that those that no other text has get a vector. */
export function readSentences(
  entries: readonly CatalogEntry[],
  tokens: readonly string[],
): Set<string> {
  const ofActions = [...readTexts(entries, ownNamespace).values()]
  const searches = readFileSync(searchFile, 'utf8').trimEnd().split('\n')
  const texts = [
    ...ofActions.flatMap((fields) => Object.values(fields).flat()),
    ...readIntents().map(({ text }) => text),
    ...readQuestions(ownFile).map(({ question }) => question),
    ...searches.map((line) => line.slice(line.indexOf('\t') + 1)),
    ...tokens.map((token) => token.replaceAll('\u2581', ' ').trim()),
  ]
  return new Set(texts.map((text) => text.slice(0, textLengthMax)).filter((text) => text !== ''))
}
