// The commands of docs/operate/backup.md and restore.md, run on a gateway with the embedded PostgreSQL that goes on
// working.
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { expect, onTestFinished, test } from 'vitest'
import { backupRoutes } from '#surfaces/http/admin/backups.ts'
import { makeDataDirectory, removeDataDirectory } from '#test/data-directory.ts'
import { until } from '#test/until.ts'
import { send, startGatewayProcess } from '../simulation/gateway-process.ts'
import { codeBlocks } from './guide-text.ts'

test('a backup of a working gateway is restored with the books of its moment', async () => {
  const folder = await makeDataDirectory()
  onTestFinished(() => removeDataDirectory(folder))
  const dataDir = path.join(folder, 'data')
  const env = { ...process.env, DATA_DIR: dataDir, BACKUPS: folder }
  const shell = async (commands: string | undefined) =>
    (await promisify(execFile)('bash', ['-euc', commands ?? 'false'], { env })).stdout

  const start = async () => {
    const gateway = startGatewayProcess(dataDir, { ADMIN_TOKEN: '' })
    onTestFinished(() => gateway.kill())
    const url = await gateway.listening
    const key = (await readFile(path.join(dataDir, 'starter-key'), 'utf8')).trim()
    const ask = async (body: unknown, at: string) =>
      (await send(url, { path: at, key, body }))?.body
    return {
      url,
      stop: gateway.stop,
      readPage: () => ask({ urls: [`${url}/docs/use`] }, '/api/run/tollway/onescrape'),
      balance: async () => (await ask(undefined, '/api/v1/account')).balance_cents as number,
    }
  }

  const gateway = await start()
  await gateway.readPage()
  const before = await gateway.balance()
  const [backup] = codeBlocks('operate/backup.md', 'sh', 'With the embedded PostgreSQL')
  let isDone = false
  const done = shell(backup).finally(() => {
    isDone = true
  })
  // Charges go on while the files are copied.
  while (!isDone) await gateway.readPage()
  expect(await done).toMatch(
    /^Backed up \d+ MB into .*, while the gateway runs\.\nThe backup of .* is whole/,
  )
  const after = await gateway.balance()
  await gateway.readPage()

  const [restore = ''] = codeBlocks('operate/restore.md', 'sh', 'With the embedded PostgreSQL')
  const restoring = spawn('bash', ['-euc', restore], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  const ended = once(restoring, 'exit')
  const printed = text(restoring.stdout)
  await once(restoring.stderr, 'data')
  expect(restoring.exitCode).toBeNull()
  await gateway.stop()
  expect(await ended).toEqual([0, null])
  expect(await printed).toContain('Start the gateway.')
  expect((await readdir(dataDir)).filter((name) => /^restoring-/.test(name))).toEqual([])

  const restored = await start()
  const balance = await restored.balance()
  expect(balance).toBeLessThanOrEqual(before)
  expect(balance).toBeGreaterThanOrEqual(after)
  const [check = ''] = codeBlocks('operate/restore.md', 'sh', 'Check the books')
  const verdict = JSON.parse(await shell(check.replace('http://127.0.0.1:4020', restored.url)))
  expect(verdict).toMatchObject({ ok: true, problems: [] })
  await restored.stop()
})

test('the schedule of the guide makes backups that are described and restored in a test', async () => {
  const dataDir = await makeDataDirectory()
  onTestFinished(() => removeDataDirectory(dataDir))
  const gateway = startGatewayProcess(dataDir, { ADMIN_TOKEN: '' })
  onTestFinished(() => gateway.kill())
  const url = await gateway.listening
  const [, command = ''] = codeBlocks('operate/backup.md', 'sh', 'With the embedded PostgreSQL')
  const env = { ...process.env, DATA_DIR: dataDir }
  const { stdout } = await promisify(execFile)(
    'bash',
    ['-euc', command.replace('http://127.0.0.1:4020', url)],
    { env },
  )
  expect(JSON.parse(stdout)).toEqual({ every_hours: 24, kept: 7 })

  const key = (await readFile(path.join(dataDir, 'admin-token'), 'utf8')).trim()
  const ajv = new Ajv2020({ strict: false })
  const ask = async (method: 'get' | 'post', at: '' | '/restore-tests') => {
    const body = method === 'get' ? undefined : {}
    const reply = await send(url, { path: `/api/v1/admin/backups${at}`, key, body })
    const route = backupRoutes.find(
      (each) => each.method === method && each.path === `/api/v1/admin/backups${at}`,
    )
    const validate = ajv.compile(route?.answer ?? false)
    expect([validate(reply?.body), validate.errors]).toEqual([true, null])
    return reply?.body
  }
  // The gateway may have begun by its schedule, and the answer is then that backup.
  const begun = await ask('post', '')
  expect(begun).toMatchObject({ kind: 'backup', state: 'running', problem: null })
  await until(async () => (await ask('get', '')).last_restore_test?.state === 'succeeded')
  const shown = await ask('get', '')
  expect(shown).toMatchObject({
    schedule: { every_hours: 24, kept: 7 },
    file: begun.file,
    folder: path.join(dataDir, 'backups'),
    last_run: { state: 'succeeded', file: begun.file },
    backups: [{ file: begun.file }],
  })
  expect(shown.last_restore_test.accounts).toBeGreaterThan(0)
  await ask('post', '/restore-tests')
  await gateway.stop()
})
