// Stills and GIFs over HTTP, what they cost, and texts that no font has.
import { expect, test } from 'vitest'
import { type CallAction, filmOf, importSample, saveFilm } from '#test/film-studio.ts'
import { shareGatewayOfWorker, verify } from '#test/harness.ts'

const shared = shareGatewayOfWorker()

async function open(balanceCents = 1_000) {
  const account = await shared().account(balanceCents)
  const call: CallAction = (action, body) => account.call(action, body)
  return { account, call }
}

test('a still is answered at once as a PNG of the caller, for 5¢', async () => {
  const { account, call } = await open()
  const mediaId = await importSample(call, 'image/png')
  const project_id = await saveFilm(call, filmOf({ kind: 'image', mediaId, seconds: 2 }))
  const { availableCents } = await account.state()
  const { body } = await call('ns_assembler/render', { project_id, intent: 'still', at_sec: 1 })
  expect(body).toMatchObject({
    ok: true,
    charged_cents: 5,
    data: { status: 'complete', intent: 'still', at_sec: 1, provider: 'embedded' },
  })
  const served = await fetch(body.data.output_url)
  expect(served.headers.get('content-type')).toBe('image/png')
  expect(Buffer.from((await served.bytes()).subarray(1, 4)).toString()).toBe('PNG')
  const { renders } = (await call('ns_assembler/list_renders', { project_id })).body.data
  expect(renders).toEqual([])
  expect(await account.state()).toMatchObject({ availableCents: availableCents - 5, heldCents: 0 })
  expect(await verify(shared())).toMatchObject({ ok: true })
})

test('a still of a project without clips is free', async () => {
  const { account, call } = await open()
  const created = await call('ns_assembler/create_project', { name: 'Empty' })
  const { availableCents } = await account.state()
  const project_id = created.body.data.id
  const { body } = await call('ns_assembler/render', { project_id, intent: 'still' })
  expect(body.error).toBe('no_scenes')
  expect(await account.state()).toMatchObject({ availableCents, heldCents: 0 })
})

test('a GIF is a job, and its file is a GIF', async () => {
  const { call } = await open()
  const mediaId = await importSample(call, 'image/png')
  const project_id = await saveFilm(call, filmOf({ kind: 'image', mediaId, seconds: 1 }))
  const { body } = await call('ns_assembler/render', {
    project_id,
    intent: 'preview',
    output: 'gif',
  })
  const poll = { job_id: body.data.job_id, wait_seconds: 50 }
  const ended = (await call('tollway/result', poll)).body.data
  expect(ended).toMatchObject({ status: 'succeeded', result: { fps: 15, duration_sec: 1 } })
  const served = await fetch(ended.result.output_url)
  expect(served.headers.get('content-type')).toBe('image/gif')
  expect(Buffer.from((await served.bytes()).subarray(0, 6)).toString()).toBe('GIF89a')
})

test('a text that no font has is named by validate and dropped on save', async () => {
  const { call } = await open()
  const params = { text: 'Hello \u{10FFFE}' }
  const composition = {
    v: 1,
    format: { aspectRatio: '16:9' },
    tracks: [
      {
        id: 'titles',
        kind: 'overlay',
        contents: [
          {
            id: 'title',
            startTime: 0,
            duration: 1,
            source: { kind: 'overlay', primitiveId: 'text', params },
          },
        ],
      },
    ],
  }
  const { body } = await call('ns_assembler/validate', composition)
  expect(body.data).toMatchObject({ valid: false, errors: [{ code: 'no_glyph' }] })
  const created = await call('ns_assembler/create_project', { name: 'Boxes' })
  const saved = { project_id: created.body.data.id, composition }
  const put = await call('ns_assembler/put_composition', saved)
  expect(put.body.data).toMatchObject({ clips: 0, dropped: [{ code: 'no_glyph' }] })
})
