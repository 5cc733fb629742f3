import { Buffer } from 'node:buffer'
import fc from 'fast-check'
import { hashTypedData } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { describe, expect, test } from 'vitest'
import type { Hex } from '../../chains/chain.ts'
import { authorizationTypes } from '../../chains/dollar.ts'
import {
  claimKey,
  encodePaymentRequired,
  encodePaymentResponse,
  type PaymentRequirements,
  parsePaymentSignature,
} from './payment.ts'
import { signPayment, toHeader, type WrittenPayment } from './sign-payment.fixture.ts'
import {
  authorizationDigest,
  readKeySignature,
  recoverAddress,
  recoverInScript,
} from './signature.ts'
import { verifyPayment } from './verify.ts'

const nowS = 1_800_000_000
const key = generatePrivateKey()
const payer = privateKeyToAccount(key).address.toLowerCase() as Hex
const other: Hex = '0x00000000000000000000000000000000000000bb'
const curveOrder = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n

const requirements: PaymentRequirements = {
  scheme: 'exact',
  network: 'eip155:84532',
  amount: '20000',
  asset: '0x036cbd53842c5426634e7929541ec2318f3dcf7e',
  payTo: '0x00000000000000000000000000000000000000aa',
  maxTimeoutSeconds: 90,
  extra: { name: 'USDC', version: '2' },
}

async function judge(payment: WrittenPayment, terms: Partial<PaymentRequirements> = {}) {
  const parsed = parsePaymentSignature(toHeader(payment))
  if (!parsed.ok) return parsed
  return verifyPayment(parsed.payment, { requirements: [{ ...requirements, ...terms }], nowS })
}

type Signing = Parameters<typeof signPayment>[0]
const sign = (options: Partial<Signing> = {}) =>
  signPayment({ key, requirements, nowS, ...options })

const tail = (signature: Hex, last: string): Hex => `0x${signature.slice(2, -2)}${last}`
const highForm = (signature: Hex): Hex => {
  const s = curveOrder - BigInt(`0x${signature.slice(66, 130)}`)
  const last = signature.endsWith('1b') ? '1c' : '1b'
  return `0x${signature.slice(2, 66)}${s.toString(16).padStart(64, '0')}${last}`
}

describe('a payment of a stock client', () => {
  test('is accepted in any letter case and with either form of its last byte', async () => {
    const payment = await sign()
    const { signature } = payment.payload
    for (const form of [signature, tail(signature, signature.endsWith('1b') ? '00' : '01')]) {
      const shouted = structuredClone(payment)
      shouted.payload.signature = form.toUpperCase().replace('0X', '0x') as Hex
      shouted.accepted.asset = requirements.asset.toUpperCase().replace('0X', '0x')
      expect(await judge(shouted)).toMatchObject({
        ok: true,
        payer,
        payerKind: 'key',
        requirements,
        signed: { signature },
      })
    }
  })

  test('may have further fields in extra and beside its parts', async () => {
    const payment = await sign()
    payment.accepted.extra = { ...requirements.extra, assetTransferMethod: 'eip3009' }
    payment.resource = { url: 'https://example.org' }
    payment.extensions = { 'payment-identifier': { id: 'x' } }
    expect((await judge(payment)).ok).toBe(true)
  })
})

describe('a payment is refused that', () => {
  const rows: [string, () => Promise<WrittenPayment>, string, Partial<PaymentRequirements>?][] = [
    [
      'was made for a cheaper call',
      () => sign(),
      'invalid_payment_requirements',
      { amount: '20001' },
    ],
    [
      'was made for a more expensive call',
      () => sign(),
      'invalid_payment_requirements',
      { amount: '19999' },
    ],
    [
      'claims our amount and signs one unit less',
      () => sign({ authorization: { value: 19_999n } }),
      'invalid_exact_evm_payload_authorization_value_mismatch',
    ],
    [
      'claims our amount and signs one unit more',
      () => sign({ authorization: { value: 20_001n } }),
      'invalid_exact_evm_payload_authorization_value_mismatch',
    ],
    [
      'pays another payee',
      () => sign({ authorization: { to: other } }),
      'invalid_exact_evm_recipient_mismatch',
    ],
    [
      'accepts another payee',
      () => sign({ requirements: { ...requirements, payTo: other } }),
      'invalid_payment_requirements',
    ],
    [
      'pays in another token',
      () => sign({ requirements: { ...requirements, asset: other } }),
      'invalid_payment_requirements',
    ],
    [
      'claims our token and signs for another',
      () => sign({ domain: { verifyingContract: other } }),
      'invalid_exact_evm_signature',
    ],
    [
      'pays on another network',
      () => sign({ requirements: { ...requirements, network: 'eip155:8453' } }),
      'invalid_payment_requirements',
    ],
    [
      'claims our network and signs for another',
      () => sign({ domain: { chainId: 8453 } }),
      'invalid_exact_evm_signature',
    ],
    [
      'signs under another name of the token',
      () => sign({ domain: { name: 'USD Coin' } }),
      'invalid_exact_evm_signature',
    ],
    [
      'was signed for another deadline than that of this call',
      () => sign({ requirements: { ...requirements, maxTimeoutSeconds: 30 } }),
      'invalid_payment_requirements',
    ],
    [
      'has ended',
      () => sign({ authorization: { validBefore: BigInt(nowS - 1) } }),
      'invalid_exact_evm_payload_authorization_valid_before',
    ],
    [
      'ends before it could be settled',
      () => sign({ authorization: { validBefore: BigInt(nowS + 5) } }),
      'invalid_exact_evm_payload_authorization_valid_before',
    ],
    [
      'never ends',
      () => sign({ authorization: { validBefore: 2n ** 256n - 1n } }),
      'invalid_exact_evm_payload_authorization_valid_before',
    ],
    [
      'has not begun',
      () => sign({ authorization: { validAfter: BigInt(nowS + 1) } }),
      'invalid_exact_evm_payload_authorization_valid_after',
    ],
    [
      'another key signed',
      () => sign({ key: generatePrivateKey(), authorization: { from: payer } }),
      'invalid_exact_evm_signature',
    ],
  ]
  test.each(rows)('%s', async (_name, make, code, terms) => {
    expect(await judge(await make(), terms)).toMatchObject({ ok: false, problem: { code } })
  })

  const signatures: [string, (signature: Hex) => Hex, string][] = [
    ['is the high form of a valid one', highForm, 'invalid_exact_evm_signature'],
    ['ends in 2', (good) => tail(good, '02'), 'invalid_exact_evm_signature'],
    ['ends in 29', (good) => tail(good, '1d'), 'invalid_exact_evm_signature'],
    [
      'has the other last byte',
      (good) => tail(good, good.endsWith('1b') ? '1c' : '1b'),
      'invalid_exact_evm_signature',
    ],
    ['is 64 bytes long', (good) => good.slice(0, -2) as Hex, 'invalid_exact_evm_signature'],
    ['is empty', () => '0x', 'invalid_exact_evm_signature'],
    ['is zeros', () => `0x${'00'.repeat(65)}`, 'invalid_exact_evm_signature'],
    ['has half a byte', (good) => `${good}0`, 'invalid_payload'],
    ['is 5 KB long', () => `0x${'ab'.repeat(2_500)}`, 'invalid_payload'],
    ['is 10 KB long', () => `0x${'ab'.repeat(10_000)}`, 'invalid_payload'],
  ]
  test.each(signatures)('has a signature that %s', async (_name, change, code) => {
    const payment = await sign()
    payment.payload.signature = change(payment.payload.signature)
    expect(await judge(payment)).toMatchObject({ ok: false, problem: { code } })
  })

  test('would expire during the work', async () => {
    const parsed = parsePaymentSignature(toHeader(await sign()))
    if (!parsed.ok) throw new Error('not parsed')
    const within = { requirements: [requirements], nowS, runtimeS: 84 }
    expect((await verifyPayment(parsed.payment, within)).ok).toBe(true)
    expect(await verifyPayment(parsed.payment, { ...within, runtimeS: 85 })).toMatchObject({
      problem: { code: 'invalid_exact_evm_payload_authorization_valid_before' },
    })
  })

  test('is refused when it does not hold a payment', async () => {
    const good = toHeader(await sign())
    const version1 = { ...(await sign()), x402Version: 1 }
    const permit2 = await sign()
    permit2.payload = { signature: '0x', permit2Authorization: {} } as never
    const upTo = await sign()
    upTo.accepted.scheme = 'upto'
    const fractional = await sign()
    fractional.payload.authorization.value = '2e4'
    const rows: [string, string][] = [
      ['', 'invalid_payload'],
      ['not base64!', 'invalid_payload'],
      [Buffer.from('{"x402Version":2').toString('base64'), 'invalid_payload'],
      [Buffer.from('null').toString('base64'), 'invalid_payload'],
      [Buffer.from('"2"').toString('base64'), 'invalid_payload'],
      [`${good}, ${good}`, 'invalid_payload'],
      [good.padEnd(9_000, 'A'), 'invalid_payload'],
      [toHeader(version1), 'invalid_x402_version'],
      [toHeader(permit2), 'invalid_payload'],
      [toHeader(upTo), 'unsupported_scheme'],
      [toHeader(fractional), 'invalid_payload'],
    ]
    for (const [header, code] of rows) {
      expect(parsePaymentSignature(header)).toMatchObject({ ok: false, problem: { code } })
    }
  })
})

test('any text in the header is read or refused, and never throws', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.json(), fc.base64String()), (text) => {
      for (const header of [text, Buffer.from(text).toString('base64')]) {
        const parsed = parsePaymentSignature(header)
        expect(parsed.ok).toBe(false)
      }
    }),
  )
})

test('a contract is asked once, and never about an impossible signature', async () => {
  const asked: Hex[] = []
  const payment = await sign({ authorization: { from: other } })
  const judgeWith = async (signature: Hex, answer: boolean) => {
    const parsed = parsePaymentSignature(
      toHeader({ ...payment, payload: { ...payment.payload, signature } }),
    )
    if (!parsed.ok) throw new Error('not parsed')
    return verifyPayment(parsed.payment, {
      requirements: [requirements],
      nowS,
      isValidSignature: async (from) => {
        asked.push(from)
        return answer
      },
    })
  }
  const long: Hex = `${payment.payload.signature}00`
  expect(await judgeWith(long, true)).toMatchObject({
    ok: true,
    payer: other,
    payerKind: 'contract',
  })
  expect((await judgeWith(long, false)).ok).toBe(false)
  expect((await judgeWith(payment.payload.signature, true)).ok).toBe(true)
  expect(asked).toEqual([other, other, other])
  expect((await judgeWith(highForm(payment.payload.signature), true)).ok).toBe(false)
  expect((await judgeWith(payment.payload.signature.slice(0, -2) as Hex, true)).ok).toBe(false)
  expect(asked).toHaveLength(3)
})

test('digest and signer equal those of the usual library, with and without the native curve', async () => {
  const accounts = Array.from({ length: 20 }, () => privateKeyToAccount(generatePrivateKey()))
  for (const [place, account] of accounts.entries()) {
    const message = {
      from: account.address.toLowerCase() as Hex,
      to: other,
      value: 2n ** BigInt(place * 12) - 1n,
      validAfter: BigInt(place),
      validBefore: 2n ** 256n - 1n - BigInt(place),
      nonce: `0x${String(place).padStart(64, '0')}` as Hex,
    }
    const domain = { name: `Dollar ${place} €`, version: '2', chainId: 8453 + place }
    const data = {
      domain: { ...domain, verifyingContract: requirements.asset },
      types: authorizationTypes,
      primaryType: 'TransferWithAuthorization',
      message,
    } as const
    const digest = authorizationDigest({ ...domain, asset: requirements.asset }, message)
    expect(`0x${digest.toString('hex')}`).toBe(hashTypedData(data))
    const signature = readKeySignature(await account.signTypedData(data))
    if (signature === undefined) throw new Error('not read')
    expect(recoverAddress(signature, digest)).toBe(message.from)
    expect(recoverAddress(signature, digest, recoverInScript)).toBe(message.from)
  }
})

test('an authorization has one claim key, in any letter case and with any signature', async () => {
  const payment = await sign()
  const shouted = structuredClone(payment)
  for (const name of ['from', 'nonce'] as const) {
    const value = shouted.payload.authorization[name] ?? ''
    shouted.payload.authorization[name] = value.toUpperCase().replace('0X', '0x')
  }
  shouted.payload.signature = highForm(payment.payload.signature)
  const claims = [payment, shouted].map((one) => {
    const parsed = parsePaymentSignature(toHeader(one))
    if (!parsed.ok) throw new Error('not parsed')
    return claimKey(requirements, parsed.payment.signed)
  })
  expect(claims[0]).toBe(
    `x402:84532:${requirements.asset}:${payer}:${payment.payload.authorization.nonce}`,
  )
  expect(claims[1]).toBe(claims[0])
})

test('stock clients can read the headers that the gateway writes', async () => {
  const { decodePaymentRequiredHeader, decodePaymentResponseHeader } = await import(
    '@x402/core/http'
  )
  const required = {
    resource: { url: 'https://gateway.example/api/run/a/b', description: 'Ähnliches – “quoted”' },
    accepts: [requirements],
    error: 'invalid_payload',
  }
  expect(decodePaymentRequiredHeader(encodePaymentRequired(required))).toEqual({
    x402Version: 2,
    ...required,
  })
  const response = {
    success: false,
    transaction: '',
    network: requirements.network,
    errorReason: 'settlement_pending',
  }
  expect(decodePaymentResponseHeader(encodePaymentResponse(response))).toEqual(response)
})
