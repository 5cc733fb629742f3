// A gateway in a process of its own that a test kills and starts again on the same data.
import { expect, onTestFinished } from 'vitest'
import { type Database, openDatabase } from '#platform/database/database.ts'
import { makeDataDirectory, removeDataDirectory } from '#test/data-directory.ts'
import { type AtEnd, createTestDatabase } from '#test/database.ts'
import { silentLog as log } from '#test/silent-log.ts'
import { adminToken, send, startGatewayProcess } from './gateway-process.ts'

export type MortalGateway = Awaited<ReturnType<typeof startMortalGateway>>
export type MortalAccount = Awaited<ReturnType<MortalGateway['openAccount']>>

interface MortalOptions {
  /** A PostgreSQL server of its own costs a second of processor per start of the gateway. */
  readonly hasEmbeddedDatabase?: boolean
}

/** Ends with the test, or with what shares it, and its data with it. */
export async function startMortalGateway(
  settings: Readonly<Record<string, string>> = {},
  atEnd: AtEnd = onTestFinished,
  { hasEmbeddedDatabase = false }: MortalOptions = {},
) {
  const dataDir = await makeDataDirectory()
  const env = hasEmbeddedDatabase
    ? settings
    : { ...settings, DATABASE_URL: settings.DATABASE_URL ?? (await createTestDatabase(atEnd)) }
  let gateway = startGatewayProcess(dataDir, env)
  atEnd(async () => {
    await gateway.stop()
    await removeDataDirectory(dataDir)
  })
  /** Each start listens at another port. */
  const url = () => gateway.listening
  await url()

  async function start(): Promise<string> {
    gateway = startGatewayProcess(dataDir, env)
    return await url()
  }
  const asOperator = async (path: string, body?: object) =>
    (await send(await url(), { path, key: adminToken, body }))?.body

  return {
    dataDir,
    url,
    start,
    asOperator,
    pid: () => gateway.child.pid ?? 0,
    kill: () => gateway.kill(),
    async killAndStart(): Promise<string> {
      await gateway.kill()
      return await start()
    },
    async openAccount(balanceCents: number) {
      const opened = await asOperator('/api/v1/admin/accounts', {
        balance_cents: balanceCents,
        confirm_cents: balanceCents,
      })
      const key: string = opened.api_key
      /** Undefined when the connection broke. */
      const attempt = async (action: string, body: object, idempotencyKey?: string) =>
        await send(await url(), {
          path: `/api/run/${action}`,
          key,
          body,
          ...(idempotencyKey !== undefined && { idempotencyKey }),
        })
      return {
        key,
        attempt,
        accountId: opened.account_id as string,
        get: async (path: string) => (await send(await url(), { path, key }))?.body,
        post: async (path: string, body: object) =>
          (await send(await url(), { path, key, body }))?.body,
        remove: async (path: string) =>
          await fetch(new URL(path, await url()), {
            method: 'DELETE',
            headers: { authorization: `Bearer ${key}` },
          }),
        /** The data of an answer. */
        call: async (action: string, body: object) => (await attempt(action, body))?.body.data,
      }
    },
    async expectBooksRight() {
      const books = await asOperator('/api/v1/admin/ledger/verify')
      expect(books).toMatchObject({ ok: true, problems: [] })
    },
  }
}

/** A database that outlives the gateways of a test, and the setting that gives it to them. */
export async function openOuterDatabase(atEnd: AtEnd = onTestFinished): Promise<{
  readonly database: Database
  readonly env: { readonly DATABASE_URL: string }
}> {
  const connectionString = await createTestDatabase(atEnd)
  const database = openDatabase({ connectionString, log })
  atEnd(database.close)
  return { database, env: { DATABASE_URL: connectionString } }
}
