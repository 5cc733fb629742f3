// Every page of the console, as its own list has them, with something to show on each.
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import type { Page } from 'playwright-core'
import { adminToken, type Gateway } from '#test/harness.ts'
import { sell } from '#test/selling/sell.ts'
import { type WeatherApi, weatherKey } from '#test/selling/weather-api.ts'

const list = path.join(import.meta.dirname, '../../console/src/pages/pages.ts')

export type Side = 'account' | 'operator'

/** The patterns of their addresses, such as `/plans/:name`. */
export async function patternsOf(side: Side): Promise<readonly string[]> {
  const source = await readFile(list, 'utf8')
  const entries = source.matchAll(/\.\.\.(account|operator),\s+path: '([^']+)'/g)
  return [...entries].flatMap(([, of, pattern = '']) => (of === side ? [pattern] : []))
}

export interface Filled {
  /** Of an account that has what its pages show. */
  readonly key: string
  readonly pages: readonly { readonly side: Side; readonly at: string }[]
}

const times = [1, 2, 3]

/** Makes something for each page to show: at least three rows of each list that has pages. */
export async function fillPages(gateway: Gateway, weather: WeatherApi): Promise<Filled> {
  const operate = (method: string, at: string, body: object) =>
    gateway.request(method, `/api/v1/admin/${at}`, { key: adminToken, body })
  const account = await gateway.account(1_000)
  const { key, id } = account
  let transaction = ''
  for (const each of times) {
    await gateway.account(each)
    const kept = { 'idempotency-key': `call-${each}` }
    transaction = (await account.call('test/echo', { text: `call ${each}` }, kept)).body
      .transaction_id
    await account.call('test/job', { steps: 1 })
    await account.call('files/upload', { filename: `${each}.txt`, size_bytes: 5 })
    await gateway.request('POST', '/api/v1/keys', { key, body: { name: `key ${each}` } })
  }
  const plan = {
    name: 'say_it',
    title: 'Echo a text.',
    input: { type: 'object', properties: { text: { type: 'string', maxLength: 50 } } },
    steps: [{ id: 'say', action: 'test/echo', params: { text: 'hello' } }],
    example: { text: 'hello' },
  }
  await gateway.request('POST', '/api/v1/plans', { key, body: plan })
  await operate('POST', 'plans', plan)
  await operate('POST', 'operators', { name: 'Grace', role: 'viewer' })
  const address = weather.descriptionUrl
  await sell(gateway, { address, name: 'weather', private: true, price: 1 })
  await operate('PUT', 'provider-keys/weather', { key: weatherKey })
  const month = new Date().toISOString().slice(0, 7)
  const known: Readonly<Record<string, string>> = {
    '/catalog/:service/:action': '/catalog/test/echo',
    '/transactions/:id': `/transactions/${transaction}`,
    '/statements/:month': `/statements/${month}`,
    '/plans/:name': '/plans/say_it',
    '/operator/plans/:name': '/operator/plans/say_it',
    '/operator/selling/:name': '/operator/selling/weather',
    '/operator/canaries/:provider': '/operator/canaries/weather',
    '/operator/accounts/:id': `/operator/accounts/${id}`,
    '/operator/accounts/:id/statements': `/operator/accounts/${id}/statements`,
    '/operator/accounts/:id/statements/:month': `/operator/accounts/${id}/statements/${month}`,
    '/operator/transactions/:id': `/operator/transactions/${transaction}`,
  }
  const pages: { side: Side; at: string }[] = []
  for (const side of ['account', 'operator'] as const)
    for (const pattern of await patternsOf(side)) {
      const at = known[pattern] ?? pattern
      if (at.includes(':')) throw new Error(`Say what ${pattern} shows.`)
      pages.push({ side, at })
    }
  return { key, pages }
}

/** Enters a page without loading the console anew, as a link does. */
export async function enterWithin(page: Page, at: string) {
  await page.evaluate((address) => {
    history.pushState(null, '', address)
    dispatchEvent(new Event('tollway:navigated'))
  }, `/console${at}`)
}
