import { describe, expect, test } from 'vitest'
import { defineProvider, type Upstream } from '#core/provider.ts'
import { systemClock } from '../clock.ts'
import { createService } from './service.ts'
import { createUpstreamWallet, type UpstreamWallet } from './upstream-wallet.ts'

const ignore = () => {}
const create = (
  upstream: Upstream | undefined,
  variables: Record<string, string> = {},
  wallet?: UpstreamWallet,
) =>
  createService(
    defineProvider({ id: 'ns_test', title: 'Test', actions: [], ...(upstream && { upstream }) }),
    {
      variables: new Map(Object.entries(variables)),
      userAgent: 'Tollway/test',
      clock: systemClock,
      log: { debug: ignore, info: ignore, warn: ignore, error: ignore },
      ...(wallet && { wallet }),
    },
  )
const baseUrl = 'https://api.example.org'
const attach = (key: string) => ({ headers: { authorization: key } })

test('a provider without an upstream is embedded and has no client', async () => {
  const service = create(undefined)
  expect(service.mode).toBe('embedded')
  await expect(service.http.get('/')).rejects.toThrow('no upstream')
})

test('a public provider is keyless', () => {
  expect(create({ baseUrl }).mode).toBe('keyless')
})

test('a provider whose key is set, under its own or the vendor’s name, is live', () => {
  const upstream = { baseUrl, credential: { aliases: ['VENDOR_API_KEY'], attach } }
  expect(create(upstream, { NS_TEST_API_KEY: 'k' }).mode).toBe('live')
  expect(create(upstream, { VENDOR_API_KEY: 'k' }).mode).toBe('live')
})

test('a provider whose key is optional and unset is keyless', () => {
  expect(create({ baseUrl, credential: { optional: true, attach } }).mode).toBe('keyless')
})

test('a provider without its key is unavailable, tells the operator what to set, and refuses every call', async () => {
  const service = create({ baseUrl, credential: { aliases: ['VENDOR_API_KEY'], attach } })
  expect(service).toMatchObject({
    mode: 'unavailable',
    reason:
      'Set NS_TEST_API_KEY (or VENDOR_API_KEY) and restart, or paste the key on the page Providers of the console.',
  })
  const { signal } = new AbortController()
  await expect(service.http.withSignal(signal).post('/', {})).rejects.toMatchObject({
    code: 'provider_not_configured',
  })
})

test('the operator’s base URL replaces the vendor’s and must be valid', () => {
  expect(create({ baseUrl }, { NS_TEST_BASE_URL: 'http://127.0.0.1:9/{lang}' }).mode).toBe(
    'keyless',
  )
  expect(() => create({ baseUrl }, { NS_TEST_BASE_URL: 'localhost:9' })).toThrow('NS_TEST_BASE_URL')
})

test('a vendor’s server that an operator runs needs no key', () => {
  const upstream = { baseUrl, credential: { optionalElsewhere: true as const, attach } }
  expect(create(upstream).mode).toBe('unavailable')
  expect(create(upstream, { NS_TEST_BASE_URL: 'http://127.0.0.1:3000' }).mode).toBe('keyless')
  const both = { NS_TEST_BASE_URL: 'http://127.0.0.1:3000', NS_TEST_API_KEY: 'k' }
  expect(create(upstream, both).mode).toBe('live')
})

describe('a provider that sells by payment', () => {
  const paidEndpoint = { rail: 'mpp', baseUrl: 'https://paid.example.org' }
  const credential = { aliases: ['VENDOR_API_KEY'], form: 'user:password', attach }
  const elsewhere = { baseUrl, wallet: 'elsewhere' as const }
  const pays = (...protocols: string[]) => ({
    ...createUpstreamWallet([], new Map([['mpp', ['MPP_RPC_URL']]])),
    protocols,
  })
  const own = { NS_TEST_BASE_URL: 'http://127.0.0.1:3000' }

  test.each([
    ['only so, without a wallet', { baseUrl, wallet: true as const }, {}, undefined, 'unavailable'],
    ['only so', { baseUrl, wallet: true as const }, {}, pays('x402'), 'live'],
    [
      'at a paid endpoint, without a wallet',
      { baseUrl, credential, wallet: paidEndpoint },
      {},
      undefined,
      'unavailable',
    ],
    [
      'at a paid endpoint, to another protocol',
      { baseUrl, credential, wallet: paidEndpoint },
      {},
      pays('x402'),
      'unavailable',
    ],
    [
      'at a paid endpoint',
      { baseUrl, credential, wallet: paidEndpoint },
      {},
      pays('x402', 'mpp'),
      'live',
    ],
    ['elsewhere, without an address', elsewhere, {}, pays('mpp'), 'keyless'],
    ['at a mirror, without a wallet', elsewhere, own, undefined, 'keyless'],
    ['elsewhere', elsewhere, own, pays('x402'), 'live'],
  ] as const)('%s', (_title, upstream, variables, wallet, mode) => {
    const service = create(upstream, variables, wallet)
    expect(service.mode).toBe(mode)
    expect(service.buys ?? false).toBe(mode === 'live')
  })

  test('is asked with a key if one is set', () => {
    const service = create(
      { baseUrl, credential, wallet: paidEndpoint },
      { VENDOR_API_KEY: 'k' },
      pays('mpp'),
    )
    expect(service.mode).toBe('live')
    expect(service.buys).toBeUndefined()
  })

  test('says what is missing', () => {
    const reasonOf = (upstream: Upstream, wallet?: UpstreamWallet) =>
      create(upstream, {}, wallet).reason
    const withKey = { baseUrl, credential, wallet: paidEndpoint }
    expect(reasonOf({ baseUrl, wallet: true })).toBe('Set UPSTREAM_WALLET_KEY and restart.')
    expect(reasonOf(withKey)).toBe(
      'Set NS_TEST_API_KEY (or VENDOR_API_KEY) to user:password or UPSTREAM_WALLET_KEY and restart, or paste the key on the page Providers of the console.',
    )
    expect(reasonOf(withKey, pays('x402'))).toBe(
      'Set NS_TEST_API_KEY (or VENDOR_API_KEY) to user:password or MPP_RPC_URL and restart, or paste the key on the page Providers of the console.',
    )
  })
})
