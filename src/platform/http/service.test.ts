import { expect, test } from 'vitest'
import { defineProvider, type Upstream } from '#core/provider.ts'
import { systemClock } from '../clock.ts'
import { createService } from './service.ts'

const ignore = () => {}
const create = (upstream: Upstream | undefined, variables: Record<string, string> = {}) =>
  createService(
    defineProvider({ id: 'ns_test', title: 'Test', actions: [], ...(upstream && { upstream }) }),
    {
      variables: new Map(Object.entries(variables)),
      userAgent: 'Tollway/test',
      clock: systemClock,
      log: { debug: ignore, info: ignore, warn: ignore, error: ignore },
    },
  )
const baseUrl = 'https://api.example.org'
const attach = (key: string) => ({ headers: { authorization: key } })

test('a provider without an upstream is embedded, and has no client to offer', async () => {
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

test('a provider whose key is missing is unavailable, says how to change that, and refuses every call', async () => {
  const service = create({ baseUrl, credential: { aliases: ['VENDOR_API_KEY'], attach } })
  expect(service).toMatchObject({
    mode: 'unavailable',
    reason: 'Set NS_TEST_API_KEY (or VENDOR_API_KEY) and restart.',
  })
  const { signal } = new AbortController()
  await expect(service.http.withSignal(signal).post('/', {})).rejects.toMatchObject({
    code: 'provider_not_configured',
  })
})

test('a base URL of the operator replaces the vendor’s, and must be one', () => {
  expect(create({ baseUrl }, { NS_TEST_BASE_URL: 'http://127.0.0.1:9/{lang}' }).mode).toBe(
    'keyless',
  )
  expect(() => create({ baseUrl }, { NS_TEST_BASE_URL: 'localhost:9' })).toThrow('NS_TEST_BASE_URL')
})
