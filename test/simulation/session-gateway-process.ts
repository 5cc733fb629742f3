// A gateway in a process of its own that sells boxes which are processes, and what must be true of it in the end.
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { UntypedJson } from '#core/replies/untyped-json.ts'
import { type Database, openDatabase } from '#platform/database/database.ts'
import { microsPerSecond, processesNaming } from '#test/sessions/process-boxes.ts'
import { silentLog as log } from '#test/silent-log.ts'
import { adminToken, type GatewayProcess, startGatewayProcess } from './gateway-process.ts'

const provider = path.join(import.meta.dirname, '../support/sessions/process-boxes.ts')

interface Reply {
  readonly status: number
  readonly body: UntypedJson
}

type Send = (method: string, to: string, key: string, body?: unknown) => Promise<Reply | undefined>

/** Undefined when the connection broke. */
async function sendTo(
  base: string,
  ...[method, to, key, body]: Parameters<Send>
): ReturnType<Send> {
  try {
    const reply = await fetch(new URL(to, base), {
      method,
      headers: { authorization: `Bearer ${key}` },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    return { status: reply.status, body: await reply.json() }
  } catch {
    return undefined
  }
}

export type SessionGatewayProcess = Awaited<ReturnType<typeof startSessionGateway>>

/** `databaseUrl` and `dataDir` belong to the caller. */
export async function startSessionGateway(databaseUrl: string, dataDir: string) {
  const boxes = await mkdtemp(path.join(tmpdir(), 'tollway-boxes-'))
  const database = openDatabase({ connectionString: databaseUrl, log })
  const env = {
    DATABASE_URL: databaseUrl,
    CHROMIUM_PATH: '/nowhere/chromium',
    TOLLWAY_PROVIDERS: provider,
    BOXES_DIR: boxes,
  }
  let gateway: GatewayProcess = startGatewayProcess(dataDir, env)
  await gateway.listening

  const send: Send = async (...request) => await sendTo(await gateway.listening, ...request)

  async function openAccount(cents: number) {
    const body = { balance_cents: cents, confirm_cents: cents }
    const opened = await send('POST', '/api/v1/admin/accounts', adminToken, body)
    return { key: String(opened?.body.api_key), accountId: String(opened?.body.account_id) }
  }

  /** Waits until everything is closed; the sessions that the callers forgot are closed by the operator. */
  async function closeAll(): Promise<void> {
    const rows = await database.query<{ id: string }>(
      `select id from session where state not in ('closing', 'closed')`,
    )
    await Promise.all(
      rows.map(({ id }) => send('DELETE', `/api/v1/admin/sessions/${id}`, adminToken)),
    )
  }

  return {
    database,
    boxes,
    send,
    openAccount,
    closeAll,
    base: () => gateway.listening,
    /** kill -9 and a new process. Does not wait until it listens. */
    async killed(): Promise<void> {
      await gateway.kill()
      gateway = startGatewayProcess(dataDir, env)
      await gateway.listening
    },
    async stop(): Promise<void> {
      await gateway.stop()
      await database.close()
      await rm(boxes, { recursive: true, force: true })
    },
    /** What is left of sessions, and every charge that is not the price of its use. */
    async problems(): Promise<readonly object[]> {
      const verified = await send('GET', '/api/v1/admin/ledger/verify', adminToken)
      return [
        ...(await findProblems(database)),
        ...(verified?.body.ok === true ? [] : [{ what: 'books', ...verified?.body }]),
        ...(await readdir(boxes)).map((folder) => ({ what: 'folder', folder })),
      ]
    },
  }
}

/** What a session has used, in micro-dollars. */
const price = `${microsPerSecond} * coalesce((s.used ->> 'box')::bigint, 0)`

async function findProblems(database: Database): Promise<readonly object[]> {
  const wrong = await database.query<object>(
    // Less than its price is charged only where no more could be held.
    `select 'charge' as what, s.id, s.settled, s.used from session s join call c using (id)
     where s.settled < 0 or s.settled > ${price} or s.settled < least(${price}, c.held)
     union all select 'open', id, settled, used from session where state <> 'closed'
     union all select 'hold', id, held, null from call where state = 'held'
     union all select 'balance', account_id, held, null from balance where held <> 0 or available < 0
     union all select 'resource', id, 0, null from session where resource is not null`,
  )
  const ids = await database.query<{ id: string }>('select id from session')
  const left = await Promise.all(ids.map(({ id }) => processesNaming(id)))
  return [...wrong, ...left.flat().map((pid) => ({ what: 'process', pid }))]
}
