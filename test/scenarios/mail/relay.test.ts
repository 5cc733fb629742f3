// Mail to other domains goes through the operator's relay, signed, and is never reported as sent when it was not.
import { generateKeyPairSync } from 'node:crypto'
import { dkimVerify } from 'mailauth/lib/dkim/verify.js'
import { expect, test } from 'vitest'
import { createInbox, mailDomain, shareMailGateway } from '#test/mail/gateway.ts'
import { type Fault, shareSmtpSink } from '#test/mail/smtp-sink.ts'

const keys = generateKeyPairSync('rsa', { modulusLength: 2_048 })
const sink = shareSmtpSink()
const gateway = shareMailGateway({
  env: () => ({
    SMTP_RELAY_URL: sink().url,
    MAIL_DKIM_KEY: String(keys.privateKey.export({ type: 'pkcs8', format: 'pem' })),
  }),
})

async function openInbox() {
  const account = await gateway().account(500)
  const inbox_id = await createInbox(account, { display_name: 'Ada' })
  const list = async () =>
    (await account.call('ns_mail/list-messages', { inbox_id })).body.data.messages
  return { account, inbox_id, list }
}

const unfold = (raw: string) => raw.replaceAll(/\r\n[ \t]+/g, ' ')

test('the relay gets the mail from the inbox, signed for its domain and without its bcc', async () => {
  const { account, inbox_id, list } = await openInbox()
  const to = ['Bob <bob@example.org>', 'carol@example.net']
  const mail = {
    inbox_id,
    to,
    bcc: 'dave@example.org',
    subject: 'Grüße',
    text: 'Hallo',
    html: '<p>Hallo',
  }
  const sent = await account.call('ns_mail/send', mail)
  expect(sent.body).toMatchObject({ charged_cents: 1 })
  expect(sent.body.data.rejected).toBeUndefined()
  const [taken] = sink().taken
  expect(taken).toMatchObject({
    from: inbox_id,
    to: ['bob@example.org', 'carol@example.net', 'dave@example.org'],
  })
  expect(unfold(taken?.raw ?? '')).toContain(`Message-ID: ${sent.body.data.message_id}`)
  expect(taken?.raw).not.toContain('dave')
  const { results } = await dkimVerify(Buffer.from(taken?.raw ?? ''), {
    resolver: async (name: string) => {
      expect(name).toBe(`tollway._domainkey.${mailDomain}`)
      const key = keys.publicKey.export({ type: 'spki', format: 'der' }).toString('base64')
      return [[`v=DKIM1; k=rsa; p=${key}`]]
    },
  })
  expect(results).toMatchObject([{ signingDomain: mailDomain, status: { result: 'pass' } }])
  expect(await list()).toMatchObject([{ labels: ['sent'], message_id: sent.body.data.message_id }])
})

test('a reply has In-Reply-To and References of the whole conversation, and reply_all all recipients', async () => {
  const { account, inbox_id, list } = await openInbox()
  await gateway().deliver({
    from: 'Bob <bob@example.org>',
    to: [inbox_id, 'carol@example.net'],
    cc: 'dave@example.org',
    subject: 'Plan',
    text: 'See below',
    messageId: '<3@example.org>',
    inReplyTo: '<2@example.org>',
    references: ['<1@example.org>', '<2@example.org>'],
    envelope: { from: 'bob@example.org', to: [inbox_id] },
  })
  const message_id = '<3@example.org>'
  await account.call('ns_mail/reply', { inbox_id, message_id, text: 'Fine', reply_all: true })
  const [taken] = sink().taken
  expect(taken?.to).toEqual(['bob@example.org', 'carol@example.net', 'dave@example.org'])
  const raw = unfold(taken?.raw ?? '')
  expect(raw).toContain('In-Reply-To: <3@example.org>')
  expect(raw).toContain('References: <1@example.org> <2@example.org> <3@example.org>')
  expect(raw).toContain('Subject: Re: Plan')
  const [answer, plan] = await list()
  expect(answer.thread_id).toBe(plan.thread_id)
})

test('recipients that the relay refuses are named, and the others get the mail', async () => {
  const { account, inbox_id } = await openInbox()
  sink().fail({ at: 'recipient', reply: '550 No such user', only: 'no@example.org' })
  const to = ['no@example.org', 'bob@example.org']
  const { body } = await account.call('ns_mail/send', { inbox_id, to, subject: 'Hi', text: 'Hi' })
  expect(body).toMatchObject({
    charged_cents: 1,
    data: { rejected: [{ address: 'no@example.org', reason: expect.stringContaining('No such') }] },
  })
  expect(sink().taken).toMatchObject([{ to: ['bob@example.org'] }])
})

const faults: readonly (readonly [string, Fault, number, string])[] = [
  ['refuses connections', { at: 'connect', reply: '421 Too busy' }, 500, 'upstream_error'],
  ['hangs up at once', { at: 'connect', reply: 'hang up' }, 500, 'upstream_error'],
  ['refuses the sender', { at: 'sender', reply: '550 Sender refused' }, 400, 'bad_request'],
  ['is busy', { at: 'sender', reply: '451 Try later' }, 500, 'upstream_error'],
  ['hangs up after the sender', { at: 'sender', reply: 'hang up' }, 500, 'upstream_error'],
  ['refuses all recipients', { at: 'recipient', reply: '550 No such user' }, 400, 'bad_request'],
  ['defers all recipients', { at: 'recipient', reply: '450 Greylisted' }, 500, 'upstream_error'],
  ['refuses the mail as spam', { at: 'mail', reply: '554 Spam' }, 400, 'bad_request'],
  ['defers the mail', { at: 'mail', reply: '451 Try later' }, 500, 'upstream_error'],
]

test.each(faults)(
  'a relay that %s: nothing is charged, held or kept as sent',
  async (_what, fault, status, code) => {
    const { account, inbox_id, list } = await openInbox()
    const local = await openInbox()
    const before = await account.state()
    sink().fail(fault)
    const to = ['bob@example.org', local.inbox_id]
    const failed = await account.call('ns_mail/send', { inbox_id, to, subject: 'Hi', text: 'Hi' })
    expect([failed.status, failed.body.error]).toEqual([status, code])
    expect(await account.state()).toMatchObject({
      availableCents: before.availableCents,
      heldCents: 0,
    })
    expect([await list(), await local.list(), sink().taken]).toEqual([[], [], []])
  },
)

test('a relay that hangs up after the mail may have taken it: the outcome is unknown, and the price stays held', async () => {
  const { account, inbox_id, list } = await openInbox()
  sink().fail({ at: 'mail', reply: 'hang up' })
  const mail = { inbox_id, to: 'bob@example.org', subject: 'Hi', text: 'Hi' }
  const failed = await account.call('ns_mail/send', mail)
  expect([failed.status, failed.body.error]).toEqual([503, 'outcome_unknown'])
  expect(await account.state()).toMatchObject({ heldCents: 1 })
  expect(await list()).toEqual([])
})

test('a bounce comes into the inbox, within the conversation that it ends', async () => {
  const { account, inbox_id, list } = await openInbox()
  const mail = { inbox_id, to: 'no@example.org', subject: 'Hi', text: 'Hi' }
  const sent = await account.call('ns_mail/send', mail)
  const raw = [
    'From: Mail Delivery System <mailer-daemon@relay.example>',
    `To: ${inbox_id}`,
    'Subject: Undelivered Mail Returned to Sender',
    'Message-ID: <bounce@relay.example>',
    'MIME-Version: 1.0',
    'Content-Type: multipart/report; report-type=delivery-status; boundary="b"',
    '',
    '--b',
    'Content-Type: text/plain',
    '',
    'The mail could not be delivered.',
    '--b',
    'Content-Type: message/delivery-status',
    '',
    'Reporting-MTA: dns; relay.example',
    '',
    'Final-Recipient: rfc822; no@example.org',
    'Action: failed',
    'Status: 5.1.1',
    '--b',
    'Content-Type: message/rfc822',
    '',
    `From: ${inbox_id}`,
    `Message-ID: ${sent.body.data.message_id}`,
    'Subject: Hi',
    '',
    'Hi',
    '--b--',
    '',
  ].join('\r\n')
  await gateway().deliver({ raw, envelope: { from: '', to: [inbox_id] } })
  const [bounce] = await list()
  expect(bounce).toMatchObject({
    labels: ['received', 'bounce', 'automatic'],
    thread_id: sent.body.data.thread_id,
  })
  // An answer would go to the server that wrote the bounce, and come back as another one.
  const { message_id } = bounce
  const answer = await account.call('ns_mail/reply', { inbox_id, message_id, text: 'Why?' })
  expect(answer.status).toBe(400)
  expect(sink().taken).toHaveLength(1)
})

test('a reply to a message of one’s own goes to the same recipients', async () => {
  const { account, inbox_id } = await openInbox()
  const mail = { inbox_id, to: 'bob@example.org', cc: 'carol@example.net', subject: 'Hi' }
  const { message_id } = (await account.call('ns_mail/send', { ...mail, text: 'Hi' })).body.data
  const more = { inbox_id, message_id, text: 'One more thing' }
  await account.call('ns_mail/reply', more)
  await account.call('ns_mail/reply', { ...more, reply_all: true })
  expect(sink().taken.map(({ to }) => to)).toEqual([
    ['bob@example.org', 'carol@example.net'],
    ['bob@example.org'],
    ['bob@example.org', 'carol@example.net'],
  ])
})

test('a stranger cannot make a reply go to more recipients than a mail may have', async () => {
  const { account, inbox_id, list } = await openInbox()
  const victims = Array.from({ length: 51 }, (_, at) => `victim${at}@example.org`)
  const mail = { from: 'eve@example.net', to: inbox_id, subject: 'Hi', text: 'Hi' }
  await gateway().deliver({ ...mail, replyTo: victims })
  const [{ message_id }] = await list()
  const refused = await account.call('ns_mail/reply', { inbox_id, message_id, text: 'Hi' })
  expect([refused.status, refused.body.message]).toEqual([400, expect.stringContaining('51')])
  expect(sink().taken).toEqual([])
})

test('header lines of strangers do not become lines of a reply', async () => {
  const { account, inbox_id, list } = await openInbox()
  const raw = [
    'From: "Eve\tBcc: eve@example.net" <bob@example.org>',
    'Subject: =?utf-8?q?Hi=0D=0ABcc=3A_eve=40example.net?=',
    'Message-ID: <\x01\x0beve@example.net>',
    'References: <a\x08b@example.net> <ok@example.net>',
    '',
    'Hi',
  ].join('\r\n')
  await gateway().deliver({ raw, envelope: { from: 'eve@example.net', to: [inbox_id] } })
  const [{ message_id }] = await list()
  await account.call('ns_mail/reply', { inbox_id, message_id, text: 'Hi' })
  const [taken] = sink().taken
  expect(taken?.to).toEqual(['bob@example.org'])
  const [head = ''] = taken?.raw.split('\r\n\r\n') ?? []
  expect(head).not.toMatch(/^Bcc:/im)
  expect(unfold(head)).toContain('References: <ok@example.net>')
})

test.each([
  ['a line break in the subject', { subject: 'Hi\r\nBcc: eve@example.org' }],
  ['a line break in an address', { to: 'bob@example.org\r\nBcc: eve@example.org' }],
  ['two addresses in one text', { to: 'bob@example.org, eve@example.org' }],
  ['a command in an address', { to: 'bob@example.org>\r\nRCPT TO:<eve@example.org' }],
  ['no recipient', { to: [] }],
  ['too many recipients', { to: Array.from({ length: 51 }, (_, at) => `a${at}@example.org`) }],
  ['no body', { text: undefined }],
])('%s is refused before anything is held', async (_what, change) => {
  const { account, inbox_id } = await openInbox()
  const before = await account.state()
  const mail = { inbox_id, to: 'bob@example.org', subject: 'Hi', text: 'Hi', ...change }
  expect((await account.call('ns_mail/send', mail)).status).toBe(400)
  expect(await account.state()).toEqual(before)
  expect(sink().taken).toEqual([])
})

test('a new account may write to some strangers, and answer all who wrote first', async () => {
  const { account, inbox_id, list } = await openInbox()
  await gateway().deliver({
    from: 'bob@example.org',
    to: inbox_id,
    subject: 'Question',
    text: 'Why?',
    messageId: '<why@example.org>',
  })
  expect(await list()).toHaveLength(1)
  const mails = Array.from({ length: 40 }, (_, number) => ({
    inbox_id,
    to: `stranger${number}@example.net`,
    subject: 'Hi',
    text: 'Hi',
  }))
  const answers = await Promise.all(mails.map((mail) => account.call('ns_mail/send', mail)))
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(20)
  const refused = answers.filter(({ status }) => status !== 200)
  for (const { status, body } of refused)
    expect([status, body.error, body.message]).toEqual([
      429,
      'rate_limited',
      expect.stringContaining('People who wrote to you first are not counted.'),
    ])
  const { body } = await account.call('ns_mail/reply', {
    inbox_id,
    message_id: '<why@example.org>',
    text: 'Because.',
  })
  expect(body).toMatchObject({ charged_cents: 1 })
})
