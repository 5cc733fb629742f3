import { expect, test } from 'vitest'
import type { Exchange } from '#test/replay-server.ts'
import { replayAction } from '#test/run-action.ts'
import { assembler } from '../provider.ts'

const composition = (mediaId: string, end = 4) => ({
  v: 1,
  tracks: [
    {
      id: 'a',
      kind: 'video',
      contents: [{ id: 'b', startTime: 1, duration: end - 1, source: { kind: 'media', mediaId } }],
    },
  ],
})
const ask = (method: string, path: string, body?: unknown): Exchange['request'] => ({
  method,
  path,
  query: {},
  ...(body === undefined ? {} : { body }),
})
const reply = (body: unknown, status = 200) => ({ status, body })
const saved = {
  request: ask('GET', '/projects/p/composition'),
  reply: reply(composition('mine')),
}
const launched = {
  request: ask('POST', '/projects/p/renders', {}),
  reply: reply({ id: 'r', status: 'queued' }),
}
const polled = (body: object, status = 200) => ({
  request: ask('GET', '/projects/p/renders/r'),
  reply: reply({ id: 'r', ...body }, status),
})
const run = (action: string, input: object, exchanges: readonly Exchange[]) =>
  replayAction(assembler, action, {
    input,
    exchanges,
    issued: async (kind) => (kind === 'media' ? ['mine'] : ['p/r', 'other/s']),
  })

test.each([
  ['put_composition', { project_id: 'p', ...composition('theirs') }],
  ['put_composition', { project_id: 'p', composition: composition('theirs') }],
  ['validate', composition('theirs')],
  ['validate', { ...composition('mine'), background: { media_ids: ['theirs'] } }],
  ['validate', { ...composition('mine'), captions: [{ style: { MediaId: 'theirs' } }] }],
])('%s refuses media of another caller before the vendor is asked', async (action, input) => {
  const { error } = await run(action, input, [])
  expect(error).toMatchObject({ code: 'not_found', message: expect.stringContaining('theirs') })
})

test.each([
  ['bare', composition('mine')],
  ['wrapped', { composition: composition('mine') }],
])('a %s composition is sent bare', async (_form, body) => {
  const put = {
    request: ask('PUT', '/projects/p/composition', composition('mine')),
    reply: { status: 200, text: '' },
  }
  expect(await run('put_composition', { project_id: 'p', ...body }, [put])).toEqual({
    output: { project_id: 'p' },
  })
  const validated = {
    request: ask('POST', '/composition/validate', composition('mine')),
    reply: reply({ valid: true, errors: [] }),
  }
  expect(await run('validate', body, [validated])).toEqual({ output: { valid: true, errors: [] } })
})

test.each(['put_composition', 'validate'])('%s without tracks is refused', async (action) => {
  const { input } = assembler.actions.find(({ name }) => name === action) ?? {}
  for (const body of [{}, { composition: { v: 1 } }])
    expect(input?.safeParse({ project_id: 'p', ...body }).success).toBe(false)
})

test('a save on condition is refused, because the vendor would save without it', async () => {
  const { error } = await run(
    'put_composition',
    { project_id: 'p', if_match: '3', ...composition('mine') },
    [],
  )
  expect(error).toMatchObject({ code: 'bad_request', message: expect.stringContaining('if_match') })
})

test.each([
  ['a still', { intent: 'still' }],
  ['a GIF', { output: 'gif' }],
])('%s is refused before the vendor is asked, because it makes none', async (_what, more) => {
  const { error } = await run('render', { project_id: 'p', ...more }, [])
  expect(error).toMatchObject({ code: 'bad_request', message: expect.stringContaining('MP4') })
})

test('a render without clips has no scenes, and is not sent', async () => {
  for (const tracks of [[], [{ id: 'a', kind: 'video', contents: [] }]]) {
    const empty = { request: saved.request, reply: reply({ v: 1, tracks }) }
    expect((await run('render', { project_id: 'p' }, [empty])).error?.code).toBe('no_scenes')
  }
})

test('a preview is of the first minute at most', async () => {
  for (const [end, toSec] of [
    [4, 4],
    [900, 60],
  ] as const) {
    const { output } = await run('render', { project_id: 'p', intent: 'preview' }, [
      { request: saved.request, reply: reply(composition('mine', end)) },
      {
        request: ask('POST', '/projects/p/preview-clip', { fromSec: 0, toSec }),
        reply: reply({ id: 'r', status: 'queued' }),
      },
      polled({ status: 'complete', outputUrl: 'https://cdn.example/r.mp4' }),
    ])
    expect(output).toMatchObject({ intent: 'preview', status: 'complete' })
  }
})

test.each([
  ['a running render waits', { status: 'rendering', progress: 40 }, 200, 'The job waits.'],
  ['so does one that cannot be read for a moment', {}, 503, 'The job waits.'],
  ['and one whose state is not known', { status: 'conforming' }, 200, 'The job waits.'],
])('%s', async (_case, body, status, message) => {
  const { error } = await run('render', { project_id: 'p' }, [
    saved,
    launched,
    polled(body, status),
  ])
  expect(error?.message).toBe(message)
})

test.each([
  ['authoring', 'bad_request'],
  ['transient', 'upstream_error'],
  [null, 'upstream_error'],
])('a render that failed by %s is %s', async (category, code) => {
  const failed = polled({ status: 'error', error: 'Clip b is odd.', category })
  const { error } = await run('render', { project_id: 'p' }, [saved, launched, failed])
  expect(error?.code).toBe(code)
})

test.each([
  ['importing', 'processing'],
  ['processing', 'processing'],
  ['complete', 'ready'],
  ['failed', 'failed'],
  ['error', 'failed'],
])('media that is %s at the vendor is %s', async (theirs, ours) => {
  const { output } = await run('media_status', { media_id: 'mine' }, [
    { request: ask('GET', '/media/mine'), reply: reply({ id: 'mine', status: theirs }) },
  ])
  expect(output.status).toBe(ours)
})

test.each([
  [401, 'upstream_error'],
  [403, 'upstream_error'],
  [404, 'not_found'],
  [409, 'upstream_busy'],
  [422, 'bad_request'],
  [429, 'rate_limited'],
  [500, 'upstream_error'],
])('the vendor’s %i is %s', async (status, code) => {
  const refused = {
    request: ask('GET', '/projects/p/composition'),
    reply: reply({ error: { code: 'x', message: 'No.', details: {} } }, status),
  }
  const { error } = await run('render', { project_id: 'p' }, [refused])
  expect(error?.code).toBe(code)
})
