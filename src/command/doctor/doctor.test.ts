// What doctor finds, and what it says to do.
import { once } from 'node:events'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { openOutput } from '@tollway/command'
import { expect, onTestFinished, test } from 'vitest'
import { portOf } from '#platform/http/port.ts'
import type { Diagnosis } from './diagnosis.ts'
import { runDoctor } from './doctor.ts'
import { checkClock } from './surroundings.ts'

async function emptyFolder(): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'tollway-doctor-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

/** Chromium has tests of its own, so none is started here. */
async function examine(environment: Readonly<Record<string, string>>, folder?: string) {
  let printed = ''
  const stream = { write: (chunk: string | Uint8Array) => (printed += chunk) }
  const place = folder ?? (await emptyFolder())
  const code = await runDoctor(
    {
      environment: { HOME: place, CHROMIUM_PATH: '/nowhere', PORT: '0', ...environment },
      output: openOutput({ stdout: stream, stderr: stream }, { json: true, noColor: true }),
      folder: place,
    },
    [],
  )
  const { ok, findings } = JSON.parse(printed) as { ok: boolean; findings: Diagnosis[] }
  const find = (subject: string) => findings.filter((finding) => finding.subject === subject)
  return { code, ok, find, findings, printed }
}

async function startServer(date: Date): Promise<string> {
  const server = createServer((_request, response) => {
    response.setHeader('date', date.toUTCString())
    response.end()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  return `http://127.0.0.1:${portOf(server)}`
}

test('an empty folder is well, is left empty, and each finding that is not good says what to do', async () => {
  const folder = await emptyFolder()
  const { code, ok, find, findings } = await examine({}, folder)
  expect({ code, ok }).toEqual({ code: 0, ok: true })
  expect(await readdir(folder)).toEqual([])
  expect(find('Database')[0]?.says).toContain('it starts with the gateway')
  expect(find('Chromium')[0]).toMatchObject({
    state: 'attention',
    fix: 'Correct CHROMIUM_PATH.',
  })
  expect(find('x402')[0]?.says).toContain('X402_RPC_URL')
  expect(findings.filter(({ state, fix }) => state !== 'good' && !fix)).toEqual([])
})

test('what stops a start is a problem, and ends with 1', async () => {
  const folder = await emptyFolder()
  await writeFile(path.join(folder, 'file'), '')
  const occupied = new URL(await startServer(new Date())).port
  const { code, find } = await examine({
    DATABASE_URL: 'postgresql://ada@127.0.0.1:1/tollway',
    DATA_DIR: path.join(folder, 'file'),
    PORT: occupied,
  })
  expect(code).toBe(1)
  expect(find('Database')[0]).toMatchObject({ state: 'problem' })
  expect(find('Database')[0]?.says).toContain('nothing listens there')
  expect(find('Data folder')[0]?.state).toBe('problem')
  expect(find('Address')[0]?.says).toContain(`Port ${occupied}`)
})

test('settings that are wrong, misspelt or half set are named, without their values', async () => {
  const wrong = await examine({ PORT: 'many' })
  expect(wrong.find('Settings')[0]).toMatchObject({ state: 'problem' })
  expect(wrong.code).toBe(1)
  const { find, printed, code } = await examine({
    NS_SEMANTIC_API_KEY: '"a-secret"',
    X402_PAYTO: '0x',
    MPP_RPC_URL: 'http://127.0.0.1:1',
  })
  expect(code).toBe(0)
  expect(find('Settings').at(-1)?.says).toContain('Did you mean X402_PAY_TO?')
  expect(find('Keys').at(-1)?.says).toContain('NS_SEMANTIC_API_KEY has spaces')
  expect(find('MPP')[0]?.fix).toContain('MPP_RECIPIENT')
  expect(printed).not.toContain('a-secret')
})

test('the clock is compared with servers', async () => {
  const now = Date.parse('2026-11-23T12:00:00Z')
  const clockAt = async (ms: number) =>
    await checkClock([await startServer(new Date(ms))], () => now)
  expect(await clockAt(now)).toMatchObject({ state: 'good' })
  expect(await clockAt(now - 10_000)).toMatchObject({ state: 'attention' })
  expect((await clockAt(now - 60_000)).says).toMatch(/^It is 60 s ahead of /)
  expect(await clockAt(now + 60_000)).toMatchObject({ state: 'problem' })
  expect(await checkClock(['http://127.0.0.1:1'], () => now)).toMatchObject({ state: 'attention' })
})
