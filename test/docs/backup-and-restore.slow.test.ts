// The commands of docs/operate/backup.md and restore.md, run on a gateway with the embedded PostgreSQL.
import { execFile } from 'node:child_process'
import { readFile, rm } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { makeDataDirectory } from '#test/data-directory.ts'
import { send, startGatewayProcess } from '../simulation/gateway-process.ts'
import { codeBlocks } from './guide-text.ts'

test('a restored backup has the balance and the books of its moment', async () => {
  const folder = await makeDataDirectory()
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
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
      balance: async () => (await ask(undefined, '/api/v1/account')).balance_cents,
    }
  }

  const first = await start()
  await first.readPage()
  expect(await first.balance()).toBe(998)
  await first.stop()
  const [backup] = codeBlocks('operate/backup.md', 'sh', 'With the embedded PostgreSQL')
  expect(await shell(backup)).toBe('./postgres/PG_VERSION\n./admin-token\n')

  const later = await start()
  await later.readPage()
  expect(await later.balance()).toBe(996)
  await later.stop()
  const [restore] = codeBlocks('operate/restore.md', 'sh', 'With the embedded PostgreSQL')
  await shell(restore)

  const restored = await start()
  expect(await restored.balance()).toBe(998)
  const [check = ''] = codeBlocks('operate/restore.md', 'sh', 'Check the books')
  const verdict = JSON.parse(await shell(check.replace('http://127.0.0.1:4020', restored.url)))
  expect(verdict).toMatchObject({ ok: true, problems: [] })
  await restored.stop()
})
