// kill -9 while mail arrives: what was acknowledged is there, and what was not is stored once when its sender repeats it.
import { once } from 'node:events'
import { rm } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import { createTransport } from 'nodemailer'
import { SMTPServer } from 'smtp-server'
import { expect, onTestFinished, test } from 'vitest'
import { type Database, openDatabase } from '#platform/database/database.ts'
import { makeDataDirectory } from '#test/data-directory.ts'
import { createTestDatabase } from '#test/database.ts'
import { silentLog as log } from '#test/silent-log.ts'
import { until } from '#test/until.ts'
import { adminToken, type GatewayProcess, send, startGatewayProcess } from './gateway-process.ts'

const domain = 'agents.example'
const inbox_id = `ada@${domain}`
const mail = {
  ...{ from: 'bob@example.org', to: inbox_id, subject: 'Hi', text: 'Hi', messageId: '<1@b.org>' },
  ...{ date: new Date(0), attachments: [{ filename: 'a.txt', content: 'content' }] },
}

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

/** A mail relay that takes mails and keeps its senders waiting. */
async function startSilentRelay() {
  let taken = 0
  const relay = new SMTPServer({
    ...{ authOptional: true, disableReverseLookup: true, disabledCommands: ['STARTTLS'] },
    onData(stream) {
      stream.on('end', () => (taken += 1)).resume()
    },
  })
  relay.on('error', () => {})
  relay.listen(0, '127.0.0.1')
  await once(relay.server, 'listening')
  onTestFinished(() => new Promise<void>((resolve) => relay.close(() => resolve())))
  const { port } = relay.server.address() as AddressInfo
  return { url: `smtp://127.0.0.1:${port}`, taken: () => taken }
}

async function open(more: Record<string, string> = {}) {
  const dataDir = await makeDataDirectory()
  const databaseUrl = await createTestDatabase()
  const database = openDatabase({ connectionString: databaseUrl, log })
  const port = await freePort()
  const env = {
    ...{ DATABASE_URL: databaseUrl, CHROMIUM_PATH: '/nowhere/chromium' },
    ...{ MAIL_DOMAINS: domain, MAIL_PORT: String(port), ...more },
  }
  let gateway: GatewayProcess = startGatewayProcess(dataDir, env)
  onTestFinished(async () => {
    await gateway.stop()
    await database.close()
    await rm(dataDir, { recursive: true, force: true })
  })
  const ask = async (path: string, key: string, body: object) =>
    (await send(await gateway.listening, { path, key, body }))?.body
  const { api_key: key } = await ask('/api/v1/admin/accounts', adminToken, { balance_cents: 300 })
  const call = async (action: string, body: object) =>
    (await ask(`/api/run/${action}`, key, body)).data
  await call('ns_mail/create_inbox', { username: 'ada' })
  return {
    database,
    call,
    /** Sends a mail, always under the same idempotency key. */
    sendOnce: async (to: string) => {
      const body = { inbox_id, to, subject: 'Once', text: 'Hi' }
      const request = { path: '/api/run/ns_mail/send', key, body, idempotencyKey: 'once' }
      return (await send(await gateway.listening, request))?.body
    },
    deliver: () =>
      createTransport({ host: '127.0.0.1', port }).sendMail({
        // The sender repeats the same bytes.
        ...{ ...mail, boundaryPrefix: 'b', baseBoundary: 'fixed' },
      } as object),
    async killed() {
      await gateway.kill()
      gateway = startGatewayProcess(dataDir, env)
      await gateway.listening
    },
  }
}

test('mail that was acknowledged is there after the gateway was killed', async () => {
  const { call, deliver, killed } = await open()
  await deliver()
  await killed()
  const { messages } = await call('ns_mail/list-messages', { inbox_id })
  expect(messages).toMatchObject([{ subject: 'Hi', attachments: [{ filename: 'a.txt' }] }])
  const got = await call('ns_mail/get-message', { inbox_id, message_id: '<1@b.org>' })
  expect(await (await fetch(got.attachments[0].download_url)).text()).toBe('content')
})

/** From here on, messages wait before they are stored. */
async function holdUpMessages(database: Database) {
  await database.query(
    `create function hold_up() returns trigger language plpgsql as $$
     begin perform pg_advisory_xact_lock(4711); return new; end $$`,
  )
  await database.query(
    'create trigger hold_up before insert on mail_message for each row execute function hold_up()',
  )
  const session = await database.connect()
  await session.query('select pg_advisory_lock(4711)')
  return {
    letGo: () => session.end(),
    isHeldUp: () =>
      until(async () => {
        const rows = await database.query(
          `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
        )
        return rows.length > 0
      }),
  }
}

test('mail whose gateway was killed before the acknowledgement is stored once, its attachment too', async () => {
  const { database, call, deliver, killed } = await open()
  const { isHeldUp, letGo } = await holdUpMessages(database)
  const lost = expect(deliver()).rejects.toThrow()
  await isHeldUp()
  await killed()
  await letGo()
  await lost
  await deliver()
  await deliver()
  expect((await call('ns_mail/list-messages', { inbox_id })).count).toBe(1)
  expect((await call('files/list', {})).files).toHaveLength(1)
})

test('a mail that the relay may have taken when its gateway was killed is not sent again', async () => {
  const relay = await startSilentRelay()
  const { call, sendOnce, killed } = await open({ SMTP_RELAY_URL: relay.url })
  const lost = sendOnce('bob@example.org').catch(() => {})
  await until(async () => relay.taken() === 1)
  await killed()
  await lost
  await until(async () => (await sendOnce('bob@example.org'))?.error === 'outcome_unknown')
  expect(relay.taken()).toBe(1)
  expect((await call('ns_mail/list-messages', { inbox_id })).count).toBe(0)
})

test('a mail to an inbox of a killed gateway arrives at most once', async () => {
  const { database, call, sendOnce, killed } = await open()
  const { isHeldUp, letGo } = await holdUpMessages(database)
  const lost = sendOnce(inbox_id).catch(() => {})
  await isHeldUp()
  await killed()
  await letGo()
  await lost
  await until(async () => (await sendOnce(inbox_id))?.error === 'outcome_unknown')
  expect((await call('ns_mail/list-messages', { inbox_id })).count).toBeLessThanOrEqual(1)
})
