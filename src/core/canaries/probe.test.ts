import { expect, test } from 'vitest'
import { providers } from '#catalog/providers.ts'
import { chooseProbe } from './probe.ts'

const remote = providers.filter(({ upstream }) => upstream !== undefined)
const probes = remote.flatMap((provider) => chooseProbe(provider) ?? [])

test('every provider has a probe, but those that only sell, open or have no actor', () => {
  const without = remote.filter((provider) => chooseProbe(provider) === undefined)
  expect(without.map(({ id }) => id)).toEqual([
    ...['ns_fax', 'ns_newsletter', 'sess_a', 'sess_b', 'sess_c', 'sess_d', 'sess_e', 'weibo'],
  ])
})

test('all probes together cost less than three dollars', () => {
  expect(probes.reduce((sum, { cents }) => sum + cents, 0)).toBeLessThan(300)
  expect(probes.filter(({ cents }) => cents > 30)).toEqual([])
})

test('a probe buys and begins nothing, and removes nothing', () => {
  for (const { id, action } of probes) {
    const { irrevocable, mode, makes, ends, issues } = action
    expect({ id, irrevocable, mode, makes, ends, issues }).toEqual({ id })
  }
})
