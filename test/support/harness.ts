// Runs a whole gateway on its own database; tests call it over HTTP.
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, beforeEach, inject, onTestFinished } from 'vitest'
import type { Clock, Log } from '#core/ports.ts'
import type { Provider } from '#core/provider.ts'
import type { UntypedJson } from '#core/replies/untyped-json.ts'
import { type Database, openDatabase } from '#platform/database/database.ts'
import type { UpstreamWallet } from '#platform/http/upstream-wallet.ts'
import { npmVariablesOf } from '#platform/sandbox/node-packages.ts'
import { readPluggedConfig } from '#plugins/plugged-config.ts'
import { type App, createApp } from '../../src/app.ts'
import { type AtEnd, createTestDatabase } from './database.ts'
import { starts } from './reporters/starts.ts'
import { silentLog } from './silent-log.ts'
import { createTestProvider, type TestProvider } from './test-provider.ts'

export const adminToken = 'operator-token-of-the-tests'

export interface Reply {
  readonly status: number
  readonly headers: Headers
  readonly body: UntypedJson
}

export interface Gateway {
  readonly url: string
  readonly databaseUrl: string
  readonly database: Database
  readonly dataDir: string
  /** Its rooms, for what runs beside requests: the introduction of a first start. */
  readonly app: App
  /** The addresses at which it answers. */
  readonly routes: App['routes']
  /** Runs requests that do not arrive over HTTP. */
  readonly runner: App['runner']
  /** The requests to the test provider, and the functions that control it. */
  readonly provider: TestProvider
  request(method: string, path: string, options?: RequestOptions): Promise<Reply>
  /** POST /api/run/{action} with an API key. */
  call(action: string, body: unknown, options?: RequestOptions): Promise<Reply>
  /** A new account with this balance. */
  account(balanceCents: number): Promise<TestAccount>
  close(): Promise<void>
}

export interface TestAccount {
  readonly id: string
  readonly key: string
  call(action: string, body: unknown, headers?: Record<string, string>): Promise<Reply>
  get(path: string): Promise<Reply>
  /** The account's balance, holds and charges. */
  state(): Promise<{ availableCents: number; heldCents: number; transactions: number }>
}

export interface RequestOptions {
  readonly key?: string | undefined
  readonly headers?: Record<string, string>
  readonly body?: unknown
  /** Sent unchanged instead of `body`. */
  readonly raw?: string
}

export interface GatewayOptions {
  readonly env?: Record<string, string>
  readonly clock?: Clock
  readonly databaseUrl?: string
  /** In which its data folder is made. */
  readonly parentFolder?: string
  readonly log?: Log
  readonly upstreamWallet?: UpstreamWallet
  /** Sold beside the test provider. */
  readonly providers?: readonly Provider[]
  /** The built console, for tests of it. */
  readonly consoleFolder?: string
}

/**
 * One gateway for all tests of the block. They must leave nothing behind. Each finds its test provider as new. A
 * function of options is called when the gateway starts: they may name servers of the test, or another gateway’s
 * database.
 */
export function shareGateway(options: GatewayOptions | (() => GatewayOptions) = {}): () => Gateway {
  let gateway: Gateway | undefined
  const endings: (() => Promise<void>)[] = []
  beforeAll(async () => {
    const chosen = typeof options === 'function' ? options() : options
    gateway = await startGateway(chosen, (work) => endings.unshift(work))
  })
  beforeEach(() => gateway?.provider.reset())
  afterAll(async () => {
    for (const end of endings) await end()
  })
  return () => {
    if (gateway === undefined) throw new Error('The shared gateway exists only while a test runs.')
    return gateway
  }
}

interface SharedByFiles {
  readonly env?: Record<string, string>
  /** Its tests sell, price and invite under names of their own, which others see. */
  readonly changes?: 'offers'
}

/** The one without settings, and the one of other settings that was asked for last. */
const ofWorker = new Map<string, Promise<Gateway>>()
const withoutSettings = JSON.stringify([undefined, []])

/** A worker that kept a gateway for each setting would use up the connections of the database. */
async function closeOthersOfWorker(key: string): Promise<void> {
  for (const [other, started] of ofWorker) {
    if (other === key || other === withoutSettings) continue
    ofWorker.delete(other)
    await started.then((gateway) => gateway.close())
  }
}

/**
 * One gateway for all files that a worker runs and that ask for the same, because starting one costs more than most
 * files. Their tests only add accounts of their own. A test that reads what all accounts have, uses up a limit, or
 * stops the gateway shares one with its file instead.
 */
export function shareGatewayOfWorker(shared: SharedByFiles = {}): () => Gateway {
  let gateway: Gateway | undefined
  const key = JSON.stringify([shared.changes, Object.entries(shared.env ?? {}).toSorted()])
  beforeAll(async () => {
    // A worker has no last test. Its end closes the connections, and the run removes the folder and the database.
    const options = {
      parentFolder: inject('workersFolder'),
      // Tests of many files sign up from one address.
      env: { SIGNUPS_PER_HOUR: '100000', ...shared.env },
    }
    if (key !== withoutSettings) await closeOthersOfWorker(key)
    const started = ofWorker.get(key) ?? startGateway(options, () => {})
    ofWorker.set(key, started)
    gateway = await started
  })
  beforeEach(() => gateway?.provider.reset())
  return () => {
    if (gateway === undefined) throw new Error('The shared gateway exists only while a test runs.')
    return gateway
  }
}

export async function startGateway(
  options: GatewayOptions = {},
  atEnd: AtEnd = onTestFinished,
): Promise<Gateway> {
  starts.gateways += 1
  const databaseUrl = options.databaseUrl ?? (await createTestDatabase(atEnd))
  const dataDir = await mkdtemp(path.join(options.parentFolder ?? tmpdir(), 'tollway-gateway-'))
  // Programs in boxes run as another user, who must reach their folder.
  await chmod(dataDir, 0o711)
  const provider = createTestProvider()
  const environment = environmentOf(options, { databaseUrl, dataDir })
  const providers = [provider.definition, ...(options.providers ?? [])]
  const { config, plugins } = await readPluggedConfig(environment)
  const app = await createApp({
    config,
    log: options.log ?? silentLog,
    plugins: [{ id: 'test', providers }, ...plugins],
    ...(options.clock === undefined ? {} : { clock: options.clock }),
    ...(options.consoleFolder === undefined ? {} : { consoleFolder: options.consoleFolder }),
    ...(options.upstreamWallet === undefined ? {} : { upstreamWallet: options.upstreamWallet }),
  })
  const url = await app.listen()
  const database = openDatabase({ connectionString: databaseUrl, log: silentLog })
  let closing: Promise<void> | undefined
  const close = () => {
    closing ??= (async () => {
      provider.release()
      await app.close()
      await database.close()
      await rm(dataDir, { recursive: true, force: true })
    })()
    return closing
  }
  atEnd(close)

  const door = openDoor(url)
  const account = (balanceCents: number) => openAccount({ ...door, database }, balanceCents)
  const { routes, runner } = app
  const own = { url, databaseUrl, database, dataDir, app, routes, runner, provider }
  return { ...own, ...door, account, close }
}

type Door = Pick<Gateway, 'request' | 'call'>

/** To a gateway in any process. */
export function openDoor(url: string): Door {
  const request: Door['request'] = async (method, at, { key, headers, body, raw } = {}) => {
    const sent = raw ?? (body === undefined ? undefined : JSON.stringify(body))
    const reply = await fetch(new URL(at, url), {
      method,
      headers: {
        ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
        ...(sent === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(sent === undefined ? {} : { body: sent }),
    })
    const text = await reply.text()
    return { status: reply.status, headers: reply.headers, body: parseJson(text) }
  }
  return {
    request,
    call: (action, body, options = {}) =>
      request('POST', `/api/run/${action}`, { ...options, body }),
  }
}

async function openAccount(
  { request, call, database }: Door & Pick<Gateway, 'database'>,
  balanceCents: number,
): Promise<TestAccount> {
  const opened = await request('POST', '/api/v1/admin/accounts', {
    key: adminToken,
    body: { balance_cents: balanceCents, confirm_cents: balanceCents },
  })
  const { account_id: id, api_key: key } = opened.body
  const get = (at: string) => request('GET', at, { key })
  return {
    id,
    key,
    get,
    call: (action, body, headers = {}) => call(action, body, { key, headers }),
    async state() {
      const { body } = await get('/api/v1/account')
      const [row] = await database.query<{ count: number }>(
        'select count(*) as count from call where account_id = $1',
        [id],
      )
      return {
        availableCents: body.available_cents,
        heldCents: body.held_cents,
        transactions: row?.count ?? 0,
      }
    },
  }
}

function environmentOf(
  { env }: GatewayOptions,
  { databaseUrl, dataDir }: { databaseUrl: string; dataDir: string },
) {
  return {
    ...npmVariablesOf(process.env),
    PORT: '0',
    DATA_DIR: dataDir,
    DATABASE_URL: databaseUrl,
    ADMIN_TOKEN: adminToken,
    RATE_LIMIT_PER_MINUTE: '100000',
    ...env,
  }
}

/** Recomputes the books from the ledger's entries. */
export async function verify(gateway: Pick<Gateway, 'request'>) {
  const { body } = await gateway.request('GET', '/api/v1/admin/ledger/verify', { key: adminToken })
  return body
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** The kinds of events of a call, in their order. */
export async function timelineOf(account: TestAccount, transactionId: string): Promise<string[]> {
  const { body } = await account.get(`/api/v1/transactions/${transactionId}`)
  return body.timeline.map(({ event }: { event: string }) => event)
}
