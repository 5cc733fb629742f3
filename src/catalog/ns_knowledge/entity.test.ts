import { expect, test } from 'vitest'
import { replayAction } from '#test/run-action.ts'
import { knowledge } from './provider.ts'

const ask = (entity: object, lang: string) =>
  replayAction(knowledge, 'entity', {
    exchanges: [
      {
        request: {
          method: 'GET',
          host: { host: 'www.wikidata.org' },
          path: '/wiki/Special:EntityData/Q187560.json',
          query: {},
        },
        reply: { status: 200, body: { entities: { Q187560: { id: 'Q187560', ...entity } } } },
      },
    ],
    input: { id: 'Q187560', lang },
  })
const value = (text: string) => ({ value: text })

test('a name that is the same in all languages is the label of each, unless it has its own', async () => {
  const scheme = {
    labels: { mul: value('Scheme'), ja: value('スキーム') },
    aliases: { mul: [value('R7RS')], en: [value('Scheme language')] },
    descriptions: { en: value('programming language') },
  }
  expect((await ask(scheme, 'en')).output).toMatchObject({
    label: 'Scheme',
    description: 'programming language',
    aliases: ['Scheme language', 'R7RS'],
  })
  expect((await ask(scheme, 'ja')).output).toMatchObject({
    label: 'スキーム',
    description: null,
    aliases: ['R7RS'],
  })
})

test('an entity without anything has empty lists where objects would be', async () => {
  const { output } = await ask(
    { labels: [], descriptions: [], aliases: [], claims: [], sitelinks: [] },
    'en',
  )
  expect(output).toMatchObject({ label: null, aliases: [], claims: {}, sitelinks: {} })
})
