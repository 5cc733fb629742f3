// Everything that a key opened ends within a second of its end, at every gateway. A new door fails here until it is
// tried.
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { type ClientRequest, request as httpRequest, type IncomingMessage } from 'node:http'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Door, doors, signedPurposes } from '#core/access/open-access.ts'
import { canRent, type Rented } from '#test/browsers/rented-browser.ts'
import { startSecondGateway } from '#test/gateways/second-gateway.ts'
import { adminToken, type Gateway, shareGateway, type TestAccount } from '#test/harness.ts'
import { missingForBoxes } from '#test/sessions/boxes.ts'
import { createSessionProvider, createTestMachine } from '#test/sessions/session-gateway.ts'
import { until } from '#test/until.ts'
import { isTest, sources } from '../../tidy/sources.ts'
import { basic } from '../repositories/git-client.fixture.ts'

const machine = createTestMachine()
const shared = shareGateway({ providers: [createSessionProvider(machine)] })

const bytesPerLook = 500_000

/** Something that is open. */
interface Opened {
  /** Resolves when it has ended. */
  readonly ended: Promise<unknown> | (() => Promise<boolean>)
  /** What shows that it cannot be opened again. */
  readonly isShut?: () => Promise<boolean>
}

interface Holder {
  readonly gateway: Gateway
  /** Makes a call with the key that will end. */
  call(
    action: string,
    body: object,
  ): Promise<{ status: number; body: { data: Record<string, string> } }>
  readonly key: string
  /** With which requests under way are refused when the key ends. */
  readonly refusedStatus: number
}

const closed = (asked: ClientRequest) =>
  new Promise((resolve) => {
    asked.once('error', resolve)
    asked.once('close', resolve)
  })

/** Sends the beginning of a body, and waits until the server has it. */
async function beginSending(url: string, method: string, headers: Record<string, string>) {
  const asked = httpRequest(url, { method, headers, agent: false })
  asked.write(randomBytes(1_000))
  await once(asked, 'socket')
  return asked
}

async function openUpload({ call }: Holder) {
  const { body } = await call('files/upload', { filename: 'a.bin', size_bytes: 1_000_000 })
  return body.data
}

async function openFile(holder: Holder, bytes: number) {
  const { body } = await holder.call('files/upload', { filename: 'a.bin', size_bytes: bytes })
  const { put_url: at = '', get_url: address = '' } = body.data
  expect((await fetch(at, { method: 'PUT', body: randomBytes(bytes) })).status).toBe(200)
  return address
}

const refuses = (url: string, status: number, init?: RequestInit) => async () =>
  (await fetch(url, init)).status === status

async function rent({ call }: Holder): Promise<Rented> {
  const { body } = await call('ns_browser/create_session', { estimatedMinutes: 5 })
  return body.data as unknown as Rented
}

/** One for each door. TypeScript asks for a new one. */
const trials: Record<Door, { readonly canRun: boolean; open(holder: Holder): Promise<Opened> }> = {
  request: {
    canRun: true,
    async open({ gateway, call, key, refusedStatus }) {
      const { body } = await call('test/job', { steps: 0, ends: 'gate' })
      const { job_id } = body.data
      const poll = gateway.call('tollway/result', { job_id, wait_seconds: 50 }, { key })
      return { ended: poll.then(({ status }) => expect(status).toBe(refusedStatus)) }
    },
  },
  'file upload': {
    canRun: true,
    async open(holder) {
      const { put_url: at = '' } = await openUpload(holder)
      const asked = await beginSending(at, 'PUT', { 'content-length': '1000000' })
      return { ended: closed(asked), isShut: refuses(at, 404, { method: 'PUT', body: 'x' }) }
    },
  },
  'file download': {
    canRun: true,
    async open(holder) {
      const bytes = 60_000_000
      const at = await openFile(holder, bytes)
      const asked = httpRequest(at, { agent: false }).end()
      const [reply] = (await once(asked, 'response')) as [IncomingMessage]
      reply.on('error', () => {})
      let received = 0
      return {
        // Reads slowly, so that the file would take much longer.
        async ended() {
          received += reply.read(Math.min(bytesPerLook, reply.readableLength))?.length ?? 0
          expect(received).toBeLessThan(bytes)
          return reply.destroyed
        },
        isShut: refuses(at, 404),
      }
    },
  },
  repository: {
    canRun: (await missingForBoxes()) === undefined,
    async open({ call }) {
      const { body } = await call('ns_repo/repo-create', {})
      const at = new URL(body.data.clone_url ?? '')
      const authorization = basic(at.password)
      at.username = ''
      at.password = ''
      const asked = await beginSending(`${at.href}/git-receive-pack`, 'POST', {
        authorization,
        'content-type': 'application/x-git-receive-pack-request',
      })
      const refs = `${at.href}/info/refs?service=git-upload-pack`
      expect((await fetch(refs, { headers: { authorization } })).status).toBe(200)
      return { ended: closed(asked), isShut: refuses(refs, 404, { headers: { authorization } }) }
    },
  },
  session: {
    canRun: true,
    async open({ call, gateway }) {
      const { body } = await call('boxes/create_session', {})
      const { session_id: id = '' } = body.data
      expect(machine.boxes.has(id)).toBe(true)
      const held = `select 1 from call where id = $1 and state = 'held'`
      return {
        ended: async () => !machine.boxes.has(id),
        isShut: async () => (await gateway.database.query(held, [id])).length === 0,
      }
    },
  },
  sandbox: {
    canRun: (await missingForBoxes()) === undefined,
    async open({ call, gateway }) {
      const { body } = await call('ns_sandbox/sandbox-create', { timeout: 600 })
      const ended = `select 1 from sandbox where id = $1 and state <> 'running'`
      const { sandbox_id: id } = body.data
      return { ended: async () => (await gateway.database.query(ended, [id])).length > 0 }
    },
  },
  'rented browser': {
    canRun: canRent,
    async open({ call, gateway }) {
      const { body } = await call('ns_browser/create_session', { estimatedMinutes: 5 })
      const ended = 'select 1 from browser_session where id = $1 and ended_at is not null'
      const { sessionId: id } = body.data
      return { ended: async () => (await gateway.database.query(ended, [id])).length > 0 }
    },
  },
  'browser connection': {
    canRun: canRent,
    async open(holder) {
      const { connectUrl } = await rent(holder)
      const socket = new WebSocket(connectUrl)
      await once(socket, 'open')
      return {
        ended: once(socket, 'close'),
        isShut: refuses(connectUrl.replace(/^ws/, 'http'), 401),
      }
    },
  },
  'browser live view': {
    canRun: canRent,
    async open(holder) {
      const { liveViewUrl } = await rent(holder)
      const frames = await fetch(liveViewUrl.replace('/live?', '/frames?'))
      const ended = frames.arrayBuffer().catch(() => {})
      return { ended, isShut: refuses(liveViewUrl, 401) }
    },
  },
}

const operate = (method: string, at: string, body: object = {}) =>
  shared().request(method, `/api/v1/admin/accounts/${at}`, { key: adminToken, body })

/** Ways in which a key ends, carried out at another gateway of the same database. */
const endings = [
  {
    when: 'its key is revoked',
    refusedStatus: 401,
    end: ({ key }: TestAccount, keyId: string) =>
      second.request('DELETE', `/api/v1/keys/${keyId}`, { key }),
  },
  {
    when: 'its account is frozen',
    refusedStatus: 403,
    end: ({ id }: TestAccount) => operate('POST', `${id}/freeze`, { reason: 'stolen' }),
  },
]

let second: Awaited<ReturnType<typeof startSecondGateway>>
const closers: (() => Promise<void>)[] = []
beforeAll(async () => {
  second = await startSecondGateway(shared(), undefined, (work) => closers.unshift(work))
})
afterAll(async () => {
  for (const close of closers) await close()
})

describe.each(endings)('when $when,', ({ refusedStatus, end }) => {
  test.each(Object.keys(doors) as Door[])('what it opened by the door “%s” ends', async (door) => {
    const { canRun, open } = trials[door]
    if (!canRun) return
    const gateway = shared()
    const account = await gateway.account(1_000)
    const made = await gateway.request('POST', '/api/v1/keys', { key: account.key, body: {} })
    const { api_key: key, key_id: keyId } = made.body
    const call: Holder['call'] = async (action, body) => {
      const reply = await gateway.call(action, body, { key })
      expect(reply, JSON.stringify(reply.body)).toMatchObject({ status: 200 })
      return reply
    }
    const { ended, isShut = async () => true } = await open({ gateway, key, call, refusedStatus })
    await end(account, keyId)
    if (typeof ended === 'function') await until(ended)
    else await ended
    await until(isShut)
  })
})

describe('the list of doors', () => {
  test('has the door of each route that checks a credential of its own', () => {
    // Their credentials are given out by a sign-in, which ends with its key, or lead to a key that is looked up each
    // time.
    const withoutDoor = /^\/(oauth|sign-in)(\/|$)/
    const missing = shared()
      .routes()
      .filter(({ credentialOfItsOwn, doors: own }) => credentialOfItsOwn && own.length === 0)
      .map(({ url }) => url)
      .filter((url) => !withoutDoor.test(url))
    expect(missing).toEqual([])
  })

  test('has each purpose for which an address is signed, and routes open no others', () => {
    const signed = Object.values(signedPurposes).filter((door) => door !== null)
    const opened = shared()
      .routes()
      .flatMap(({ doors: own }) => own)
    expect([...new Set(opened)].toSorted()).toEqual([...new Set(signed)].toSorted())
  })

  test('is used wherever a signature admits, and wherever a connection leaves its request', () => {
    const using = (pattern: RegExp) =>
      sources
        .filter(({ file, text }) => /^src\//.test(file) && !isTest(file) && pattern.test(text))
        .map(({ file }) => file)
    expect(using(/signer\.accepts\(/)).toEqual([
      'src/accounts/sign-in/challenges.ts',
      'src/core/access/signed-address.ts',
      'src/features/machines/repositories/access-tokens.ts',
      'src/surfaces/http/routes/jobs.ts',
    ])
    const isDoor = (file: string) => file.startsWith('src/surfaces/')
    // A chat that streams is a request like any other: its connection is still that of its answer. What is passed on to
    // another gateway is admitted, and ended, by that gateway.
    expect(using(/\.hijack\(\)|server\.on\('(upgrade|connect)'/).filter(isDoor)).toEqual([
      'src/surfaces/doors/event-stream.ts',
      'src/surfaces/http/admission.ts',
      'src/surfaces/http/passing.ts',
      'src/surfaces/http/routes/browsers.ts',
      'src/surfaces/http/routes/models/model-answers.ts',
    ])
  })
})
