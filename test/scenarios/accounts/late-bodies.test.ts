// A request is carried out if its key is valid when its body has arrived, no matter how long before that its headers
// arrived.
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { adminToken, type Gateway, type TestAccount } from '#test/harness.ts'
import { hello, shareLlmGateway } from '#test/llm-gateway.ts'

const shared = shareLlmGateway()

const operate = (gateway: Gateway, method: string, at: string, body?: object) =>
  gateway.request(method, `/api/v1/admin/accounts/${at}`, { key: adminToken, body })

const endings = [
  {
    title: 'revoked',
    status: 401,
    end: (gateway: Gateway, { id }: TestAccount, keyId: string) =>
      operate(gateway, 'DELETE', `${id}/keys/${keyId}`),
  },
  {
    title: 'ended',
    status: 401,
    async end(gateway: Gateway, { id }: TestAccount, keyId: string) {
      const expires_at = new Date(Date.now() + 1_000)
      await operate(gateway, 'PATCH', `${id}/keys/${keyId}`, { expires_at })
      const ended = `select 1 from api_key where id = $1 and expires_at < now() - interval '250 ms'`
      await expect.poll(() => gateway.database.query(ended, [keyId])).toHaveLength(1)
    },
  },
  {
    title: 'frozen with its account',
    status: 403,
    end: (gateway: Gateway, { id }: TestAccount) =>
      operate(gateway, 'POST', `${id}/freeze`, { reason: 'stolen' }),
  },
]

const requests = [
  ['/api/run/test/free', '{}'],
  ['/api/run/test/echo', '{}'],
  ['/api/v1/keys', '{}'],
  ['/api/llm/v1/chat/completions', JSON.stringify({ model: 'lab/one', messages: hello })],
] as const

test.each(endings)(
  'a key that is $title between the headers of a request and its body is refused on every route',
  async ({ end, status }) => {
    const gateway = shared()
    const account = await gateway.account(100)
    const made = await operate(gateway, 'POST', `${account.id}/keys`, {})
    const { key_id: id, api_key: key } = made.body
    const { hostname, port } = new URL(gateway.url)
    const begun = requests.map(([path, body]) => {
      const socket = connect(Number(port), hostname)
      socket.write(
        `POST ${path} HTTP/1.1\r\nhost: gateway\r\nconnection: close\r\nauthorization: Bearer ${key}\r\ncontent-length: ${body.length}\r\n\r\n`,
      )
      return { socket, body }
    })
    // The first use of a key is recorded after it was checked.
    const used = 'select 1 from api_key where id = $1 and last_used_at is not null'
    await expect.poll(() => gateway.database.query(used, [id])).toHaveLength(1)
    await end(gateway, account, id)
    const answers = begun.map(async ({ socket, body }) => {
      socket.write(body)
      return Number((await text(socket)).split(' ')[1])
    })
    expect(await Promise.all(answers)).toEqual(requests.map(() => status))
  },
)
