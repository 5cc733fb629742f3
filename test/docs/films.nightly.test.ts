// The composition that the guide shows is valid and makes a film, unchanged but for its media.
import { expect, test } from 'vitest'
import { type CallAction, importSample, saveFilm } from '#test/film-studio.ts'
import { shareGatewayOfWorker } from '#test/harness.ts'
import { probeFilm } from '#test/media-samples.ts'
import { codeBlocks } from './guide-text.ts'

const shared = shareGatewayOfWorker()

test('the composition of the guide is rendered as it is written', async () => {
  const gateway = shared()
  const account = await gateway.account(1_000)
  const call: CallAction = (action, body) => account.call(action, body)
  const [written = ''] = codeBlocks('use/films.md', 'json')
  const composition = JSON.parse(
    written
      .replaceAll('PHOTO', await importSample(call, 'image/jpeg'))
      .replaceAll('SOUND', await importSample(call, 'audio/mpeg')),
  )
  const { body } = await call('ns_assembler/validate', composition)
  expect(body.data).toMatchObject({ valid: true, errors: [] })
  const project_id = await saveFilm(call, composition)
  const handle = await call('ns_assembler/render', { project_id, intent: 'preview' })
  const { job_id } = handle.body.data
  const poll = async () => (await call('tollway/result', { job_id, wait_seconds: 50 })).body.data
  await expect.poll(async () => (await poll()).status).toBe('succeeded')
  const { result } = await poll()
  expect(result.dropped).toEqual([])
  const film = await probeFilm(result.output_url)
  expect(film.seconds).toBeCloseTo(6, 1)
  expect(film.streams).toEqual(['h264', 'aac'])
})
