// Tests which demands over MPP the operator's wallet answers and what it signs. A scripted node with one balance
// replaces the chain.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Challenge, Credential } from 'mppx'
import { Methods } from 'mppx/tempo'
import { numberToHex } from 'viem'
import { expect, onTestFinished, test } from 'vitest'
import { systemClock } from '#platform/clock.ts'
import { createUpstreamWallet } from '#platform/http/upstream-wallet.ts'
import { readTempoTransaction } from '../../chains/tempo-transaction.ts'
import { createMppPayingWallet } from './paying-wallet.ts'

const key = `0x${'11'.repeat(32)}` as const
const currency = '0x20c000000000000000000000b9537d11c60e8b50'
const secretKey = 'a secret of the tests, which is long enough'
const terms = {
  amount: '0.25',
  decimals: 6,
  currency,
  recipient: `0x${'ab'.repeat(20)}`,
  chainId: 4217,
}
const header = (changes: object = {}, rest: object = {}) =>
  Challenge.serialize(
    Challenge.fromMethod(Methods.charge, {
      realm: 'seller.example.org',
      secretKey,
      expires: new Date(Date.now() + 300_000).toISOString(),
      ...rest,
      request: { ...terms, ...changes } as typeof terms,
    }),
  )
const demand = (...headers: string[]) => ({
  status: 402,
  headers: { 'www-authenticate': headers.join(', ') },
  body: {},
})

async function openWallet({ balance = 1_000_000, baseFeePerGas = 0n } = {}) {
  const asked: string[] = []
  const node = createServer(async (request, response) => {
    let text = ''
    for await (const chunk of request) text += chunk
    const { id, method } = JSON.parse(text)
    asked.push(method)
    const block = { number: '0x1', timestamp: '0x1', baseFeePerGas: numberToHex(baseFeePerGas) }
    const results: Record<string, unknown> = {
      eth_call: numberToHex(balance, { size: 32 }),
      ...(baseFeePerGas > 0n && {
        eth_getBlockByNumber: { ...block, transactions: [] },
        eth_estimateGas: numberToHex(300_000),
        eth_maxPriorityFeePerGas: '0x0',
        eth_chainId: numberToHex(4217),
      }),
    }
    const result = results[method]
    const error = { code: -32_000, message: 'not in this test' }
    response.end(JSON.stringify({ jsonrpc: '2.0', id, ...(result ? { result } : { error }) }))
  })
  await new Promise<void>((resolve) => node.listen(0, '127.0.0.1', resolve))
  const alerts: string[] = []
  const note = (_fields: object, message: string) => void alerts.push(message)
  const wallet = createUpstreamWallet([
    createMppPayingWallet({
      key,
      rpcUrl: `http://127.0.0.1:${(node.address() as AddressInfo).port}`,
      chainId: 4217,
      currency,
      clock: systemClock,
      log: { debug: note, info: note, warn: note, error: note },
    }),
  ])
  onTestFinished(async () => {
    await wallet.close()
    await new Promise((resolve) => node.close(resolve))
  })
  return { wallet, asked, alerts }
}

test.each([
  ['another chain', header({ chainId: 1 })],
  ['another token', header({ currency: `0x${'cd'.repeat(20)}` })],
  ['payment by push alone', header({ supportedModes: ['push'] })],
  ['nothing', header({ amount: '0' })],
  ['an answer by yesterday', header({}, { expires: '2020-01-01T00:00:00Z' })],
  ['a header of its own choice', header().replace('method=', 'header="host", method=')],
  ['another method', header().replace('method="tempo"', 'method="stripe"')],
  ['another intent', header().replace('intent="charge"', 'intent="session"')],
  ['something unreadable', 'Payment id="x"'],
  ['a password', 'Basic realm="x"'],
])('a seller who asks for %s is not paid, and the chain is not asked', async (_title, asks) => {
  const { wallet, asked } = await openWallet()
  await expect(wallet.pay(demand(asks), 1_000_000)).rejects.toMatchObject({
    code: 'upstream_error',
    data: { reason: 'provider_unpayable' },
  })
  expect(asked).toEqual([])
})

test('a price above the ceiling is not signed, even among other offers', async () => {
  const { wallet, asked } = await openWallet()
  const asks = demand(header({ amount: '0.5' }), header(), header({ amount: '0.1', chainId: 1 }))
  await expect(wallet.pay(asks, 249_999)).rejects.toMatchObject({
    code: 'max_cost_exceeded',
    data: { price_cents: 25 },
  })
  expect(asked).toEqual([])
})

test.each([
  ['first', (good: string) => ['Payment id="x"', good]],
  ['last', (good: string) => [good, 'Payment realm="x", id="y"']],
  ['between', (good: string) => ['Basic realm="x"', 'Payment id="x", request="!"', good]],
])('an unreadable challenge does not hide another: %s', async (_place, list) => {
  const { wallet } = await openWallet()
  await expect(wallet.pay(demand(...list(header())), 249_999)).rejects.toMatchObject({
    code: 'max_cost_exceeded',
    data: { price_cents: 25 },
  })
})

test('an empty wallet signs nothing, and the operator is told', async () => {
  const { wallet, asked, alerts } = await openWallet({ balance: 249_999 })
  await expect(wallet.pay(demand(header()), 1_000_000)).rejects.toMatchObject({
    data: { reason: 'provider_unfunded' },
  })
  expect(asked).toEqual(['eth_call'])
  expect(alerts).toEqual([expect.stringMatching(/^Operator alert/)])
})

test('when the node fails, it is certain that nothing was bought', async () => {
  const { wallet } = await openWallet()
  await expect(wallet.pay(demand(header()), 1_000_000)).rejects.toMatchObject({
    code: 'upstream_error',
    data: { reason: 'provider_unpayable' },
  })
})

test('a signed transfer moves exactly the price, and its fee has a limit at any price of gas', async () => {
  // A unit of gas usually costs twenty billion.
  const { wallet } = await openWallet({ baseFeePerGas: 20_000_000_000n })
  const { headers, micros, payee, chainReference } = await wallet.pay(demand(header()), 250_000)
  expect({ micros, payee }).toEqual({ micros: 250_000, payee: terms.recipient })
  const { payload, challenge } = Credential.deserialize<{ signature: string }>(
    headers.authorization ?? '',
  )
  expect(Challenge.verify(challenge, { secretKey })).toBe(true)
  const signed = await readTempoTransaction(payload.signature)
  expect(signed).toMatchObject({ hash: chainReference, chainId: 4217 })
  expect(signed?.validBeforeS).toBeLessThanOrEqual(Date.now() / 1_000 + 30)

  const dear = await openWallet({ baseFeePerGas: 2_000_000_000_000n })
  await expect(dear.wallet.pay(demand(header()), 250_000)).rejects.toMatchObject({
    data: { reason: 'provider_unpayable' },
    cause: { message: expect.stringMatching(/^Its fee may come to \d+\.$/) },
  })
})
