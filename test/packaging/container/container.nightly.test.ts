// Every command of the Dockerfile is run, as far as this machine allows without a container runtime.
import { chmod, chown, mkdir, mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { findProgram } from '#platform/sandbox/sandbox.ts'
import { findFreePort } from '#test/gateways/free-port.ts'
import { until } from '#test/until.ts'
import { readText } from '../../tidy/sources.ts'
import { buildImages, type Image, startContainer } from './image.ts'
import { readStages } from './stages.ts'

const buildTimeoutMs = 900_000
const needed = await Promise.all(['bwrap', 'tini', 'setpriv', 'apt-get'].map(findProgram))
const isMissing = process.getuid?.() !== 0 || needed.includes(undefined)

describe.skipIf(isMissing)('the commands of the Dockerfile', () => {
  let folder = ''
  let images: ReadonlyMap<string, Image>

  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'tollway-image-'))
    await chmod(folder, 0o711)
    images = await buildImages(readStages(readText('Dockerfile')), folder)
  }, buildTimeoutMs)

  afterAll(() => rm(folder, { recursive: true, force: true }))

  const imageOf = (name: string) => images.get(name) as Image

  test('the image has the gateway, its data folder, and nothing of development', async () => {
    const { folder: root } = imageOf('slim')
    const { uid, gid, mode } = await stat(path.join(root, 'data'))
    expect({ uid, gid, mode: mode & 0o777 }).toEqual({ uid: 1000, gid: 1000, mode: 0o700 })
    for (const name of ['src', '.env', '.git', 'node_modules/vitest', 'node_modules/@tollway'])
      await expect(stat(path.join(root, 'app', name)), name).rejects.toThrow('ENOENT')
  })

  test('the gateway starts, turns healthy, sells a call and ends, and writes only to its volumes', async () => {
    const [data, temporary] = [path.join(folder, 'volume'), path.join(folder, 'temporary')]
    for (const place of [data, temporary]) {
      await mkdir(place, { mode: 0o700 })
      await chown(place, 1000, 1000)
    }
    const port = String(await findFreePort())
    const image = imageOf('slim')
    const container = startContainer(image, { data, temporary }, { PORT: port })
    onTestFinished(async () => void (await container.stop().catch(() => {})))
    const healthcheck = image.stage.healthcheck ?? []
    await until(async () => (await container.run(...healthcheck)) === 0, { everyMs: 2_000 })

    const key = (await readFile(path.join(data, 'starter-key'), 'utf8')).trim()
    const address = `http://127.0.0.1:${port}`
    const call = async (action: string, body: object) => {
      const reply = await fetch(`${address}/api/run/${action}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
      return await reply.json()
    }
    const read = await call('tollway/onescrape', { urls: [`${address}/docs/use`] })
    expect(read).toMatchObject({ ok: true, charged_cents: 2 })
    // It reads models that the build must bring along.
    const found = await call('tollway/discover', { query: 'when is high tide in Kiel?' })
    expect(found).toMatchObject({ ok: true })
    expect(await container.run('touch', '/app/package.json')).not.toBe(0)
    expect(await container.run('touch', '/data/may-be-written')).toBe(0)

    expect(await container.stop()).toBe(0)
    expect(await container.run(...healthcheck)).toBe(1)
  })
})
