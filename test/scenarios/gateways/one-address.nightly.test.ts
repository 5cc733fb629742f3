// One address in front of two gateways, each in a process and on a machine of its own, without sticky sessions.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openPuppeteer } from '#test/browsers/puppeteer.ts'
import { canRent } from '#test/browsers/rented-browser.ts'
import { findFreePort } from '#test/gateways/free-port.ts'
import { openFront } from '#test/gateways/front.ts'
import { missingForBoxes } from '#test/sessions/boxes.ts'
import { until } from '#test/until.ts'
import {
  type MortalAccount,
  type MortalGateway,
  openOuterDatabase,
  startMortalGateway,
} from '../../simulation/mortal-gateway.ts'
import { commit, openGit } from '../repositories/git-client.fixture.ts'

const endings: (() => Promise<void>)[] = []
const atEnd = (work: () => Promise<void>) => void endings.unshift(work)
let front: Awaited<ReturnType<typeof openFront>>
let urls: readonly string[]
let one: MortalGateway
let two: MortalGateway
let account: MortalAccount
let database: Awaited<ReturnType<typeof openOuterDatabase>>['database']

beforeAll(async () => {
  front = await openFront(atEnd)
  const outer = await openOuterDatabase(atEnd)
  database = outer.database
  const env = {
    ...outer.env,
    PUBLIC_BASE_URL: front.url,
    GATEWAY_INTERNAL_URL: 'http://127.0.0.1:0',
    STARTER_ACCOUNT: 'off',
  }
  const ports = [await findFreePort(), await findFreePort()]
  urls = ports.map((port) => `http://127.0.0.1:${port}`)
  front.lead(urls)
  const [first, second] = ports.map((port) =>
    startMortalGateway({ ...env, PORT: String(port) }, atEnd),
  )
  if (first === undefined || second === undefined) throw new Error('Two gateways are needed.')
  ;[one, two] = await Promise.all([first, second])
  account = await one.openAccount(5_000)
})
afterAll(async () => {
  for (const end of endings) await end()
})

/** Each request opens a connection, so one after the other they reach both gateways. */
async function ask(
  path: string,
  options: { body?: object; headers?: object; at?: string | undefined } = {},
) {
  const reply = await fetch(new URL(path, options.at ?? front.url), {
    method: options.body === undefined ? 'GET' : 'POST',
    headers: { authorization: `Bearer ${account.key}`, connection: 'close', ...options.headers },
    ...(options.body && { body: JSON.stringify(options.body) }),
  })
  return { status: reply.status, headers: reply.headers, text: await reply.text() }
}
async function run(action: string, body: object, more: object = {}) {
  const { text } = await ask(`/api/run/${action}`, { body, ...more })
  return JSON.parse(text)
}
const fourTimes = [1, 2, 3, 4]
const confined = (await missingForBoxes()) === undefined

describe.skipIf(!confined)('behind one address', () => {
  test('a sandbox takes its commands through either gateway, and each is charged once', async () => {
    const before = await account.get('/api/v1/account')
    const { sandbox_id } = (await run('ns_sandbox/sandbox-create', {})).data
    for (const time of fourTimes)
      expect(
        await run('ns_sandbox/sandbox-exec', {
          sandbox_id,
          command: `echo ${time} >> lines; wc -l < lines`,
        }),
      ).toMatchObject({ ok: true, charged_cents: 1, data: { stdout: `${time}\n`, returncode: 0 } })
    for (const _ of fourTimes)
      expect(await run('ns_sandbox/sandbox-status', { sandbox_id })).toMatchObject({
        data: { status: 'running' },
      })
    const steps = [1, 2].map((step) => ({
      id: `s${step}`,
      action: 'ns_sandbox/sandbox-exec',
      params: { sandbox_id, command: 'wc -l < lines' },
    }))
    // Any gateway may work on a plan.
    for (const _ of [1, 2]) {
      const { job_id } = (await run('tollway/run-plan', { steps, max_cost_cents: 20 })).data
      const { data } = await run('tollway/result', { job_id, wait_seconds: 50 })
      expect(JSON.stringify(data).split('"stdout":"4').length, JSON.stringify(data)).toBe(3)
    }
    await run('ns_sandbox/sandbox-terminate', { sandbox_id })
    for (const _ of [1, 2])
      expect(await run('ns_sandbox/sandbox-status', { sandbox_id })).toMatchObject({
        data: { status: 'finished' },
      })
    const after = await account.get('/api/v1/account')
    expect(after).toMatchObject({ held_cents: 0 })
    expect(before.available_cents - after.available_cents).toBeGreaterThanOrEqual(7)
    expect(
      await database.query(`select action, error, message from call where state <> 'settled'`),
    ).toEqual([])
    await one.expectBooksRight()
  })

  test('a session runs commands, streams output, carries files and repeats a keyed command once', async () => {
    const { session_id } = (await run('sess_a/create_session', {})).data
    const path = `/api/v1/sessions/${session_id}/run`
    for (const time of fourTimes) {
      const { text } = await ask(path, {
        body: { command: `echo x >> n; wc -l < n`, collect: ['n'] },
      })
      expect(JSON.parse(text), text).toMatchObject({
        stdout: `${time}\n`,
        files: [{ path: 'n', content: Buffer.from('x\n'.repeat(time)).toString('base64') }],
      })
    }
    for (const _ of [1, 2]) {
      const events = await ask(path, {
        body: { command: 'echo out; echo err >&2' },
        headers: { accept: 'text/event-stream' },
      })
      expect(events.text).toContain('event: stdout\ndata: {"text":"out\\n"}')
      expect(events.text).toContain('event: stderr\ndata: {"text":"err\\n"}')
      expect(events.text).toContain('event: result')
    }
    for (const _ of fourTimes) {
      const { text } = await ask(path, {
        body: { command: 'echo once >> keyed; wc -l < keyed' },
        headers: { 'idempotency-key': 'one-command' },
      })
      expect(JSON.parse(text)).toMatchObject({ stdout: '1\n' })
    }
    for (const _ of [1, 2]) {
      const { text } = await ask(path, { body: { command: 'echo from a job', job: true } })
      const { job_id } = JSON.parse(text)
      await until(async () => {
        const { data } = await run('tollway/result', { job_id, wait_seconds: 20 })
        return data?.result?.stdout === 'from a job\n'
      })
    }
    const closed = await fetch(`${front.url}/api/v1/sessions/${session_id}`, {
      method: 'DELETE',
      headers: { authorization: `Bearer ${account.key}` },
    })
    expect(await closed.json()).toMatchObject({ status: 'closed' })
  })

  test('a repository is pushed to and cloned through either gateway', async () => {
    const made = (await run('ns_repo/repo-create', { name: 'site', access: 'write' })).data
    expect(new URL(made.clone_url).host).toBe(new URL(front.url).host)
    const git = await openGit()
    await git.run('init', '--quiet', '--initial-branch', 'main')
    for (const time of fourTimes) {
      await commit(git, `${time}.txt`, 'text '.repeat(50_000 * time))
      await git.run('push', '--quiet', made.clone_url, 'main')
    }
    for (const time of fourTimes) {
      const outer = await openGit()
      await outer.run('clone', '--quiet', made.clone_url, `copy${time}`)
    }
    for (const at of urls) {
      const outer = await openGit()
      const url = made.clone_url.replace(new URL(front.url).host, new URL(at).host)
      await outer.run('clone', '--quiet', url, 'copy')
    }
    expect(await run('ns_repo/repo-delete', { repo_id: made.repo_id })).toMatchObject({ ok: true })
  })
})

describe.skipIf(!canRent)('a rented browser behind one address', () => {
  test('is driven and watched through either gateway', async () => {
    const rented = (await run('ns_browser/create_session', { keepAlive: true })).data
    for (const at of urls) {
      const host = new URL(at).host
      const moved = (url: string) => url.replace(new URL(front.url).host, host)
      const browser = await openPuppeteer(moved(rented.connectUrl))
      const page = await browser.newPage()
      await page.setContent('<title>seen</title>')
      expect(await page.title()).toBe('seen')
      const leave = new AbortController()
      const frames = await fetch(moved(rented.liveViewUrl).replace('/live?', '/frames?'), {
        signal: leave.signal,
      })
      expect(frames.status).toBe(200)
      const first = await frames.body?.getReader().read()
      expect(Buffer.from(first?.value ?? []).toString('latin1')).toContain('frame')
      leave.abort()
      await browser.disconnect()
    }
    await run('ns_browser/release_session', { session_id: rented.sessionId })
  })
})

test('the listener for gateways answers no one who does not know their secret', async () => {
  const [row] = await database.query<{ address: string }>('select address from gateway')
  for (const headers of [
    {},
    { 'tollway-gateway': '{"from":1,"to":2,"atMs":1,"nonce":"x","mac":"y"}' },
  ])
    for (const path of ['/hello', '/errands/run-action', '/api/run', '/healthz'])
      expect((await fetch(new URL(path, row?.address), { headers })).status).toBe(403)
})

test.skipIf(!confined)('what a killed gateway had is refused, and nothing is charged', async () => {
  const [other, at] = urls
  const { data } = await run('ns_sandbox/sandbox-create', {}, { at })
  const { sandbox_id } = data
  const running = run(
    'ns_sandbox/sandbox-exec',
    { sandbox_id, command: 'sleep 60', timeout: 50 },
    { at: other },
  )
  await until(async () => (await account.get('/api/v1/account')).held_cents > 0)
  await two.kill()
  front.lead([other ?? ''])
  const failed = await running
  expect(failed).toMatchObject({ ok: false, error: 'unavailable' })
  await until(async () => (await account.get('/api/v1/account')).held_cents === 0)
  await one.expectBooksRight()
})
