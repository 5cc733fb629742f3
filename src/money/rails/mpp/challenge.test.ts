import { Challenge } from 'mppx'
import { Methods } from 'mppx/tempo'
import { expect, test } from 'vitest'
import { createChallengeWriter } from './challenge.ts'

const secretKey = 'a secret of the tests, which is long enough'
const terms = {
  realm: 'pay.example.org',
  action: 'ns_semantic/search',
  bodyDigest: 'sha-256=:RBNvo1WzZ4oRRq0W9+hknpT7T8If536DEMBg9hyq/4o=:',
  expiresAtMs: Date.UTC(2030, 0, 2, 3, 4, 5, 67),
  request: {
    amount: '0.020000',
    decimals: 6,
    currency: '0x20c000000000000000000000b9537d11c60e8b50',
    recipient: '0x9965507d1a55bcc2695c58ba16fb37d819b0a4dc',
    chainId: 4217,
    supportedModes: ['pull' as const],
  },
}
const write = createChallengeWriter(secretKey)

test.each([
  terms,
  { ...terms, realm: 'a "quoted" \\ realm' },
  { ...terms, action: '/api/v1/transactions/é', request: { ...terms.request, amount: '0.000000' } },
])('a challenge is what the library would have written, to the byte', (given) => {
  for (let turn = 0; turn < 2; turn += 1) {
    const header = write(given)
    const read = Challenge.deserialize(header)
    const meta = JSON.parse(Buffer.from(read.opaque ?? '', 'base64url').toString())
    const byLibrary = Challenge.fromMethod(Methods.charge, {
      realm: given.realm,
      secretKey,
      request: given.request,
      digest: given.bodyDigest,
      expires: new Date(given.expiresAtMs).toISOString(),
      meta,
    })
    expect(header).toBe(Challenge.serialize(byLibrary))
    expect(Challenge.verify(read, { secretKey })).toBe(true)
    expect(meta.action).toBe(given.action)
  }
})

test('no two challenges are equal', () => {
  const ids = Array.from({ length: 100 }, () => Challenge.deserialize(write(terms)).id)
  expect(new Set(ids).size).toBe(100)
})

test('so is a challenge of a session, also one that any body may answer', () => {
  const request = {
    amount: '0.000520',
    decimals: 6,
    currency: terms.request.currency,
    recipient: terms.request.recipient,
    chainId: 4217,
    escrowContract: '0x4d50500000000000000000000000000000000000',
    operator: '0x00000000000000000000000000000000000000aa',
    sessionProtocol: 'v2',
    suggestedDeposit: '1.000000',
    unitType: 'request',
  } as const
  const writeSession = createChallengeWriter(secretKey, 'session')
  for (const bodyDigest of [terms.bodyDigest, undefined]) {
    const header = writeSession({ ...terms, request, bodyDigest })
    const read = Challenge.deserialize(header)
    const byLibrary = Challenge.fromMethod(Methods.session, {
      realm: terms.realm,
      secretKey,
      request,
      ...(bodyDigest === undefined ? {} : { digest: bodyDigest }),
      expires: new Date(terms.expiresAtMs).toISOString(),
      meta: JSON.parse(Buffer.from(read.opaque ?? '', 'base64url').toString()),
    })
    expect(header).toBe(Challenge.serialize(byLibrary))
    expect(Challenge.verify(read, { secretKey })).toBe(true)
  }
})
