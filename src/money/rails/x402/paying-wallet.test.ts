// The operator's wallet against all kinds of sellers that the protocol allows. The gateway's own rail verifies the
// payments.
import { decodePaymentSignatureHeader, encodePaymentRequiredHeader } from '@x402/core/http'
import { verifyTypedData } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { expect, test } from 'vitest'
import { createUpstreamWallet } from '#platform/http/upstream-wallet.ts'
import { authorizationTypes } from '../../chains/dollar.ts'
import { createX402PayingWallet } from './paying-wallet.ts'

const key = `0x${'11'.repeat(32)}` as const
const asset = '0x833589fcd6edb6e08f4c7c32d4f71b54bda02913'
const payTo = `0x${'ab'.repeat(20)}`
const nowMs = 1_800_000_000_000
const payingWallet = createX402PayingWallet({
  key,
  network: 'eip155:8453',
  asset,
  assetName: 'USD Coin',
  assetVersion: '2',
  clock: { now: () => nowMs, sleep: async () => {} },
})
const wallet = createUpstreamWallet([payingWallet])
const offer = (changes: object = {}) => ({
  scheme: 'exact',
  network: 'eip155:8453',
  amount: '250000',
  asset,
  payTo,
  maxTimeoutSeconds: 60,
  extra: { name: 'USD Coin', version: '2' },
  ...changes,
})
const demand = (...accepts: object[]) => ({
  status: 402,
  headers: {
    'payment-required': encodePaymentRequiredHeader({
      x402Version: 2,
      resource: { url: 'https://seller' },
      accepts,
    } as never),
  },
  body: {},
})

async function isSigned({
  signature,
  authorization,
}: {
  signature: `0x${string}`
  authorization: Record<string, string>
}) {
  return await verifyTypedData({
    address: privateKeyToAccount(key).address,
    domain: { name: 'USD Coin', version: '2', chainId: 8453, verifyingContract: asset },
    types: authorizationTypes,
    primaryType: 'TransferWithAuthorization',
    message: {
      ...authorization,
      value: BigInt(authorization.value ?? 0),
      validAfter: BigInt(authorization.validAfter ?? 0),
      validBefore: BigInt(authorization.validBefore ?? 0),
    } as never,
    signature,
  })
}

test('version 2: it signs the exact amount and recipient for a short time, and echoes the offer', async () => {
  const { headers, micros } = await wallet.pay(demand(offer()), 1_000_000)
  expect(micros).toBe(250_000)
  const payment = decodePaymentSignatureHeader(headers['payment-signature'] ?? '') as never as {
    accepted: object
    payload: Parameters<typeof isSigned>[0]
  }
  expect(payment.accepted).toEqual(offer())
  expect(payment.payload.authorization).toMatchObject({
    to: payTo,
    value: '250000',
    validBefore: '1800000060',
  })
  expect(await isSigned(payment.payload)).toBe(true)
})

test('version 1: the demand is in the body and the network has a name', async () => {
  const body = {
    x402Version: 1,
    accepts: [offer({ network: 'base', amount: undefined, maxAmountRequired: '70000' })],
  }
  const { headers, micros } = await wallet.pay({ status: 402, headers: {}, body }, 100_000)
  expect(micros).toBe(70_000)
  const payment = JSON.parse(Buffer.from(headers['x-payment'] ?? '', 'base64').toString())
  expect(payment).toMatchObject({ x402Version: 1, scheme: 'exact', network: 'base' })
  expect(await isSigned(payment.payload)).toBe(true)
})

test('of several offers it takes the cheapest that it knows', async () => {
  const reply = demand(
    offer({ amount: '9', network: 'eip155:1' }),
    offer({ amount: '300000' }),
    offer({ amount: '200000' }),
  )
  expect((await wallet.pay(reply, 1_000_000)).micros).toBe(200_000)
})

test('a price above the ceiling is not signed', async () => {
  await expect(wallet.pay(demand(offer()), 249_999)).rejects.toMatchObject({
    code: 'max_cost_exceeded',
    data: { price_cents: 25 },
  })
})

test.each([
  ['another network', { network: 'eip155:1' }],
  ['another token', { asset: `0x${'cd'.repeat(20)}` }],
  ['another scheme', { scheme: 'upto' }],
  ['no amount', { amount: undefined }],
  ['a negative amount', { amount: '-1' }],
])('%s is nothing that it pays', async (_title, changes) => {
  await expect(wallet.pay(demand(offer(changes)), 1_000_000)).rejects.toMatchObject({
    code: 'upstream_error',
    data: { reason: 'provider_unpayable' },
  })
})

test('a seller of another protocol, or of none, is not paid', async () => {
  for (const reply of [
    { status: 402, headers: { 'www-authenticate': 'Payment id="x"' }, body: null },
    { status: 402, headers: { 'payment-required': '%%%' }, body: 'Pay!' },
  ]) {
    await expect(wallet.pay(reply, 1_000_000)).rejects.toMatchObject({ code: 'upstream_error' })
  }
})

test('its key is never sent', async () => {
  const { headers } = await wallet.pay(demand(offer()), 1_000_000)
  const sent = Object.values(headers)
    .map((value) => Buffer.from(value, 'base64').toString())
    .join()
  expect(sent).not.toContain('11'.repeat(32))
})
