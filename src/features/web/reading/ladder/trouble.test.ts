import { expect, test } from 'vitest'
import { FetchFailure } from '#platform/egress/failure.ts'
import { EgressRefusal } from '#platform/egress/guard.ts'
import { adviceOn, type TroubleCode, troubleOfFailure, troubleOfVerdict } from './trouble.ts'

const url = 'https://mill.example/'
const reply = { kind: 'html', body: '', finalUrl: url, status: 200, headers: {} } as const
const verdict = { yield: 0, read: false, reason: '' } as const

test.each([
  ['bot_wall', 'blocked'],
  ['skeleton', 'blocked'],
  ['consent', 'blocked'],
  ['not_found', 'not_found'],
  ['login', 'login_required'],
  ['paywall', 'paywall'],
  ['maintenance', 'server_error'],
] as const)('a page of the kind %s has the code %s', (kind, code) => {
  const flags = code === 'blocked' ? (['blocked'] as const) : (['thin_content'] as const)
  const trouble = troubleOfVerdict(url, reply, { ...verdict, kind, flags })
  expect(trouble).toMatchObject({ code, message: expect.stringContaining(url) })
})

test.each([
  [new EgressRefusal('no_address', 'No address.'), 'dns'],
  [new EgressRefusal('not_public', 'Not public.'), 'address_refused'],
  [new EgressRefusal('not_public', 'Not public.').ofRedirect(), 'redirect_refused'],
  [new EgressRefusal('robots', 'Closed.'), 'robots'],
  [new FetchFailure('tls', 'No certificate.'), 'tls'],
  [new FetchFailure('redirects', 'Again.'), 'redirect_loop'],
  [new FetchFailure('timeout', 'Late.'), 'timeout'],
  [new Error('a vendor failed'), 'connection'],
] as const)('%s has the code %s', (thrown, code) => {
  expect(troubleOfFailure(url, thrown).code).toBe(code)
})

test('each page is advised by what happened to it, and the deep action only where it may help', () => {
  const page = (name: string, code: TroubleCode, isFinal?: true) => ({
    url: url + name,
    trouble: { code, message: '', ...(isFinal && { isFinal }) },
  })
  const pages = [
    page('wall', 'blocked'),
    page('gone', 'not_found'),
    page('slow', 'timeout'),
    page('endless', 'timeout', true),
  ]
  expect(adviceOn(pages, 'tollway/onescrape-deep')).toBe(
    `Retry on tollway/onescrape-deep: ${url}wall, ${url}slow. Check the address: ${url}gone. Try again later: ${url}endless.`,
  )
  expect(adviceOn(pages, undefined)).not.toContain('Retry on')
})
