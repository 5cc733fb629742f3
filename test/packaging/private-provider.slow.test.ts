// The walk of docs/extend.md: the project is packed, installed into an empty folder, and sells an action of that folder.
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'

const root = path.join(import.meta.dirname, '../..')
const env = { ...process.env, PATH: `${path.dirname(process.execPath)}:${process.env.PATH}` }

async function emptyFolder(): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'tollway-packed-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

/** Installs the packed project. Packages come from npm's cache as far as it has them. */
async function installInto(folder: string): Promise<void> {
  const npm = (cwd: string, ...words: string[]) => promisify(execFile)('npm', words, { cwd, env })
  const packed = await npm(root, 'pack', '--json', '--pack-destination', folder)
  const { filename } = JSON.parse(packed.stdout.slice(packed.stdout.indexOf('[')))[0]
  const quiet = ['--prefer-offline', '--no-audit', '--no-fund']
  await npm(folder, 'install', ...quiet, path.join(folder, filename))
}

/** The provider that the guide shows. */
async function providerOfGuide(): Promise<string> {
  const guide = await readFile(path.join(root, 'docs/extend.md'), 'utf8')
  return /```ts\n(.*?)```/s.exec(guide)?.[1] ?? ''
}

async function startTides(): Promise<string> {
  const server = createServer((request, response) => {
    const harbour = new URL(request.url ?? '', 'http://tides').searchParams.get('harbour')
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ harbour, high_water: '06:12' }))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** Resolves to the base URL, or rejects with what the process printed when it ends instead. */
async function startPacked(folder: string, settings: Readonly<Record<string, string>>) {
  const bin = path.join(folder, 'node_modules/.bin/tollway')
  const child = spawn(bin, { cwd: folder, env: { ...env, PORT: '0', ...settings } })
  const ended = once(child, 'exit')
  onTestFinished(async () => {
    child.kill('SIGTERM')
    await ended
  })
  let printed = ''
  return await new Promise<string>((resolve, reject) => {
    const read = (chunk: Buffer) => {
      printed += chunk
      const url = /listens at (http\S+)/.exec(printed)?.[1]
      if (url !== undefined) resolve(url)
    }
    child.stdout.on('data', read)
    child.stderr.on('data', read)
    ended.then(() => reject(new Error(printed)), reject)
  })
}

test('a packed gateway sells the action of a private provider', { timeout: 600_000 }, async () => {
  const folder = await emptyFolder()
  await installInto(folder)
  await writeFile(path.join(folder, 'tides.ts'), await providerOfGuide())
  await writeFile(path.join(folder, 'nothing.js'), 'export const answer = 42\n')

  const refusal = startPacked(folder, { TOLLWAY_PROVIDERS: './nothing.js' })
  await expect(refusal).rejects.toThrow('TOLLWAY_PROVIDERS: ./nothing.js exports no provider.')

  const baseUrl = await startPacked(folder, {
    TOLLWAY_PROVIDERS: './tides.ts',
    TIDES_API_KEY: 'test-key',
    TIDES_BASE_URL: await startTides(),
  })
  const key = await readFile(path.join(folder, 'data/starter-key'), 'utf8')
  const call = async (action: string, body: object) => {
    const reply = await fetch(`${baseUrl}/api/run/${action}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key.trim()}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    // biome-ignore lint/suspicious/noExplicitAny: the test says what it expects of the body.
    return (await reply.json()) as any
  }
  expect(await call('tides/high-water', { harbour: 'Kiel' })).toMatchObject({
    ok: true,
    data: { harbour: 'Kiel', high_water: '06:12' },
    charged_cents: 1,
  })
  // An error of the package is an error of the gateway: both are one program.
  expect(await call('tides/high-water', { harbour: 'Bern' })).toMatchObject({
    ok: false,
    error: 'not_found',
    message: 'Bern has no tides.',
  })
  // The guide, the page worker and the tables of discover are packed too.
  const page = await call('tollway/onescrape', { urls: [`${baseUrl}/docs/use`] })
  expect(page.data.rows[0].content).toContain('POST /api/run')
  const found = await call('tollway/discover', { query: 'when is high tide in Kiel?' })
  expect(found.data.hits[0]).toMatchObject({ service: 'tides', action: 'high-water' })
})
