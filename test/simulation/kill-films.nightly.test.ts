// kill -9 while media is imported and films are rendered: no half import, each film made and charged once, no file left
// behind.
import { createHash } from 'node:crypto'
import { watch } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { depth } from '#test/depth.ts'
import { type CallAction, filmOf, importSample, saveFilm, storeSample } from '#test/film-studio.ts'
import { startMortalGateway } from './mortal-gateway.ts'
import { foldersOf } from './processes.ts'

const balanceCents = 10_000
const kills = depth(1, 3)
const importsAtOnce = depth(3, 6)
const renders = depth(2, 3)

async function startStudio() {
  const gateway = await startMortalGateway()
  const { get, attempt } = await gateway.openAccount(balanceCents)
  return {
    ...gateway,
    attempt,
    call: (async (action, body) => {
      const reply = await attempt(action, body)
      if (reply === undefined) throw new Error(`The connection broke during ${action}.`)
      return { headers: new Headers(), ...reply }
    }) satisfies CallAction,
    account: () => get('/api/v1/account'),
  }
}

test('an import that is killed leaves nothing and costs nothing, and can be repeated', async () => {
  const { attempt, call, account, expectBooksRight, killAndStart } = await startStudio()
  const file_id = await storeSample(call, 'video/mp4')
  const replies: Awaited<ReturnType<typeof attempt>>[] = []
  for (let kill = 0; kill < kills; kill += 1) {
    const imports = Array.from({ length: importsAtOnce }, () =>
      attempt('ns_assembler/upload', { file_id }),
    )
    await delay(Math.random() * 400)
    await killAndStart()
    replies.push(...(await Promise.all(imports)))
  }
  await expect.poll(async () => (await account()).held_cents).toBe(0)
  for (const { body } of replies.filter((reply) => reply !== undefined)) {
    const { media_id } = body.data
    const status = await call('ns_assembler/media_status', { media_id })
    expect(status.body.data).toMatchObject({ status: 'ready', duration_sec: expect.any(Number) })
  }
  await importSample(call, 'video/mp4')
  await expectBooksRight()
})

test('renders that are killed are made again, and charged once', async () => {
  const { call, account, expectBooksRight, killAndStart, pid } = await startStudio()
  const mediaId = await importSample(call, 'image/jpeg')
  const composition = filmOf({
    kind: 'image',
    mediaId,
    seconds: 8,
    source: { kenBurns: 'in' },
  })
  const project_id = await saveFilm(call, composition)
  const before = (await account()).available_cents
  const jobs: string[] = []
  for (let job = 0; job < renders; job += 1) {
    const { body } = await call('ns_assembler/render', { project_id, intent: 'final' })
    jobs.push(body.data.job_id)
  }
  const killed: number[] = []
  for (let kill = 0; kill < kills; kill += 1) {
    killed.push(pid())
    await delay(500 + Math.random() * 2_500)
    await killAndStart()
  }
  for (const job_id of jobs) {
    const poll = async () => (await call('tollway/result', { job_id, wait_seconds: 50 })).body.data
    await expect.poll(async () => (await poll()).status).toBe('succeeded')
    expect(await poll()).toMatchObject({ charged_cents: 100, result: { status: 'complete' } })
  }
  expect(await account()).toMatchObject({
    available_cents: before - renders * 100,
    held_cents: 0,
  })
  const { body } = await call('files/list', {})
  const films = body.data.files.filter(({ source }: { source: string }) => source === 'action')
  expect(films).toHaveLength(renders)
  await expectBooksRight()
  // The next piece of work removes what killed gateways left.
  await importSample(call, 'image/png')
  expect(await foldersOf('film', killed)).toEqual([])
})

test('a gateway that is killed while it stores a film stores it once, whole', async () => {
  const { dataDir, call, account, expectBooksRight, killAndStart } = await startStudio()
  const mediaId = await importSample(call, 'image/jpeg')
  const source = { kenBurns: 'in' }
  const composition = filmOf({ kind: 'image', mediaId, seconds: 4, source })
  const project_id = await saveFilm(call, composition)
  const before = (await account()).available_cents
  const { body } = await call('ns_assembler/render', { project_id, intent: 'final' })
  await nextFileIn(path.join(dataDir, 'files', 'incoming'))
  await killAndStart()
  const wait = { job_id: body.data.job_id, wait_seconds: 50 }
  const poll = async () => (await call('tollway/result', wait)).body.data
  await expect.poll(async () => (await poll()).status).toBe('succeeded')
  expect(await account()).toMatchObject({ available_cents: before - 100, held_cents: 0 })
  const { data } = (await call('files/list', {})).body
  const films = data.files.filter(({ source }: { source: string }) => source === 'action')
  expect(films).toMatchObject([{ status: 'stored' }])
  const sizes = data.files.map(({ size }: { size: number }) => size)
  expect(data.used_bytes).toBe(sizes.reduce((sum: number, size: number) => sum + size, 0))
  const { get_url } = (await call('files/get', { file_id: films[0].file_id })).body.data
  const bytes = Buffer.from(await (await fetch(get_url)).arrayBuffer())
  expect(createHash('sha256').update(bytes).digest('hex')).toBe(films[0].sha256)
  await expectBooksRight()
})

/** Resolves when a file appears in a folder. */
async function nextFileIn(folder: string): Promise<void> {
  for await (const { eventType } of watch(folder)) if (eventType === 'rename') return
}
