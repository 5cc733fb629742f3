// The SMTP server towards other servers: real clients, limits, TLS.
import { execFile } from 'node:child_process'
import { connect } from 'node:net'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { findProgram } from '#platform/sandbox/sandbox.ts'
import { createInbox, mailDomain, shareMailGateway } from '#test/mail/gateway.ts'

const run = promisify(execFile)
const postmaster = `operator@${mailDomain}`
const gateway = shareMailGateway({ env: () => ({ MAIL_POSTMASTER: postmaster }) })

async function openInbox() {
  const account = await gateway().account(500)
  const inbox_id = await createInbox(account)
  const list = async () =>
    (await account.call('ns_mail/list-messages', { inbox_id })).body.data.messages
  return { account, inbox_id, list }
}

/** Speaks SMTP line by line. Resolves to the last line of each reply. */
async function speak(lines: readonly string[]): Promise<string[]> {
  const socket = connect(gateway().mailPort, '127.0.0.1')
  const replies: string[] = []
  const left = [...lines]
  try {
    for await (const line of createInterface({ input: socket })) {
      if (/^\d{3}-/.test(line)) continue
      replies.push(line)
      const next = left.shift()
      if (next === undefined) return replies
      socket.write(`${next}\r\n`)
    }
    return replies
  } finally {
    socket.destroy()
  }
}

const python = `
import smtplib, sys
from email.message import EmailMessage
mail = EmailMessage()
mail["From"] = "Zoë <zoe@example.org>"
mail["To"] = sys.argv[2]
mail["Subject"] = "Übersicht – 日本"
mail["Message-ID"] = "<py@example.org>"
mail.set_content("Grüße aus Köln\\n.\\n..two dots\\n")
mail.add_attachment(b"%PDF-1.4 test", maintype="application", subtype="pdf", filename="Überblick.pdf")
with smtplib.SMTP("127.0.0.1", int(sys.argv[1])) as client:
    client.send_message(mail)
    print(client.verify("postmaster")[0], client.noop()[0])
`

const interpreter = await findProgram('python3')
const isMissing = interpreter === undefined ? ' (python3 is not installed)' : ''

test.skipIf(isMissing)(
  `Python’s smtplib delivers umlauts, lines of dots and an attachment${isMissing}`,
  async () => {
    const { account, inbox_id, list } = await openInbox()
    await run(interpreter as string, ['-c', python, String(gateway().mailPort), inbox_id])
    expect(await list()).toMatchObject([
      {
        from: 'Zoë <zoe@example.org>',
        subject: 'Übersicht – 日本',
        attachments: [{ filename: 'Überblick.pdf', content_type: 'application/pdf' }],
      },
    ])
    const asked = { inbox_id, message_id: '<py@example.org>' }
    const { text } = (await account.call('ns_mail/get-message', asked)).body.data
    expect(text.trim()).toBe('Grüße aus Köln\n.\n..two dots')
  },
)

test('one mail to several inboxes comes into each, in upper or lower case', async () => {
  const [one, other] = [await openInbox(), await openInbox()]
  const to = [one.inbox_id.toUpperCase(), other.inbox_id]
  await gateway().deliver({ from: 'bob@example.org', to, subject: 'Both', text: 'Hi' })
  for (const { list } of [one, other]) expect(await list()).toMatchObject([{ subject: 'Both' }])
})

test('a mail above the size limit is refused with 552, announced or not', async () => {
  const { inbox_id, list } = await openInbox()
  const text = 'a'.repeat(10_000_000)
  await expect(
    gateway().deliver({ from: 'bob@example.org', to: inbox_id, text }),
  ).rejects.toMatchObject({ responseCode: 552 })
  const raw = `From: bob@example.org\r\n\r\n${`${'a'.repeat(900)}\r\n`.repeat(11_200)}.`
  const replies = await speak([
    'EHLO example.org',
    'MAIL FROM:<bob@example.org>',
    `RCPT TO:<${inbox_id}>`,
    'DATA',
    raw,
  ])
  expect(replies.at(-1)).toMatch(/^552 /)
  expect(await list()).toEqual([])
})

test('recipients beyond the limit are put off with 452, and the others are taken', async () => {
  const { account } = await openInbox()
  const addresses = Array.from({ length: 51 }, (_, at) => `many${at}x${process.pid}@${mailDomain}`)
  await gateway().database.query(
    'insert into inbox (address, account_id, created_at) select unnest($1::text[]), $2, now()',
    [addresses, account.id],
  )
  const recipients = addresses.map((address) => `RCPT TO:<${address}>`)
  const replies = await speak(['EHLO example.org', 'MAIL FROM:<bob@example.org>', ...recipients])
  expect(replies.slice(3, -1).every((reply) => reply.startsWith('250'))).toBe(true)
  expect(replies.at(-1)).toMatch(/^452 4\.5\.3 /)
})

test.each([
  ['a percent hack', `RCPT TO:<eve%example.net@${mailDomain}>`],
  ['a source route', `RCPT TO:<@${mailDomain}:eve@example.net>`],
  ['a quoted address', `RCPT TO:<"eve@example.net"@${mailDomain}>`],
  ['a subdomain', `RCPT TO:<eve@sub.${mailDomain}>`],
  ['another domain', 'RCPT TO:<eve@example.net>'],
  ['no domain', 'RCPT TO:<root>'],
])('mail is not relayed by %s', async (_what, recipient) => {
  const replies = await speak(['EHLO example.org', `MAIL FROM:<bob@${mailDomain}>`, recipient])
  expect(replies.at(-1)).toMatch(/^5\d\d /)
})

test('logging in is not offered', async () => {
  const replies = await speak(['EHLO example.org', 'AUTH PLAIN AGEAYg=='])
  expect(replies.at(-1)).toMatch(/^50\d /)
})

test.each([
  ['LF . LF', '\n.\n'],
  ['LF . CRLF', '\n.\r\n'],
  ['CRLF . LF', '\r\n.\n'],
  ['CR . CR', '\r.\r'],
  ['CRLF . CR', '\r\n.\r'],
  ['CRLF NUL . CRLF', '\r\n\0.\r\n'],
])('a second mail behind %s stays text of the first', async (_what, end) => {
  const { inbox_id, list } = await openInbox()
  const envelope = ['MAIL FROM:<eve@example.net>', `RCPT TO:<${inbox_id}>`, 'DATA']
  const second = [...envelope, 'Subject: Two', '', ''].join('\r\n')
  await speak([
    ...['EHLO example.org', 'MAIL FROM:<bob@example.org>', `RCPT TO:<${inbox_id}>`, 'DATA'],
    `Subject: One\r\n\r\nHi${end}${second}\r\n.`,
  ])
  expect((await list()).map(({ subject }: { subject: string }) => subject)).toEqual(['One'])
})

test('the eleventh connection of one address is put off', async () => {
  const sockets = Array.from({ length: 11 }, () => connect(gateway().mailPort, '127.0.0.1'))
  try {
    const greetings = await Promise.all(
      sockets.map(
        (socket) =>
          new Promise<string>((resolve) => socket.once('data', (data) => resolve(String(data)))),
      ),
    )
    expect(greetings.filter((line) => line.startsWith('220'))).toHaveLength(10)
    expect(greetings.filter((line) => line.startsWith('421'))).toHaveLength(1)
  } finally {
    for (const socket of sockets) socket.destroy()
  }
})

test.each([
  ['the inbox', 'update inbox set bytes = 199999990 where address = $1'],
  [
    'the account',
    'update mail_usage set bytes = 999999990 from inbox where address = $1 and mail_usage.account_id = inbox.account_id',
  ],
  [
    'the quota of files',
    'insert into file_quota (account_id, bytes_max) select account_id, 0 from inbox where address = $1',
  ],
])('without room in %s, mail is put off with 452 and leaves nothing', async (_what, fill) => {
  const { account, inbox_id, list } = await openInbox()
  await gateway().database.query(fill, [inbox_id])
  const mail = { from: 'bob@example.org', to: inbox_id, text: 'a'.repeat(100) }
  const attachments = [{ filename: 'a.txt', content: 'content' }]
  await expect(gateway().deliver({ ...mail, attachments })).rejects.toMatchObject({
    responseCode: 452,
  })
  expect(await list()).toEqual([])
  expect((await account.call('files/list', {})).body.data.files).toEqual([])
})

test('mail to the operator is refused before its inbox exists, and comes into it then', async () => {
  const ask = (address: string) =>
    speak(['EHLO example.org', 'MAIL FROM:<bob@example.org>', `RCPT TO:<${address}>`])
  expect((await ask(`postmaster@${mailDomain}`)).at(-1)).toMatch(/^550 /)
  const account = await gateway().account(500)
  await account.call('ns_mail/create_inbox', { username: 'operator' })
  for (const address of [`Postmaster@${mailDomain}`, `abuse@${mailDomain}`]) {
    const mail = { from: 'bob@example.org', to: address, subject: address, text: 'Hi' }
    await gateway().deliver(mail)
  }
  const { messages } = (await account.call('ns_mail/list-messages', { inbox_id: postmaster })).body
    .data
  expect(messages.map(({ subject }: { subject: string }) => subject)).toEqual([
    `abuse@${mailDomain}`,
    `Postmaster@${mailDomain}`,
  ])
})
