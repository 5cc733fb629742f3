// examples/film.ts as its reader runs it: photos in, spoken narration, film out, on a gateway without any vendor's key.
import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { shareGatewayOfWorker } from '#test/harness.ts'
import { mediaSample, probeFilm } from '#test/media-samples.ts'

const shared = shareGatewayOfWorker()

const run = promisify(execFile)
const example = path.join(import.meta.dirname, '../../examples/film.ts')
const narration = 'Our week at the sea. On the first day, the harbour was quiet.'

test('the example makes a film with a voice', async () => {
  const gateway = shared()
  const account = await gateway.account(1_000)
  const folder = await mkdtemp(path.join(tmpdir(), 'tollway-example-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  await writeFile(path.join(folder, 'harbour.jpg'), await mediaSample('image/jpeg'))
  await writeFile(path.join(folder, 'boats.png'), await mediaSample('image/png'))
  const { stdout } = await run(process.execPath, [example, narration, 'harbour.jpg', 'boats.png'], {
    cwd: folder,
    env: { PATH: process.env.PATH, TOLLWAY_KEY: account.key, TOLLWAY_URL: gateway.url },
  })
  expect(stdout).toMatch(/^film\.mp4: [\d.]+ seconds, file_id /m)
  const film = path.join(folder, 'film.mp4')
  const { seconds, streams } = await probeFilm(film)
  expect(seconds).toBeGreaterThan(3)
  expect(streams).toEqual(['h264', 'aac'])
  const heard = ['-i', film, '-t', '2', '-af', 'volumedetect', '-vn', '-f', 'null', '-']
  const { stderr } = await run('ffmpeg', ['-nostdin', ...heard])
  expect(Number(/mean_volume: (-?[\d.]+) dB/.exec(stderr)?.[1])).toBeGreaterThan(-45)
  expect(await account.state()).toMatchObject({ heldCents: 0 })
})
