// The packed client installs in an empty folder and works there: for TypeScript, in the runtimes that are installed, in
// a browser.
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { chromium } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { findChromium } from '#platform/chromium/chromium.ts'
import { portOf } from '#platform/http/port.ts'
import { shareGatewayOfWorker } from '#test/harness.ts'
import clientJson from '../../clients/typescript/package.json' with { type: 'json' }

const run = promisify(execFile)
const root = path.join(import.meta.dirname, '../..')
const gateway = shareGatewayOfWorker()
let folder = ''

/** What every runtime does with the packed client. */
const work = `import { createTollway, TollwayError } from '@tollway/client'
export async function work(baseUrl, key) {
  const tollway = createTollway({ baseUrl, key })
  const { price } = await tollway.quote('files/upload', { filename: 'a.txt', size_bytes: 1 })
  const file = await tollway.files.upload(new Blob(['a']), { filename: 'a.txt' })
  const text = await (await tollway.files.download(file.file_id)).text()
  const options = { idempotencyKey: 'the-same-call' }
  const listed = []
  for (const _ of [1, 2]) listed.push((await tollway.run('files/list', {}, options)).replayed)
  const rows = []
  const query = { type: 'call' }
  for await (const { action } of tollway.list('GET /api/v1/transactions', { query })) rows.push(action)
  const refused = await tollway.run('files/list', { labels: ['x'] }).catch((error) => error)
  const hasRequestId = refused instanceof TollwayError && refused.requestId !== undefined
  return [price.cents, file.status, text, ...listed, ...rows, refused.code, hasRequestId].join(' ')
}
`
const worked = '1 stored a false true files/list files/upload bad_request true'

const program = `import { work } from './work.js'
const [baseUrl, key] = process.argv.slice(2)
console.log(await work(baseUrl, key))
`

const typed = `import { createTollway } from '@tollway/client'
const tollway = createTollway({ baseUrl: 'http://127.0.0.1:4020' })
export const { data } = await tollway.run('files/list', { limit: 1 })
export const name: string | undefined = data.files[0]?.filename
// @ts-expect-error There is no such parameter.
await tollway.run('files/list', { labels: ['x'] })
`

const page = `<!doctype html><title>page</title><script type="importmap">
{"imports": {"@tollway/client": "/node_modules/@tollway/client/client.js"}}</script>`

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'tollway-packed-client-'))
  await run('npm', ['run', 'build:client'], { cwd: root })
  const packing = ['pack', './clients/typescript/dist', '--pack-destination', folder]
  await run('npm', packing, { cwd: root })
  await writeFile(path.join(folder, 'package.json'), '{"type":"module"}')
  const tarball = `./tollway-client-${clientJson.version}.tgz`
  const installing = ['install', '--offline', '--no-audit', '--no-fund', tarball]
  await run('npm', installing, { cwd: folder })
  const files = { 'work.js': work, 'program.js': program, 'typed.ts': typed }
  for (const [name, text] of Object.entries(files)) await writeFile(path.join(folder, name), text)
})
afterAll(() => rm(folder, { recursive: true, force: true }))

test('it is typed', async () => {
  const tsc = path.join(root, 'node_modules/typescript/bin/tsc')
  const options = ['--strict', '--noEmit', '--module', 'nodenext', '--target', 'es2024']
  await run(process.execPath, [tsc, ...options, '--types', '', 'typed.ts'], { cwd: folder })
})

const isInstalled = (program: string) =>
  run(program, ['--version']).then(
    () => true,
    () => false,
  )
/** Deno and Bun are tested where they are installed: as dependencies they would add 200 MB to each clone. */
const runtimes = [
  { name: 'Node', command: process.execPath, options: [] },
  { name: 'Deno', command: 'deno', options: ['run', '--allow-net', '--no-lock'] },
  { name: 'Bun', command: 'bun', options: ['run'] },
]
for (const { name, command, options } of runtimes) {
  test.skipIf(!(await isInstalled(command)))(`it works in ${name}`, async () => {
    const { key } = await gateway().account(10)
    const args = [...options, 'program.js', gateway().url, key]
    const { stdout } = await run(command, args, { cwd: folder })
    expect(stdout.trim()).toBe(worked)
  })
}

const executablePath = await findChromium()

test.skipIf(executablePath === undefined)('it works on a page of another origin', async () => {
  const server = createServer(async ({ url = '/' }, response) => {
    if (url === '/') return response.setHeader('content-type', 'text/html').end(page)
    response.setHeader('content-type', 'text/javascript')
    response.end(await readFile(path.join(folder, url)).catch(() => ''))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const browser = await chromium.launch({
    executablePath: executablePath ?? '',
    chromiumSandbox: false,
  })
  onTestFinished(async () => {
    await browser.close()
    server.close()
  })
  const tab = await browser.newPage()
  await tab.goto(`http://127.0.0.1:${portOf(server)}/`)
  const { key } = await gateway().account(10)
  const call = `import('/work.js').then(({ work }) => work('${gateway().url}', '${key}'))`
  expect(await tab.evaluate(call)).toBe(worked)
})
