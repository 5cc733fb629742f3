import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base'
import { expect, test } from 'vitest'
import { estimateTokens } from './tokens.ts'

const documents = path.join(import.meta.dirname, '../../../docs/use')
const texts = [
  ...readdirSync(documents)
    .filter((name) => name.endsWith('.md'))
    .map((name) => [name, readFileSync(path.join(documents, name), 'utf8')] as const),
  [
    'German',
    'Der Fluss lief an der alten Mühle vorbei, und der Müller zählte am Abend seine Säcke Mehl. ',
  ],
  [
    'French',
    'La rivière coulait près du vieux moulin, et chaque soir le meunier comptait ses sacs de farine. ',
  ],
  [
    'Russian',
    'Река текла мимо старой мельницы, и каждый вечер мельник считал свои мешки с мукой. ',
  ],
  ['Chinese', '河水流过古老的磨坊，磨坊主每天晚上都要数一数他的面粉袋。'],
  ['Japanese', '川は古い水車小屋のそばを流れ、粉屋は毎晩小麦粉の袋を数えていました。'],
] as const

test.each(texts)('%s: the estimate is within a quarter of the count', (_name, text) => {
  const counted = countTokens(text)
  expect(estimateTokens(text)).toBeGreaterThan(counted * 0.75)
  expect(estimateTokens(text)).toBeLessThan(counted * 1.25)
})

test('a long text counts in proportion, and an empty one is nothing', () => {
  const sentence = 'The miller counted his sacks of flour every evening. '
  const page = sentence.repeat(2_000)
  expect(estimateTokens(page.repeat(10)) / estimateTokens(page)).toBeCloseTo(10, 1)
  expect(estimateTokens('')).toBe(0)
})
