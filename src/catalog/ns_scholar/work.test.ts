import { expect, test } from 'vitest'
import { replayAction } from '#test/run-action.ts'
import { readableWork } from './lib/work-object.ts'
import { scholar } from './provider.ts'

const exchange = (
  path: string,
  reply: { status: number; body?: unknown; headers?: Record<string, string> },
) => ({
  request: { method: 'GET', path, query: {} },
  reply,
})
const found = { status: 200, body: { id: 'https://openalex.org/W2741809807' } }

test.each([
  'https://doi.org/10.7717/peerj.4375',
  'http://dx.doi.org/10.7717/peerj.4375',
  'doi:10.7717/peerj.4375',
  'DOI: 10.7717/peerj.4375',
  ' 10.7717/peerj.4375 ',
])('the DOI may be written as %j', async (id) => {
  const { output } = await replayAction(scholar, 'work', {
    exchanges: [exchange('/works/doi:10.7717/peerj.4375', found)],
    input: { id },
  })
  expect(output).toEqual({ provider: 'OpenAlex', ...found.body, abstract: null })
})

test.each([
  'W2741809807',
  'w2741809807',
  'https://openalex.org/W2741809807',
  'https://api.openalex.org/works/W2741809807',
])('the id may be written as %s', async (id) => {
  const { error } = await replayAction(scholar, 'work', {
    exchanges: [exchange('/works/W2741809807', found)],
    input: { id },
  })
  expect(error).toBeUndefined()
})

test('special characters of a DOI are encoded, its slashes are not', async () => {
  const { error } = await replayAction(scholar, 'work', {
    exchanges: [
      exchange('/works/doi:10.1002/(SICI)1097%3C1%3A%3AAID%3E/3.0'.replaceAll('%3A', ':'), found),
    ],
    input: { id: '10.1002/(SICI)1097<1::AID>/3.0' },
  })
  expect(error).toBeUndefined()
})

test('a merged work is found under its new id', async () => {
  const { output } = await replayAction(scholar, 'work', {
    exchanges: [
      exchange('/works/W1', {
        status: 301,
        headers: { location: 'https://api.openalex.org/works/W2741809807' },
      }),
      exchange('/works/W2741809807', found),
    ],
    input: { id: 'W1' },
  })
  expect(output.id).toBe('https://openalex.org/W2741809807')
})

test('a redirect to anywhere else is not followed', async () => {
  const { error } = await replayAction(scholar, 'work', {
    exchanges: [
      exchange('/works/W1', { status: 302, headers: { location: 'http://127.0.0.1/admin' } }),
    ],
    input: { id: 'W1' },
  })
  expect(error?.code).toBe('upstream_error')
})

test('an unknown work is not found', async () => {
  const { error } = await replayAction(scholar, 'work', {
    exchanges: [exchange('/works/W1', { status: 404, body: {} })],
    input: { id: 'W1' },
  })
  expect(error).toMatchObject({ code: 'not_found', message: 'OpenAlex knows no work "W1".' })
})

test.each(['', 'peerj.4375', '10.7717', 'A5023888391', 'https://evil.example/10.7717/x'])(
  '%j is neither id nor DOI',
  async (id) => {
    const { error } = await replayAction(scholar, 'work', { exchanges: [], input: { id } })
    expect(error?.name).toBe('ZodError')
  },
)

test('a DOI that would leave its path is refused', async () => {
  const { error } = await replayAction(scholar, 'work', {
    exchanges: [],
    input: { id: '10.1000/../authors' },
  })
  expect(error?.code).toBe('bad_request')
})

test('the words of an abstract are joined by position', () => {
  const abstract_inverted_index = { to: [3, 1], be: [5], or: [2], not: [4], Be: [0] }
  expect(readableWork({ abstract_inverted_index }).abstract).toBe('Be to or to not be')
  expect(readableWork({ abstract_inverted_index: null }).abstract).toBe(null)
})
