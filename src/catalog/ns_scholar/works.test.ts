import { expect, test } from 'vitest'
import { replayAction } from '../../../test/run-action.ts'
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

test.each([{}, { search: '' }, { search: 'tea', per_page: 51 }, { search: 'tea', per_page: 0 }])(
  '%o is refused',
  async (input) => {
    const { error } = await replayAction(scholar, 'works', { exchanges: [], input })
    expect(error?.name).toBe('ZodError')
  },
)
