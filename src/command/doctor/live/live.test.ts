// What `doctor providers` asks a vendor, keeps, and says about the answer.
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { openOutput } from '@tollway/command'
import { expect, onTestFinished, test } from 'vitest'
import type { UntypedJson } from '#core/replies/untyped-json.ts'
import { portOf } from '#platform/http/port.ts'
import works from '../../../catalog/ns_scholar/fixtures/works.json' with { type: 'json' }
import type { Diagnosis } from '../diagnosis.ts'
import { runLiveDoctor } from './live.ts'

const key = 'live-key-of-the-operator-1234'
interface Reply {
  status?: number
  body?: unknown
  text?: string
}
const usual = (): UntypedJson => structuredClone(works.exchanges[0]?.reply.body)

async function startVendor(...replies: readonly Reply[]) {
  const left = [...replies]
  const asked: string[] = []
  const server = createServer((request, response) => {
    asked.push(request.url ?? '')
    const { status = 200, body, text } = left.shift() ?? {}
    response.writeHead(status, { 'content-type': 'application/json', 'set-cookie': 's=secret' })
    response.end(text ?? JSON.stringify(body))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  return { asked, url: `http://127.0.0.1:${portOf(server)}` }
}

async function openFolder() {
  const folder = await mkdtemp(path.join(tmpdir(), 'tollway-probes-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

async function doctor(
  url: string,
  options: { provider?: string; live?: boolean; maxCents?: number; folder?: string } = {},
) {
  let printed = ''
  let noted = ''
  const { provider = 'ns_scholar', live = true, maxCents = 300 } = options
  const folder = options.folder ?? (await openFolder())
  const code = await runLiveDoctor(
    { provider, live, maxCents, version: 'test' },
    {
      environment: { HOME: folder, NS_SCHOLAR_BASE_URL: url, NS_SCHOLAR_API_KEY: key },
      output: openOutput(
        {
          stdout: { write: (chunk: string | Uint8Array) => (printed += chunk) },
          stderr: { write: (chunk: string | Uint8Array) => (noted += chunk) },
        },
        { json: true, noColor: true },
      ),
      folder,
      signal: new AbortController().signal,
    },
  )
  const told = JSON.parse(printed) as { findings?: Diagnosis[]; probes?: object[] }
  return { code, told, noted, folder, finding: told.findings?.[0] }
}
const storeOf = (folder: string) => path.join(folder, 'data/probes')

test('without --live the costs are shown and nothing is asked or written', async () => {
  const { asked, url } = await startVendor()
  const { code, told, folder } = await doctor(url, { live: false })
  expect({ code, told, asked }).toEqual({
    code: 0,
    told: {
      cents: 1,
      probes: [{ provider: 'ns_scholar', mode: 'live', call: 'ns_scholar/works', cents: 1 }],
    },
    asked: [],
  })
  expect(await readdir(folder)).toEqual([])
})

test('a vendor that answers as its fixture is well; its cost is told first, its reply kept and masked', async () => {
  const body = { ...usual() }
  body.results[0].display_name = `${key} of ada@navy.example`
  const { asked, url } = await startVendor({ body })
  const { code, finding, folder, noted } = await doctor(url)
  expect(noted).toContain('ns_scholar/works: 1¢ at most.')
  expect([code, finding?.state, finding?.says]).toEqual([
    0,
    'good',
    expect.stringContaining('in the expected form'),
  ])
  expect(asked).toHaveLength(1)
  const file = path.join(storeOf(folder), 'ns_scholar.works.json')
  const kept = await readFile(file, 'utf8')
  expect((await stat(file)).mode & 0o777).toBe(0o600)
  expect(kept).not.toMatch(/live-key|navy\.example|s=secret/)
  expect(JSON.parse(kept).exchanges[0].request.path).toBe('/works')
})

test('what the vendor has changed since the last reply is named', async () => {
  const changed = usual()
  for (const row of changed.results) {
    delete row.title
    row.cited_by_count = 'many'
  }
  const { url } = await startVendor({ body: usual() }, { body: changed })
  const folder = await openFolder()
  await doctor(url, { folder })
  const { code, finding } = await doctor(url, { folder })
  expect(code).toBe(0)
  expect(finding).toMatchObject({ state: 'attention', fix: expect.stringContaining('probes') })
  expect(finding?.says).toContain('results[].title')
})

test.each<[Reply, string, number, RegExp]>([
  [{ status: 401, body: {} }, 'problem', 1, /refuses the key/],
  [{ status: 403, body: {} }, 'problem', 1, /refuses the key/],
  [{ status: 402, body: {} }, 'problem', 1, /account at the provider is empty/],
  [{ status: 404, body: {} }, 'attention', 0, /the example is not there/],
  [{ status: 429, body: {} }, 'attention', 0, /request limit/],
  [{ status: 400, body: {} }, 'problem', 1, /bad_request/],
  [{ status: 500, body: {} }, 'problem', 1, /upstream_error/],
  [{ text: '<html>Access denied</html>' }, 'problem', 1, /upstream_error/],
  [{ body: { results: 7 } }, 'problem', 1, /schema|upstream_error/],
])('%j is a finding of its own', async (reply, state, code, says) => {
  const { url } = await startVendor(reply)
  const found = await doctor(url)
  expect([found.finding?.state, found.code]).toEqual([state, code])
  expect(found.finding?.says).toMatch(says)
})

test('more than the limit is not spent, and what cannot be asked is said', async () => {
  const { asked, url } = await startVendor()
  await expect(doctor(url, { maxCents: 0.5 })).rejects.toThrow(/above --max-cents 0.5/)
  await expect(doctor(url, { provider: 'ns_tides' })).rejects.toThrow(/no provider ns_tides/)
  await expect(doctor(url, { provider: 'ns_semantic' })).rejects.toThrow(/Set .*EXA_API_KEY/)
  expect(asked).toEqual([])
})
