import { expect, test } from 'vitest'
import { exampleOf, showPlan, showWaysToPay } from './show-plan.ts'

type Described = Parameters<typeof showWaysToPay>[1]['described']

const here = { address: 'http://gw', starterKeyFile: '/my gateway/data/starter-key' }

const described = (price: object) =>
  ({
    service: 'shop',
    action: 'rows',
    example: { input: {}, cents: 2 },
    price: { mode: 'dynamic', currency: 'USD', text: '', protocols: [], ...price },
  }) as unknown as Described
const paidBy = (price: object, railsOn: readonly string[] = ['x402', 'mpp']) =>
  /with a wallet: +(.*)/.exec(
    showWaysToPay(here, { kind: 'openapi', described: described(price), railsOn, hasKey: true }),
  )?.[1]

test.each([
  [
    { amount: '0.020000', protocols: [{ x402: {} }, { mpp: { method: 'tempo' } }] },
    /# 402: any x402 client or any mpp client pays it$/,
  ],
  [
    { protocols: [{ x402: { scheme: 'upto' } }, { mpp: { method: 'tempo' } }] },
    /# 402: an x402 client with the scheme upto, whose wallet has approved Permit2 for the token, or any mpp client pays it$/,
  ],
  [{}, /^not at this price: it is known only after the call/],
  [{ amount: '0.000000' }, /^it is free/],
])('how wallets pay is true for the price %j', (price, told) => {
  expect(paidBy(price)).toMatch(told)
})

test('a gateway without rails is told which settings turn them on', () => {
  expect(paidBy({ amount: '0.020000' }, [])).toMatch(/^set X402_PAY_TO or MPP_RECIPIENT/)
})

test.each([
  [here, false, /first, once: +export TOLLWAY_KEY="\$\(cat '\/my gateway\/data\/starter-key'\)"\n/],
  [
    { ...here, starterKeyFile: undefined },
    false,
    /first, once: .* login --new, and then .* keys create\n/,
  ],
  [here, true, /^Buy it:\n {2}with an API key: /],
])('the printed commands have a key: %j', (gateway, hasKey, told) => {
  const sale = { kind: 'openapi', described: described({}), railsOn: [], hasKey }
  expect(showWaysToPay(gateway, sale)).toMatch(told)
})

test('how to buy is shown by an action that costs something, where one does', () => {
  const actionOf = (...prices: readonly string[]) =>
    exampleOf(prices.map((price, at) => ({ action: `shop/${at}`, price })) as never)?.action
  expect(actionOf('free', '2¢', '3¢')).toBe('shop/1')
  expect(actionOf('free', 'free')).toBe('shop/0')
  expect(actionOf()).toBeUndefined()
})

test.each([40, 80, 120])('no row of the table is wider than %i columns', (columns) => {
  const action = (name: string, price: string) => ({
    action: `shop/${name}`,
    price,
    price_before: null,
    what_changed: null,
    summary: 'List the rows of a table, in pages, with the newest ones at the top. '.repeat(3),
    change: 'new',
  })
  const plan = {
    title: 'Shop',
    name: 'shop',
    left_out: [],
    idle_rules: [],
    new_hosts: [],
    canary: null,
    warnings: [],
  }
  const linesOf = (...actions: object[]) =>
    showPlan({ ...plan, actions } as never, columns)
      .split('\n\n')[1]
      ?.split('\n') ?? []
  const short = linesOf(action('rows', '2¢'), action('more', '10¢'))
  const long = linesOf(action('rows', '2¢ per row, at least 1¢'), action('others', 'free'))
  for (const line of [...short, ...long]) expect(line.length).toBeLessThanOrEqual(columns)
  expect(short).toHaveLength(2)
  expect(long).toHaveLength(columns === 40 ? 6 : 2)
})
