// What an answer of an open registry costs: what a seller took, or the operator's fee, and never more than the listed
// price.
import { expect, test } from 'vitest'
import { quotePrice, settlePrice } from '#core/price.ts'
import { describePrice } from '#core/pricing/describe-price.ts'
import { createProviders, providers } from '../providers.ts'
import { listPrice } from './bought.ts'

const charge = (price: ReturnType<typeof listPrice>, output: { price_usd?: number }) =>
  settlePrice(price, quotePrice(price, {}), {}, output)

test.each([
  ['nothing was taken', 1, {}, 10_000],
  ['the fee is above the list', 5, {}, 25_000],
  ['the fee is zero', 0, {}, 0],
  ['a seller took less than the list', 1, { price_usd: 0.004 }, 4_000],
  ['a seller took less than the fee', 1, { price_usd: 0.001 }, 1_000],
  ['a seller took more than the list', 1, { price_usd: 0.2 }, 25_000],
])('%s', (_name, feeCents, output, micros) => {
  expect(charge(listPrice(2.5, feeCents), output)).toBe(micros)
})

test('the operator’s fee is the price of all ten actions', () => {
  const registries = /^ns_(vehicles|drugs|trials|recalls|regs)$/
  const charges = createProviders({ keylessFeeCents: 2 })
    .filter(({ id }) => registries.test(id))
    .flatMap(({ actions }) => actions)
    .map(({ price, example }) => settlePrice(price, quotePrice(price, example.input), {}, {}))
  expect(charges).toEqual(Array(10).fill(20_000))
})

test.each(['ns_flights timetable', 'ns_sneakers product-detail', 'ns_sneakers sales-history'])(
  '%s costs 1¢, or what a seller took of it',
  (id) => {
    const [service, name] = id.split(' ')
    const provider = providers.find((one) => one.id === service)
    const action = provider?.actions.find((one) => one.name === name)
    if (action === undefined) throw new Error(`There is no action ${id}.`)
    const { price, example } = action
    const quote = quotePrice(price, example.input)
    expect(quote.micros).toBe(10_000)
    expect(describePrice(action).text).toMatch(/1¢/)
    const taken = [{}, { price_usd: 0.0005 }, { price_usd: 0.02 }]
    expect(taken.map((output) => settlePrice(price, quote, {}, output))).toEqual([
      10_000, 500, 10_000,
    ])
  },
)

test.each([
  [1, 'usually 1¢, at most 2.5¢'],
  [0, 'usually free, at most 2.5¢'],
  [5, 'at most 2.5¢'],
])('the price with a fee of %s is published as what it usually is, and the most', (fee, text) => {
  expect(describePrice({ price: listPrice(2.5, fee) }).text).toBe(text)
})
