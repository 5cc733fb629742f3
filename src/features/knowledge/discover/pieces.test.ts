import { expect, test } from 'vitest'
import { createPieceIndex } from './pieces.ts'
import { type ActionTexts, fieldNames } from './texts.ts'

const textsOf = (own: Partial<ActionTexts>): ActionTexts => ({
  ...(Object.fromEntries(fieldNames.map((name) => [name, []])) as unknown as ActionTexts),
  ...own,
})
const score = await createPieceIndex([
  textsOf({ synonym: ['translate a letter', 'translation of letters'] }),
  textsOf({ phrase: ['weather forecast', 'forecast of the weather'] }),
])

test.each(['wether forcast', 'weatherforecast', 'Forecasting'])(
  'a word in another spelling is nearer to the text that has it: %s',
  (question) => {
    const [letters = 0, weather = 0] = score(question)
    expect(weather).toBeGreaterThan(letters)
  },
)

test('a question without a known piece has no similarity', () => {
  expect([...score('xqzv 42')]).toEqual([0, 0])
  expect([...score('')]).toEqual([0, 0])
})
