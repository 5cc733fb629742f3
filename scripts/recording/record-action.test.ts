// A live reply becomes a fixture that replays and contains nothing secret or personal.
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import { expect, onTestFinished, test } from 'vitest'
import { portOf } from '#platform/http/port.ts'
import type { Exchange } from '#test/replay-server.ts'
import { silentLog } from '#test/silent-log.ts'
import { recordAction } from './record-action.ts'

const key = 'live-key-of-the-operator-1234'
const person = { name: 'Grace Hopper', email: 'grace@navy.example', phone: '+1 202 555 0143' }
const jwt = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl'

async function startUpstream(reply: (request: IncomingMessage) => object) {
  const asked: { url: string; headers: IncomingMessage['headers'] }[] = []
  const server = createServer((request, response) => {
    asked.push({ url: request.url ?? '', headers: request.headers })
    response.writeHead(200, {
      'content-type': 'application/json',
      'set-cookie': 'session=very-secret-cookie',
      'x-request-owner': person.email,
    })
    response.end(JSON.stringify(reply(request)))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  return { asked, url: `http://127.0.0.1:${portOf(server)}` }
}
const record = (id: string, variables: Record<string, string>, input?: unknown) =>
  recordAction(id, {
    ...(input === undefined ? {} : { input }),
    variables: new Map(Object.entries(variables)),
    userAgent: 'Tollway/test (tests@example.org)',
    log: silentLog,
  })
const secretsIn = (value: unknown) =>
  [
    ...[key, 'very-secret-cookie', jwt, 'hunter2-password', 'abcdef0123456789'],
    ...['Grace', 'Hopper', 'navy.example', '555 0143', 'grace-h', '10.1.2.3'],
  ].filter((secret) => JSON.stringify(value).includes(secret))

test('the example’s reply is recorded with every secret and person masked, and replays', async () => {
  const { asked, url } = await startUpstream(() => ({
    meta: { count: 4, api_key: key, debug: `asked with ${key} by ${person.email}` },
    results: [1, 2, 3, 4].map((number) => ({
      id: `https://openalex.org/A${number}`,
      display_name: 'Jason Priem',
      contact: { ...person, linkedin: 'https://linkedin.com/in/grace-h', ip_address: '10.1.2.3' },
      accessToken: jwt,
      password: 'hunter2-password',
      note: `Write to ${person.name} or call ${person.phone}, token ${jwt}.`,
      file: 'https://files.example/a?sig=abcdef0123456789&page=2',
      works_count: number,
    })),
  }))
  const { fixture } = await record('ns_scholar/authors', {
    NS_SCHOLAR_BASE_URL: url,
    NS_SCHOLAR_API_KEY: key,
  })
  expect(asked[0]?.url).toContain(key)
  expect(secretsIn(fixture)).toEqual([])
  const [exchange] = fixture.exchanges
  expect(exchange?.request).toMatchObject({
    path: '/authors',
    query: { search: 'Jason Priem', 'per-page': '1' },
  })
  expect(exchange?.reply.headers).toEqual({ 'content-type': 'application/json' })
  const { results } = (exchange as Exchange).reply.body as { results: object[] }
  expect(results).toHaveLength(3)
  expect(results[0]).toMatchObject({
    display_name: 'Jason Priem',
    contact: { name: 'Person 1', email: 'person1@example.org', ip_address: '192.0.2.1' },
    accessToken: 'masked',
    note: expect.stringContaining('Write to Person 1 or call +1555010'),
    file: 'https://files.example/a?sig=masked&page=2',
  })
  expect(fixture).toMatchObject({
    origin: 'recorded',
    output: { provider: 'OpenAlex', count: 4, results: [{ works_count: 1 }, {}, {}] },
  })
})

test('a person in the contributor’s own body has the same mask in the input, the request and the reply', async () => {
  const { asked, url } = await startUpstream(() => ({
    status_code: 200,
    profile: { full_name: person.name, email: [person.email], company: { name: 'US Navy' } },
  }))
  const variables = { NS_CONTACT_BASE_URL: url, NS_CONTACT_API_KEY: key }
  const recording = await record('ns_contact/person-from-email', variables, { email: person.email })
  expect(asked[0]?.headers.token).toBe(key)
  expect(secretsIn(recording)).toEqual([])
  expect(recording.input).toEqual({ email: 'person1@example.org' })
  expect(recording.fixture.exchanges[0]?.request).toMatchObject({
    query: { email: 'person1@example.org' },
    headers: { token: 'test-key' },
  })
  expect(recording.fixture.output).toMatchObject({
    profile: { email: ['person1@example.org'], company: { name: 'US Navy' } },
  })
})

test.each([
  ['ns_scholar/nothing', 'There is no action'],
  ['ns_wine/purchase', 'cannot be given back'],
  ['ns_contact/email-verify', 'Set NS_CONTACT_API_KEY'],
])('%s is not recorded, and the error gives the reason', async (id, why) => {
  await expect(record(id, {})).rejects.toThrow(why)
})
