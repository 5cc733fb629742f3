import { expect, test } from 'vitest'
import { replayAction } from '#test/run-action.ts'
import { scholar } from './provider.ts'

const refused = {
  error: 'Invalid query parameters error.',
  message:
    'colour is not a valid field. Valid fields are underscore or hyphenated versions of: ...',
}

test.each([400, 403, 200])(
  'a filter that OpenAlex refuses with status %i is the caller’s mistake',
  async (status) => {
    const { error } = await replayAction(scholar, 'works', {
      exchanges: [
        {
          request: {
            method: 'GET',
            path: '/works',
            query: { filter: 'colour:red', 'per-page': '25' },
          },
          reply: { status, body: refused },
        },
      ],
      input: { filter: 'colour:red' },
    })
    expect(error).toMatchObject({
      code: 'bad_request',
      message: expect.stringContaining('does not understand the filter'),
    })
  },
)

test('refused wildcards are named', async () => {
  const body = { ...refused, message: 'Wildcards (* or ?) require exact (no-stem) search' }
  const { error } = await replayAction(scholar, 'works', {
    exchanges: [
      {
        request: { method: 'GET', path: '/works', query: { search: 'deaths?', 'per-page': '25' } },
        reply: { status: 200, body },
      },
    ],
    input: { search: 'deaths?' },
  })
  expect(error?.message).toContain('Leave them out')
})

const askPage = (input: object, query: object, meta: object, status = 200) =>
  replayAction(scholar, 'works', {
    exchanges: [
      {
        request: {
          method: 'GET',
          path: '/works',
          query: { search: 'tea', 'per-page': '50', ...query },
        },
        reply: { status, body: { meta, results: [{ id: 'https://openalex.org/W1' }] } },
      },
    ],
    input: { search: 'tea', per_page: 50, ...input },
  })

test.each([
  [1, 120, 2],
  [2, 120, 3],
  [3, 120, null],
  [200, 90_000, null],
])('after page %i of %i works comes page %j', async (page, count, next) => {
  const query = page > 1 ? { page: String(page) } : {}
  const { output } = await askPage({ page }, query, { count })
  expect(output).toMatchObject({ page, next_page: next, next_cursor: null })
})

test('cursors reach results beyond the last page', async () => {
  const { output } = await askPage(
    { cursor: '*' },
    { cursor: '*' },
    { count: 90_000, next_cursor: 'Ils' },
  )
  expect(output).toMatchObject({ page: null, next_page: null, next_cursor: 'Ils' })
})

test('a cursor that OpenAlex refuses without a key is not a failure of the provider', async () => {
  const { error } = await askPage({ cursor: '*' }, { cursor: '*' }, {}, 401)
  expect(error).toMatchObject({
    code: 'bad_request',
    message: expect.stringContaining('Send page'),
  })
})

test('sort and the selected fields are passed on, with the fields of every answer', async () => {
  const { error } = await askPage(
    { sort: 'cited_by_count:desc', select: 'doi, abstract' },
    { sort: 'cited_by_count:desc', select: 'id,doi,abstract_inverted_index' },
    { count: 1 },
  )
  expect(error).toBeUndefined()
})

test.each([
  {},
  { search: '' },
  { search: 'tea', per_page: 51 },
  { search: 'tea', per_page: 0 },
  { search: 'tea', per_page: 50, page: 201 },
  { search: 'tea', sort: 'title;drop' },
  { search: 'tea', select: 'id,' },
])('%o is refused', async (input) => {
  const { error } = await replayAction(scholar, 'works', { exchanges: [], input })
  expect(error?.name).toBe('ZodError')
})
