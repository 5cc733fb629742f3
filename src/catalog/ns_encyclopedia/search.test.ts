import { expect, test } from 'vitest'
import { replayAction } from '#test/run-action.ts'
import { encyclopedia } from './provider.ts'

const ask = (input: object, query: object, totalhits: number, listed: number) =>
  replayAction(encyclopedia, 'search', {
    exchanges: [
      {
        request: {
          method: 'GET',
          host: { lang: 'en' },
          path: '/w/api.php',
          query: { action: 'query', format: 'json', list: 'search', srsearch: 'tea', ...query },
        },
        reply: {
          status: 200,
          body: {
            query: {
              searchinfo: { totalhits },
              search: Array.from({ length: listed }, (_, pageid) => ({ title: 'Tea', pageid })),
            },
          },
        },
      },
    ],
    input: { q: 'tea', ...input },
  })

test.each([
  [{}, { srlimit: '10' }, 25, 10, 10],
  [{ offset: 10 }, { srlimit: '10', sroffset: '10' }, 25, 10, 20],
  [{ offset: 20 }, { srlimit: '10', sroffset: '20' }, 25, 5, null],
  [{ limit: 500, offset: 9_500 }, { srlimit: '500', sroffset: '9500' }, 30_000, 500, null],
])('%j asks for its page and knows the next', async (input, query, total, listed, next) => {
  const { output } = await ask(input, query, total, listed)
  expect(output).toMatchObject({ total, next_offset: next })
})

test('a sort order is passed on', async () => {
  const sort = 'last_edit_desc'
  const { error } = await ask({ sort }, { srlimit: '10', srsort: sort }, 1, 1)
  expect(error).toBeUndefined()
})

test.each([{ limit: 501 }, { limit: 10, offset: 9_991 }, { sort: 'random()' }])(
  '%o is refused',
  async (input) => {
    const { error } = await replayAction(encyclopedia, 'search', {
      exchanges: [],
      input: { q: 'tea', ...input },
    })
    expect(error?.name).toBe('ZodError')
  },
)
