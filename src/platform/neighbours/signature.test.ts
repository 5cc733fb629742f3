import { describe, expect, test } from 'vitest'
import { createRequestCheck, signRequest } from './signature.ts'

const secret = 'a secret of the gateways'
const request = { method: 'POST', path: '/errands/run-action?a=1', body: '{"action":"a/b"}' }
let nowMs = 1_700_000_000_000
const clock = { now: () => nowMs, sleep: async () => {} }
const check = createRequestCheck({ secret, gatewayNumber: 2, clock })
const sign = (more: { to?: number; known?: string } = {}, asked = request) =>
  signRequest(more.known ?? secret, { from: 1, to: more.to ?? 2, nowMs }, asked)

describe('a request between gateways', () => {
  test('is admitted once, and its answer proves itself', () => {
    const { header, isProof } = sign()
    const proof = check(header, request)
    expect(isProof(proof)).toBe(true)
    expect(isProof(undefined)).toBe(false)
    expect(sign().isProof(proof)).toBe(false)
    expect(check(header, request)).toBeUndefined()
  })

  test('is refused with another method, path or body', () => {
    for (const change of [
      { method: 'GET' },
      { path: '/errands/run-action?a=2' },
      { body: '{"action":"a/c"}' },
      { body: undefined },
    ])
      expect(check(sign().header, { ...request, ...change })).toBeUndefined()
  })

  test('is refused at another gateway, and from one with another secret', () => {
    expect(check(sign({ to: 3 }).header, request)).toBeUndefined()
    expect(check(sign({ known: 'another secret' }).header, request)).toBeUndefined()
  })

  test('is refused when it is older than a minute or from the future', () => {
    const { header } = sign()
    nowMs += 60_001
    expect(check(header, request)).toBeUndefined()
    nowMs -= 2 * 60_001
    expect(check(header, request)).toBeUndefined()
    nowMs += 60_001
  })

  test('is refused without a whole header', () => {
    for (const header of [undefined, '', '{}', 'null', '[]', ['a'], '{"from":1,"to":2}'])
      expect(check(header, request)).toBeUndefined()
  })
})
