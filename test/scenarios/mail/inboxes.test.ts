// Inboxes receive mail of other servers and of each other.
import { expect, test } from 'vitest'
import { adminToken } from '#test/harness.ts'
import { createInbox, mailDomain, shareMailGateway } from '#test/mail/gateway.ts'

const gateway = shareMailGateway()

test('an inbox costs $2, receives mail by SMTP, and its owner reads it with the attachment', async () => {
  const account = await gateway().account(1_000)
  const username = `ada${process.pid}`
  const made = await account.call('ns_mail/create_inbox', { username, display_name: 'Ada’s agent' })
  expect(made.body).toMatchObject({
    charged_cents: 200,
    data: { inbox_id: `${username}@${mailDomain}`, provider: 'embedded' },
  })
  const inbox_id = made.body.data.inbox_id
  const png = Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), Buffer.alloc(100)])
  await gateway().deliver({
    from: 'Bob <bob@example.org>',
    to: inbox_id,
    subject: 'Grüße',
    text: 'Here is the picture.',
    html: '<p>Here is the <b>picture</b>.</p>',
    attachments: [{ filename: 'Bild.png', content: png }],
    messageId: '<1@example.org>',
  })

  const list = await account.call('ns_mail/list-messages', { inbox_id })
  expect(list.body).toMatchObject({
    charged_cents: 0,
    data: {
      count: 1,
      next_page_token: null,
      messages: [
        {
          message_id: '<1@example.org>',
          from: 'Bob <bob@example.org>',
          to: [inbox_id],
          subject: 'Grüße',
          preview: 'Here is the picture.',
          labels: expect.arrayContaining(['received']),
          attachments: [{ filename: 'Bild.png', content_type: 'image/png', size: png.length }],
        },
      ],
    },
  })
  const got = await account.call('ns_mail/get-message', { inbox_id, message_id: '<1@example.org>' })
  expect(got.body.charged_cents).toBe(0)
  expect(got.body.data.html).toContain('<b>picture</b>')
  expect(got.body.data.authentication).toMatchObject({ dkim: 'none' })
  const served = await fetch(got.body.data.attachments[0].download_url)
  expect(Buffer.from(await served.arrayBuffer())).toEqual(png)
})

test('mail between inboxes arrives at once, and replies keep the conversation of each inbox', async () => {
  const [ada, bob] = await Promise.all([gateway().account(500), gateway().account(500)])
  const [adas, bobs] = [await createInbox(ada), await createInbox(bob)]
  const mail = { inbox_id: adas, to: bobs, subject: 'Friday?', text: 'Can we meet?' }
  const sent = await ada.call('ns_mail/send', mail)
  expect(sent.body.charged_cents).toBe(1)
  const first = await bob.call('ns_mail/list-messages', { inbox_id: bobs })
  expect(first.body.data.messages).toMatchObject([{ subject: 'Friday?', from: adas }])
  const { message_id } = first.body.data.messages[0]
  expect(message_id).toBe(sent.body.data.message_id)
  const answer = await bob.call('ns_mail/reply', { inbox_id: bobs, message_id, text: 'Yes.' })
  expect(answer.body.charged_cents).toBe(1)
  const { messages } = (await ada.call('ns_mail/list-messages', { inbox_id: adas })).body.data
  expect(messages).toMatchObject([
    { subject: 'Re: Friday?', in_reply_to: message_id, references: [message_id] },
    { subject: 'Friday?', labels: ['sent'] },
  ])
  expect(messages[0].thread_id).toBe(messages[1].thread_id)
  expect(messages[0].thread_id).not.toBe(answer.body.data.thread_id)
})

test('mail for an unknown inbox is refused with 550, and the server is not a relay', async () => {
  const mail = { from: 'bob@example.org', subject: 'Hi', text: 'Hi' }
  await expect(gateway().deliver({ ...mail, to: `unknown@${mailDomain}` })).rejects.toMatchObject({
    responseCode: 550,
  })
  await expect(gateway().deliver({ ...mail, to: 'eve@example.net' })).rejects.toMatchObject({
    responseCode: 550,
  })
})

test('a mail that its sender repeats is kept once', async () => {
  const account = await gateway().account(500)
  const inbox_id = await createInbox(account)
  const raw = `From: bob@example.org\r\nTo: ${inbox_id}\r\nSubject: Once\r\n\r\nHello\r\n`
  const envelope = { from: 'bob@example.org', to: [inbox_id] }
  await gateway().deliver({ raw, envelope })
  await gateway().deliver({ raw, envelope })
  expect((await account.call('ns_mail/list-messages', { inbox_id })).body.data.count).toBe(1)
})

test('pages of a list follow one another, the newest message first', async () => {
  const account = await gateway().account(500)
  const inbox_id = await createInbox(account)
  for (const subject of ['1', '2', '3'])
    await gateway().deliver({ from: 'bob@example.org', to: inbox_id, subject, text: subject })
  const page = async (more: object) =>
    (await account.call('ns_mail/list-messages', { inbox_id, limit: 2, ...more })).body.data
  const first = await page({})
  const second = await page({ page_token: first.next_page_token })
  const subjects = [...first.messages, ...second.messages].map(({ subject }) => subject)
  expect(subjects).toEqual(['3', '2', '1'])
  expect(second.next_page_token).toBeNull()
  const body = { inbox_id, page_token: 'next' }
  expect((await account.call('ns_mail/list-messages', body)).status).toBe(400)
})

test('another account neither reads, lists nor uses an inbox', async () => {
  const [owner, other] = [await gateway().account(500), await gateway().account(500)]
  const inbox_id = await createInbox(owner)
  await gateway().deliver({ from: 'bob@example.org', to: inbox_id, messageId: '<2@example.org>' })
  const message_id = '<2@example.org>'
  const calls = [
    ['list-messages', {}],
    ['get-message', { message_id }],
    ['reply', { message_id, text: 'Hi' }],
    ['send', { to: inbox_id, subject: 'Hi', text: 'Hi' }],
  ] as const
  for (const [action, more] of calls)
    expect((await other.call(`ns_mail/${action}`, { inbox_id, ...more })).status).toBe(404)
})

test.each([
  ['a taken username', { username: 'taken' }, 'taken'],
  ['a name of the operator', { username: 'postmaster' }, 'reserved'],
  ['a foreign domain', { domain: 'example.com' }, mailDomain],
  ['a line break in the name', { display_name: 'Ada\r\nBcc: eve@example.org' }, 'display_name'],
])('%s is refused without a charge', async (_what, body, why) => {
  const account = await gateway().account(500)
  if ('username' in body && body.username === 'taken')
    await account.call('ns_mail/create_inbox', body)
  const before = await account.state()
  const refused = await account.call('ns_mail/create_inbox', body)
  expect([refused.status, refused.body.error]).toEqual([400, 'bad_request'])
  expect(refused.body.message).toContain(why)
  expect((await account.state()).availableCents).toBe(before.availableCents)
})

test('without a relay, mail to another domain is a clear error and costs nothing', async () => {
  const account = await gateway().account(500)
  const inbox_id = await createInbox(account)
  const local = await createInbox(account)
  const before = await account.state()
  const mail = { inbox_id, to: [local, 'bob@example.org'], subject: 'Hi', text: 'Hi' }
  const refused = await account.call('ns_mail/send', mail)
  expect([refused.status, refused.body.error]).toEqual([503, 'provider_not_configured'])
  expect(refused.body.message).toContain('SMTP_RELAY_URL')
  expect(await account.state()).toMatchObject({
    availableCents: before.availableCents,
    heldCents: 0,
  })
  // No part of it was delivered.
  expect((await account.call('ns_mail/list-messages', { inbox_id: local })).body.data.count).toBe(0)
})

test('a file of the sender is attached, and one of another caller is not found', async () => {
  const [ada, bob] = [await gateway().account(500), await gateway().account(500)]
  const [inbox_id, to] = [await createInbox(ada), await createInbox(bob)]
  const content = Buffer.from('%PDF-1.4 plan')
  const named = { filename: 'plan.pdf', mime: 'application/pdf', size_bytes: content.length }
  const { put_url, file_id } = (await ada.call('files/upload', named)).body.data
  await fetch(put_url, { method: 'PUT', body: new Uint8Array(content) })
  const mail = { to, subject: 'Plan', text: 'Attached', attachments: [{ file_id }] }
  expect((await ada.call('ns_mail/send', { ...mail, inbox_id })).body.charged_cents).toBe(1)
  const { messages } = (await bob.call('ns_mail/list-messages', { inbox_id: to })).body.data
  expect(messages[0].attachments).toMatchObject([{ filename: 'plan.pdf', size: content.length }])
  const { message_id } = messages[0]
  const got = (await bob.call('ns_mail/get-message', { inbox_id: to, message_id })).body.data
  const served = await fetch(got.attachments[0].download_url)
  expect(Buffer.from(await served.arrayBuffer())).toEqual(content)
  const theirs = await bob.call('ns_mail/send', { ...mail, inbox_id: to, to: inbox_id })
  expect(theirs.status).toBe(404)
})

test('an inbox stays its owner’s when ids of vendors are forgotten', async () => {
  const account = await gateway().account(500)
  const inbox_id = await createInbox(account)
  await gateway().database.query("select forget_handles(now() + interval '1 day', 1000)")
  expect((await account.call('ns_mail/list-messages', { inbox_id })).status).toBe(200)
})

test('an account has at most 100 inboxes', async () => {
  const account = await gateway().account(500)
  await createInbox(account)
  await gateway().database.query('update mail_usage set inboxes = 100 where account_id = $1', [
    account.id,
  ])
  const refused = await account.call('ns_mail/create_inbox', {})
  expect([refused.status, refused.body.message]).toEqual([400, expect.stringContaining('100')])
})

test('the same idempotency key sends once', async () => {
  const [ada, bob] = [await gateway().account(500), await gateway().account(500)]
  const [inbox_id, to] = [await createInbox(ada), await createInbox(bob)]
  const mail = { inbox_id, to, subject: 'Once', text: 'Hi' }
  const key = { 'idempotency-key': 'once' }
  const first = await ada.call('ns_mail/send', mail, key)
  const again = await ada.call('ns_mail/send', mail, key)
  expect(again.body.data).toEqual(first.body.data)
  expect((await bob.call('ns_mail/list-messages', { inbox_id: to })).body.data.count).toBe(1)
})

test('a copy of a sent mail takes no room for files', async () => {
  const account = await gateway().account(500)
  const [inbox_id, to] = [
    await createInbox(account),
    await createInbox(await gateway().account(500)),
  ]
  const named = { filename: 'plan.txt', mime: 'text/plain', size_bytes: 4 }
  const { put_url, file_id } = (await account.call('files/upload', named)).body.data
  await fetch(put_url, { method: 'PUT', body: 'plan' })
  await gateway().database.query('update file_quota set bytes_max = 4 where account_id = $1', [
    account.id,
  ])
  const mail = { inbox_id, to, subject: 'Plan', text: 'Attached', attachments: [{ file_id }] }
  const { message_id } = (await account.call('ns_mail/send', mail)).body.data
  const { attachments } = (await account.call('ns_mail/get-message', { inbox_id, message_id })).body
    .data
  expect(attachments).toMatchObject([{ attachment_id: file_id, filename: 'plan.txt', size: 4 }])
})

test('a program’s mail is labelled automatic', async () => {
  const account = await gateway().account(500)
  const inbox_id = await createInbox(account)
  const mail = { from: 'bob@example.org', to: inbox_id, subject: 'Away', text: 'I am away.' }
  await gateway().deliver({ ...mail, headers: { 'auto-submitted': 'auto-replied' } })
  await gateway().deliver({ ...mail, headers: { 'auto-submitted': 'no' } })
  const { messages } = (await account.call('ns_mail/list-messages', { inbox_id })).body.data
  expect(messages.map(({ labels }: { labels: string[] }) => labels)).toEqual([
    ['received'],
    ['received', 'automatic'],
  ])
})

test('the operator reads which DNS records are missing', async () => {
  const { body } = await gateway().request('GET', '/api/v1/admin/mail', { key: adminToken })
  expect(body).toMatchObject({ ok: false, receives: true, sends: false, postmaster: null })
  const [{ domain, ok, records }] = body.domains
  expect([domain, ok]).toEqual([mailDomain, false])
  expect(records[0]).toMatchObject({ record: 'MX', name: mailDomain, found: [] })
})
