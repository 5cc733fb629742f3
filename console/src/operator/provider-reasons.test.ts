import { expect, test } from 'vitest'
import { reasonOf } from './provider-reasons.ts'

const keys = [{ provider: 'ns_media', setting: 'NS_MEDIA_API_KEY' }]
const reason =
  'Set NS_MEDIA_API_KEY (or FAL_API_KEY) and restart, or paste the key on the page Providers of the console.'

test.for([
  ['its own row takes the key', 'ns_media', 'paste the key here.'],
  ['the row of another provider does', 'lead', 'paste the key in the row of ns_media.'],
] as const)('%s', ([, service, end]) => {
  expect(reasonOf({ service, mode: 'unavailable', reason }, keys)).toBe(
    `Set NS_MEDIA_API_KEY (or FAL_API_KEY) and restart, or ${end}`,
  )
})

test('what is sold without the vendor is said first', () => {
  const postcard = { service: 'ns_postcard', reason: 'Set UPSTREAM_WALLET_KEY and restart.' }
  expect(reasonOf({ ...postcard, mode: 'keyless' }, keys)).toBe(
    'Only some of its actions are available. For the others: Set UPSTREAM_WALLET_KEY and restart.',
  )
  expect(reasonOf({ service: 'ns_act', mode: 'live' }, keys)).toBe(undefined)
})
