import { afterAll, beforeAll, expect, test } from 'vitest'
import { startSecondGateway } from '#test/gateways/second-gateway.ts'
import { shareGateway } from '#test/harness.ts'
import {
  createOAuthTestClient,
  type OAuthTestClient,
  oauthTestClient,
  registerClient,
} from '#test/oauth/client.ts'

// Two gateways behind one public address, as a load balancer shows them.
const first = shareGateway()
let second: Awaited<ReturnType<typeof startSecondGateway>>
const endings: (() => Promise<void>)[] = []
beforeAll(async () => {
  second = await startSecondGateway(first(), undefined, (work) => endings.unshift(work))
})
afterAll(async () => {
  for (const end of endings) await end()
})

const openTwo = async () => ({ one: first(), two: second, account: await first().account(100) })

/** The same client, whose requests arrive at another gateway. */
const at = ({ url }: { url: string }, client: OAuthTestClient) =>
  oauthTestClient(url, client.clientId, client.verifier)

test('a code that one gateway issued is redeemed at the other, and its token pays at both', async () => {
  const { one, two, account } = await openTwo()
  const client = await createOAuthTestClient(one.url)
  const code = (await client.ask(account.key)).get('code')
  const { status, body } = await at(two, client).exchange(code)
  expect(status).toBe(200)
  for (const gateway of [one, two])
    expect((await gateway.call('test/echo', {}, { key: body.access_token })).status).toBe(200)
  const again = await client.exchange(code)
  expect(again.body.error).toBe('invalid_grant')
  for (const gateway of [one, two])
    expect((await gateway.call('test/echo', {}, { key: body.access_token })).status).toBe(401)
})

test('a code that both gateways redeem at once gives one answer with tokens at most, and these end', async () => {
  const { one, two, account } = await openTwo()
  const client = await createOAuthTestClient(one.url)
  const code = (await client.ask(account.key)).get('code')
  const answers = await Promise.all([client.exchange(code), at(two, client).exchange(code)])
  const granted = answers.filter(({ status }) => status === 200)
  expect(granted.length).toBeLessThan(2)
  for (const { body } of granted)
    expect((await one.call('test/echo', {}, { key: body.access_token })).status).toBe(401)
})

test('a refresh token that was used at one gateway ends the access when it comes to the other', async () => {
  const { one, two, account } = await openTwo()
  const client = await createOAuthTestClient(one.url)
  const code = (await client.ask(account.key)).get('code')
  const { body: first } = await client.exchange(code)
  const { status, body: second } = await at(two, client).refresh(first.refresh_token)
  expect(status).toBe(200)
  expect((await one.call('test/echo', {}, { key: second.access_token })).status).toBe(200)
  expect((await client.refresh(first.refresh_token)).body.error).toBe('invalid_grant')
  for (const gateway of [one, two])
    expect((await gateway.call('test/echo', {}, { key: second.access_token })).status).toBe(401)
  expect((await at(two, client).refresh(second.refresh_token)).body.error).toBe('invalid_grant')
})

test('both gateways count the registrations of an address together', async () => {
  const { one, two } = await openTwo()
  // As in a new hour.
  await one.database.query('delete from attempt_window')
  const statuses: number[] = []
  for (let turn = 0; turn < 15; turn += 1)
    for (const { url } of [one, two]) statuses.push((await registerClient(url)).status)
  expect(new Set(statuses)).toEqual(new Set([201]))
  for (const { url } of [one, two]) {
    const refused = await registerClient(url)
    expect([refused.status, refused.body.error]).toEqual([429, 'rate_limited'])
  }
})
