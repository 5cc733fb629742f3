// The packed packages in an empty folder: the time to the first paid answers, and a provider of the operator's own.
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import path from 'node:path'
import { promisify } from 'node:util'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import type { UntypedJson } from '#core/replies/untyped-json.ts'
import { pdf } from '#features/web/reading/documents/pdf.fixture.ts'
import { portOf } from '#platform/http/port.ts'
import packageJson from '../../package.json' with { type: 'json' }
import { openTill, payments, rails, shareChains } from '../payments/paid-gateway.ts'
import { payingFetch, post, readReply } from '../payments/payers.ts'
import {
  type AtEnd,
  emptyFolder,
  environment,
  install,
  packAll,
  root,
  startPacked,
  urlIn,
} from './packed.ts'

const execute = promisify(execFile)
const packingTimeoutMs = 600_000
const targetSeconds = 60
const installedMbMax = 250
const packagesMax = 200

const endings: (() => Promise<void>)[] = []
let folder = ''
let tarballs: Awaited<ReturnType<typeof packAll>>
let startedMs = 0
const times: (readonly [what: string, seconds: string])[] = []
const note = (what: string) => times.push([what, seconds()] as const)
const seconds = () => ((performance.now() - startedMs) / 1_000).toFixed(1)

beforeAll(async () => {
  const atEnd = (work: () => Promise<void>) => void endings.unshift(work)
  tarballs = await packAll(await emptyFolder(atEnd))
  folder = await emptyFolder(atEnd)
  startedMs = performance.now()
  await install(folder, tarballs.gateway, tarballs.client)
  note('installed')
}, packingTimeoutMs)

afterAll(async () => {
  for (const end of endings) await end()
})

const clientProgram = (url: string) => `import { readFileSync } from 'node:fs'
import { createTollway } from '@tollway/client'
const key = readFileSync('data/starter-key', 'utf8').trim()
const tollway = createTollway({ baseUrl: '${url}', key })
const answer = await tollway.run('tollway/onescrape', { urls: ['${url}/docs/use'] })
console.log(JSON.stringify(answer.data))
`

test('the installed gateway is small', async () => {
  // Before its first start, which keeps compiled code beside it.
  const { stdout } = await execute('du', ['-sm', 'node_modules'], { cwd: folder })
  const lock = await readFile(path.join(folder, 'node_modules/.package-lock.json'), 'utf8')
  const packages = Object.keys(JSON.parse(lock).packages).length
  process.stdout.write(
    `\nThe install has ${Number.parseInt(stdout, 10)} MB in ${packages} packages.\n`,
  )
  expect(Number.parseInt(stdout, 10)).toBeLessThanOrEqual(installedMbMax)
  expect(packages).toBeLessThanOrEqual(packagesMax)
})

test('from the tarball to a paid answer by curl, the command, the client and an MCP client', async () => {
  const printed = await startPacked(folder, {}, onTestFinished)
  note('listening')
  const url = urlIn(printed)
  const shell = async (command: string) =>
    (await execute('bash', ['-euc', command], { cwd: folder, env: environment })).stdout
  const printedLine = (start: RegExp) => printed.split('\n').find((line) => start.test(line.trim()))
  const title = 'Calling a gateway'

  expect(await shell(printedLine(/^curl /) ?? 'false')).toContain('"charged_cents":2')
  note('curl')
  expect(await shell(printedLine(/^TOLLWAY_URL=.* npx tollway run /) ?? 'false')).toContain(title)
  note('command')
  await writeFile(path.join(folder, 'call.mjs'), clientProgram(url))
  expect(await shell('node call.mjs')).toContain(title)
  note('client')
  const mcp = new Client({ name: 'tests', version: '1.0.0' })
  await mcp.connect(
    new StdioClientTransport({
      command: path.join(folder, 'node_modules/.bin/tollway'),
      args: ['mcp', '--gateway', url],
      cwd: folder,
      env: environment as Record<string, string>,
    }),
  )
  const called = await mcp.callTool({
    name: 'run',
    arguments: { action: 'tollway/onescrape', params: { urls: [`${url}/docs/use`] } },
  })
  await mcp.close()
  expect(called.structuredContent).toMatchObject({ ok: true, charged_cents: 2 })
  note('MCP client')
  expect(await shell(`npx tollway balance --gateway ${url}`)).toContain('992¢')
  const lines = times.map(([what, at]) => `  ${at.padStart(6)} s  ${what}`)
  process.stdout.write(
    `\nFrom the tarball in an empty folder (target: ${targetSeconds} s):\n${lines.join('\n')}\n`,
  )
})

test('what is published has a licence, a description, a way in, and no sources or tests', async () => {
  const list = async (tarball: string) =>
    (await execute('tar', ['-tzf', tarball])).stdout.trim().split('\n')
  for (const [tarball, entry] of [
    [tarballs.gateway, 'bin/tollway.js'],
    [tarballs.client, 'client.js'],
    [tarballs.command, 'main.js'],
  ] as const) {
    const files = await list(tarball)
    for (const file of [entry, 'LICENSE', 'README.md']) expect(files).toContain(`package/${file}`)
    expect(files.filter((file) => /(?<!\.d)\.ts$|\.test\.|\.fixture\./.test(file))).toEqual([])
    const { stdout } = await execute('tar', ['-xzOf', tarball, 'package/package.json'])
    const manifest = JSON.parse(stdout)
    expect(manifest).toMatchObject({ version: packageJson.version, license: 'Apache-2.0' })
    expect(manifest).not.toHaveProperty('private')
    if (tarball !== tarballs.client) expect(manifest.engines).toEqual({ node: '>=22.19' })
    expect(manifest.description).toMatch(/\w+/)
  }
})

test('the bill of materials names each package that an install brings', async () => {
  const bill = JSON.parse(await readFile(tarballs.contents, 'utf8'))
  const named = bill.components.map((component: { 'bom-ref': string }) =>
    component['bom-ref'].replace(/(?<=.)@.*/, ''),
  )
  const lock = await readFile(path.join(folder, 'node_modules/.package-lock.json'), 'utf8')
  const own = /^(tollway|@tollway\/client)$/
  const installed = Object.keys(JSON.parse(lock).packages)
    .map((place) => place.split('node_modules/').at(-1) ?? '')
    .filter((name) => !own.test(name))
  expect(installed.length).toBeGreaterThan(20)
  expect(installed.filter((name) => !named.includes(name))).toEqual([])
})

test('the packed command needs only the client, and a reader of jq filters', async () => {
  const alone = path.join(folder, 'alone')
  await mkdir(alone)
  await writeFile(path.join(alone, 'package.json'), '{}')
  await install(alone, tarballs.command, tarballs.client)
  const packages = await readdir(path.join(alone, 'node_modules'), { recursive: true })
  expect(packages.filter((name) => /^@[^/]+\/[^/]+$/.test(name)).sort()).toEqual([
    '@michaelhomer/jqjs',
    '@tollway/client',
    '@tollway/command',
  ])
  // `tollway` is the command of the gateway, so a machine may have both packages.
  expect(await readdir(path.join(alone, 'node_modules/.bin'))).toEqual(['tollway-command'])
  const bin = path.join(alone, 'node_modules/.bin/tollway-command')
  const run = async (...words: string[]) =>
    (await execute(bin, words, { cwd: alone, env: environment })).stdout
  expect(await run('help', 'run')).toContain('Usage: tollway-command run [options] ACTION')
  const completion = await run('completion', 'bash')
  expect(completion).toContain('-F _tollway_command tollway-command\n')
  // A shell may load the completion of `tollway` too.
  expect(completion).not.toMatch(/\b_tollway\b/)
  for (const words of [['help'], ['help', 'login'], ['help', 'mcp'], ['completion', 'fish']])
    expect(await run(...words)).not.toMatch(/(^|[\s`])tollway (?!command)[a-z]/)
})

/** The provider that the guide shows. */
async function providerOfGuide(): Promise<string> {
  const guide = await readFile(path.join(root, 'docs/extend.md'), 'utf8')
  return /```ts\n(.*?)```/s.exec(guide)?.[1] ?? ''
}

async function startTides(atEnd: AtEnd): Promise<string> {
  const server = createServer((request, response) => {
    const harbour = new URL(request.url ?? '', 'http://tides').searchParams.get('harbour')
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ harbour, high_water: '06:12' }))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  atEnd(async () => void server.close())
  return `http://127.0.0.1:${portOf(server)}`
}

test('a packed gateway does not start with a file that exports no provider', async () => {
  await writeFile(path.join(folder, 'nothing.js'), 'export const answer = 42\n')
  const refusal = startPacked(folder, { TOLLWAY_PROVIDERS: './nothing.js' }, onTestFinished)
  await expect(refusal).rejects.toThrow('TOLLWAY_PROVIDERS: ./nothing.js exports no provider.')
})

/** On the data of the first start, if that has been tested. */
describe('a packed gateway with a private provider and both rails', () => {
  const chains = shareChains()
  const ownEndings: (() => Promise<void>)[] = []
  const later: AtEnd = (work) => void ownEndings.unshift(work)
  let baseUrl = ''

  beforeAll(async () => {
    await writeFile(path.join(folder, 'tides.ts'), await providerOfGuide())
    const till = payments.ok ? (await openTill(chains())).env : {}
    const tides = { TIDES_API_KEY: 'test-key', TIDES_BASE_URL: await startTides(later) }
    const settings = { ...till, ...tides, TOLLWAY_PROVIDERS: './tides.ts' }
    baseUrl = urlIn(await startPacked(folder, settings, later))
  })
  afterAll(async () => {
    for (const end of ownEndings) await end()
  })

  test.skipIf(!payments.ok)(
    `is paid over both chains, and reads a PDF ${payments.reason}`,
    async () => {
      const page = pdf([{ texts: [{ text: 'The mill ground sacks of wheat.', x: 72, y: 600 }] }])
      const document = { content_base64: page.toString('base64') }
      for (const rail of rails) {
        const pay = payingFetch(rail, chains(), chains().wallets.payer)
        const reply = await readReply(
          await pay(`${baseUrl}/api/run/tollway/read-document`, post(document)),
        )
        expect(reply).toMatchObject({ status: 200, body: { ok: true, charged_cents: 1 } })
        expect(JSON.stringify(reply.body.data)).toContain('sacks of wheat')
      }
    },
  )

  test('sells the action of the provider', async () => {
    const key = await readFile(path.join(folder, 'data/starter-key'), 'utf8')
    const call = async (action: string, body: object) => {
      const reply = await fetch(`${baseUrl}/api/run/${action}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key.trim()}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
      return (await reply.json()) as UntypedJson
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
    // The command finds it too, with its price and its fields, and nothing else is written.
    const { stdout } = await execute(
      path.join(folder, 'node_modules/.bin/tollway'),
      ['run', 'tides/high-water', '--harbour', 'Kiel', '--gateway', baseUrl],
      { cwd: folder, env: environment },
    )
    expect(stdout).toContain('high_water: 06:12')
  })
})
