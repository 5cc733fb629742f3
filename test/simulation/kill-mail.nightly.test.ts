// kill -9 while mail arrives: what was acknowledged is there, and what was not is stored once when its sender repeats
// it.
import { once } from 'node:events'
import { createTransport } from 'nodemailer'
import { SMTPServer } from 'smtp-server'
import { expect, onTestFinished, test } from 'vitest'
import { portOf } from '#platform/http/port.ts'
import { findFreePort } from '#test/gateways/free-port.ts'
import { until } from '#test/until.ts'
import { holdUp, waiting } from './held-statements.ts'
import { openOuterDatabase, startMortalGateway } from './mortal-gateway.ts'

const domain = 'agents.example'
const inbox_id = `ada@${domain}`
const mail = {
  from: 'bob@example.org',
  to: inbox_id,
  subject: 'Hi',
  text: 'Hi',
  messageId: '<1@b.org>',
  date: new Date(0),
  attachments: [{ filename: 'a.txt', content: 'content' }],
}

/** A mail relay that takes mails and keeps its senders waiting. */
async function startSilentRelay() {
  let taken = 0
  const relay = new SMTPServer({
    authOptional: true,
    disableReverseLookup: true,
    disabledCommands: ['STARTTLS'],
    onData(stream) {
      stream.on('end', () => (taken += 1)).resume()
    },
  })
  relay.on('error', () => {})
  relay.listen(0, '127.0.0.1')
  await once(relay.server, 'listening')
  onTestFinished(() => new Promise<void>((resolve) => relay.close(() => resolve())))
  const port = portOf(relay.server)
  return { url: `smtp://127.0.0.1:${port}`, taken: () => taken }
}

async function open(more: Record<string, string> = {}) {
  const { database, env } = await openOuterDatabase()
  const port = await findFreePort()
  const { openAccount, killAndStart } = await startMortalGateway({
    ...env,
    CHROMIUM_PATH: '/nowhere/chromium',
    MAIL_DOMAINS: domain,
    MAIL_PORT: String(port),
    ...more,
  })
  const { attempt, call } = await openAccount(300)
  await call('ns_mail/create_inbox', { username: 'ada' })
  return {
    database,
    call,
    killAndStart,
    /** Sends a mail, always under the same idempotency key. */
    sendOnce: async (to: string) =>
      (await attempt('ns_mail/send', { inbox_id, to, subject: 'Once', text: 'Hi' }, 'once'))?.body,
    deliver: () =>
      createTransport({ host: '127.0.0.1', port }).sendMail({
        // The sender repeats the same bytes.
        ...mail,
        boundaryPrefix: 'b',
        baseBoundary: 'fixed',
      } as object),
  }
}

test('mail that was acknowledged is there after the gateway was killed', async () => {
  const { call, deliver, killAndStart } = await open()
  await deliver()
  await killAndStart()
  const { messages } = await call('ns_mail/list-messages', { inbox_id })
  expect(messages).toMatchObject([{ subject: 'Hi', attachments: [{ filename: 'a.txt' }] }])
  const got = await call('ns_mail/get-message', { inbox_id, message_id: '<1@b.org>' })
  expect(await (await fetch(got.attachments[0].download_url)).text()).toBe('content')
})

const heldUp = 'trigger hold_up before insert on mail_message'

test('mail whose gateway was killed before the acknowledgement is stored once, its attachment too', async () => {
  const { database, call, deliver, killAndStart } = await open()
  const letGo = await holdUp(database, heldUp)
  const lost = expect(deliver()).rejects.toThrow()
  await waiting(database)
  await killAndStart()
  await letGo()
  await lost
  await deliver()
  await deliver()
  expect((await call('ns_mail/list-messages', { inbox_id })).count).toBe(1)
  expect((await call('files/list', {})).files).toHaveLength(1)
})

test('a mail that the relay may have taken when its gateway was killed is not sent again', async () => {
  const relay = await startSilentRelay()
  const { call, sendOnce, killAndStart } = await open({ SMTP_RELAY_URL: relay.url })
  const lost = sendOnce('bob@example.org').catch(() => {})
  await until(async () => relay.taken() === 1)
  await killAndStart()
  await lost
  await until(async () => (await sendOnce('bob@example.org'))?.error === 'outcome_unknown')
  expect(relay.taken()).toBe(1)
  expect((await call('ns_mail/list-messages', { inbox_id })).count).toBe(0)
})

test('a mail to an inbox of a killed gateway arrives at most once', async () => {
  const { database, call, sendOnce, killAndStart } = await open()
  const letGo = await holdUp(database, heldUp)
  const lost = sendOnce(inbox_id).catch(() => {})
  await waiting(database)
  await killAndStart()
  await letGo()
  await lost
  await until(async () => (await sendOnce(inbox_id))?.error === 'outcome_unknown')
  expect((await call('ns_mail/list-messages', { inbox_id })).count).toBeLessThanOrEqual(1)
})
