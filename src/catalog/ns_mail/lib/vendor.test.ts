// The vendor's own client and our actions send the same requests and read the same replies.
import { once } from 'node:events'
import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { noFiles } from '#core/files.ts'
import { AgentMailClient } from '#oracles/agentmail.ts'
import { portOf } from '#platform/http/port.ts'
import { oneFile } from '#test/one-file.ts'
import { runAction } from '#test/run-action.ts'
import { mail } from '../provider.ts'

interface Sent {
  readonly method: string | undefined
  readonly path: string
  readonly query: Record<string, string>
  readonly authorization: string | undefined
  readonly body: unknown
}

const at = '2026-09-01T10:00:00.000Z'
const item = {
  inbox_id: 'ada@agentmail.to',
  thread_id: 't',
  message_id: '<1@example.org>',
  labels: [],
  timestamp: at,
  from: 'bob@example.org',
  to: ['ada@agentmail.to'],
  size: 10,
  updated_at: at,
  created_at: at,
  attachments: [{ attachment_id: 'a', size: 5 }],
}
const inbox = { pod_id: 'p', inbox_id: 'ada@agentmail.to', email: 'ada@agentmail.to' }

/** The vendor's replies, by the end of the path. */
const replies: readonly (readonly [RegExp, object])[] = [
  [/\/inboxes$/, { ...inbox, updated_at: at, created_at: at }],
  [/\/(?:send|reply|reply-all)$/, { message_id: '<2@agentmail.to>', thread_id: 't' }],
  [/\/messages$/, { count: 1, next_page_token: 'n', messages: [item] }],
  [
    /\/attachments\/a$/,
    { attachment_id: 'a', size: 5, download_url: 'https://cdn/a', expires_at: at },
  ],
  [/\/messages\/[^/]+$/, { ...item, text: 'Hi' }],
]

let sent: Sent[] = []
const server = createServer(async (request, response) => {
  const { pathname, searchParams } = new URL(request.url ?? '', 'http://vendor')
  const body = await text(request)
  sent.push({
    method: request.method,
    path: decodeURIComponent(pathname.replace(/^\/v0/, '')),
    query: Object.fromEntries(searchParams),
    authorization: request.headers.authorization,
    body: body === '' ? undefined : JSON.parse(body),
  })
  const [, reply] = replies.find(([end]) => end.test(pathname)) ?? []
  response.setHeader('content-type', 'application/json')
  response.end(JSON.stringify(reply))
})
let url = ''
beforeAll(async () => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  url = `http://127.0.0.1:${portOf(server)}`
})
afterEach(() => {
  sent = []
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

const client = () => new AgentMailClient({ apiKey: 'test-key', baseUrl: url })
const take = () => sent.splice(0)
const run = (action: string, input: object) =>
  runAction(mail, action, { input, baseUrl: url, files: noFiles })
const [inbox_id, message_id] = ['ada@agentmail.to', '<1@example.org>']

test.each([
  [
    'send',
    { inbox_id, to: ['bob@example.org'], cc: ['c@example.org'], subject: 'Hi', html: '<p>Hi' },
    () =>
      client().inboxes.messages.send(inbox_id, {
        to: ['bob@example.org'],
        cc: ['c@example.org'],
        subject: 'Hi',
        html: '<p>Hi',
      }),
  ],
  [
    'reply',
    { inbox_id, message_id, text: 'Yes', reply_all: true },
    () => client().inboxes.messages.reply(inbox_id, message_id, { text: 'Yes', replyAll: true }),
  ],
  [
    'list-messages',
    { inbox_id, limit: 5, page_token: 'n' },
    () => client().inboxes.messages.list(inbox_id, { limit: 5, pageToken: 'n' }),
  ],
  [
    'get-message',
    { inbox_id, message_id },
    async () => {
      await client().inboxes.messages.get(inbox_id, message_id)
      await client().inboxes.messages.getAttachment(inbox_id, message_id, 'a')
    },
  ],
])('%s asks as the vendor’s client does', async (action, input, ask) => {
  await ask()
  const theirs = take()
  expect(await run(action, input)).not.toHaveProperty('error')
  expect(take()).toEqual(theirs)
})

test('create_inbox asks as the vendor’s client does, with the call as client_id', async () => {
  await run('create_inbox', { username: 'ada', display_name: 'Ada' })
  const [ours] = take()
  const { client_id: clientId } = { client_id: '', ...(ours?.body as object) }
  expect(clientId).toMatch(/^[0-9a-f-]{36}$/)
  await client().inboxes.create({ username: 'ada', displayName: 'Ada', clientId })
  expect(take()).toEqual([ours])
})

const attached = (address: string) =>
  runAction(mail, 'send', {
    input: {
      inbox_id,
      to: 'bob@example.org',
      subject: 'Plan',
      text: 'Attached',
      attachments: [{ file_id: '01970000-0000-7000-8000-00000000000b' }],
    },
    baseUrl: url,
    files: oneFile({ filename: 'plan.pdf', mediaType: 'application/pdf', address }),
  })

test('an attachment is fetched by the vendor from an address of this gateway', async () => {
  const address = 'https://gateway.example/files/b?grant'
  await attached(address)
  await client().inboxes.messages.send(inbox_id, {
    to: ['bob@example.org'],
    subject: 'Plan',
    text: 'Attached',
    attachments: [{ filename: 'plan.pdf', contentType: 'application/pdf', url: address }],
  })
  const [ours, theirs] = take()
  expect(ours).toEqual(theirs)
})

test.each([
  'http://gateway.example/b',
  'https://127.0.0.1/b',
  'https://[::1]/b',
  'https://localhost/b',
])(
  'an attachment at %s, which the vendor cannot reach, is refused before anything is sent',
  async (address) => {
    await expect(attached(address)).rejects.toMatchObject({
      code: 'provider_not_configured',
      message: expect.stringContaining('PUBLIC_BASE_URL'),
    })
    expect(take()).toEqual([])
  },
)
