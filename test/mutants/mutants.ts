// Bugs that would cost money or open a door, each with the tests that must notice it.

import { effectMutants } from './effect-mutants.ts'
import { mailMutants } from './mail-mutants.ts'
import { moneyMutants } from './money-mutants.ts'
import type { Mutant } from './mutant.ts'
import { peopleMutants } from './people-mutants.ts'
import { planMutants } from './plan-mutants.ts'
import { priceMutants } from './price-mutants.ts'
import { sessionMutants } from './session-mutants.ts'

/** The file's text with the bug in it. Throws when the text to replace does not occur exactly once. */
export function plant({ name, file, find, replace }: Mutant, text: string): string {
  const parts = text.split(find)
  if (parts.length !== 2)
    throw new Error(`"${name}": its text occurs ${parts.length - 1} times in ${file}.`)
  return parts.join(replace)
}

const guardTests = ['src/platform/egress/guard.test.ts']

export const mutants: readonly Mutant[] = [
  ...moneyMutants,
  ...effectMutants,
  ...mailMutants,
  ...peopleMutants,
  ...planMutants,
  ...priceMutants,
  ...sessionMutants,

  // The runner.
  {
    name: 'a settle that finds its hold gone is answered as a success',
    file: 'src/runner/run/run.ts',
    find: `if (settled.outcome === 'gone') throw fail('upstream_error')`,
    replace: '',
    tests: ['test/scenarios/calls/5xx-failed-calls-are-free.test.ts'],
  },
  {
    name: 'a second purchase in one call is sent',
    file: 'src/runner/schema/functions/purchases.sql',
    find: `insert into purchase (call_id, reference, gateway_id) values (p_call, p_reference, p_gateway);`,
    replace: `insert into purchase (call_id, reference, gateway_id) values (p_call, p_reference, p_gateway) on conflict do nothing;`,
    tests: ['test/scenarios/calls/purchases.test.ts'],
  },
  {
    name: 'an order leaves before it is written down as sent',
    file: 'src/runner/execute/buying.ts',
    find: '  trail.ordered = true\n',
    replace: '',
    tests: ['test/scenarios/calls/purchases.test.ts'],
  },
  {
    name: 'the wallet buys several times what one call may spend',
    file: 'src/runner/execute/buying.ts',
    find: '(quoted ?? trail.held) - spent)',
    replace: '(quoted ?? trail.held))',
    tests: ['test/scenarios/calls/paying-sellers.test.ts'],
  },
  {
    name: 'an id that a vendor issued belongs to everybody',
    file: 'src/runner/execute/handles.ts',
    find: 'return rows.length > 0',
    replace: 'return true',
    tests: ['test/scenarios/calls/vendor-handles.test.ts'],
  },
  {
    name: 'a job whose database was away has failed for good',
    file: 'src/runner/jobs/work.ts',
    find: `return code === 'unavailable' || code === 'payment_pending'`,
    replace: 'return false',
    tests: ['test/scenarios/calls/jobs.nightly.test.ts'],
  },
  {
    name: 'an account may have any number of jobs open',
    file: 'src/money/schema/functions/holds.sql',
    find: 'if alike >= p_at_once_max then',
    replace: 'if alike > p_at_once_max then',
    tests: [
      'test/scenarios/calls/jobs.nightly.test.ts',
      'test/scenarios/accounts/429-too-much.test.ts',
    ],
  },
  {
    name: 'an answer that its schema refuses is sold',
    file: 'src/runner/execute/reply.ts',
    find: 'report([String(read.error)])',
    replace: 'return raw',
    tests: ['test/scenarios/calls/5xx-failed-calls-are-free.test.ts'],
  },

  // Prices.
  {
    name: 'a capped price is charged above its cap',
    file: 'src/core/price.ts',
    find: 'return Math.min(quote.micros, centsToMicros(price.settle({ input, output })))',
    replace: 'return centsToMicros(price.settle({ input, output }))',
    tests: ['src/core/price.test.ts', 'test/scenarios/calls/200-paid-calls.test.ts'],
  },
  {
    name: 'a ceiling one cent too low is accepted',
    file: 'src/core/price.ts',
    find: 'maxCostMicros !== undefined && quote.micros > maxCostMicros)',
    replace: 'maxCostMicros !== undefined && quote.micros > maxCostMicros + 10_000)',
    tests: ['src/core/price.test.ts', 'test/scenarios/calls/quotes.test.ts'],
  },
  {
    name: 'a charge is rounded down',
    file: 'src/core/money.ts',
    find: `direction === 'up' ? Math.ceil(cents)`,
    replace: `direction === 'up' ? Math.floor(cents)`,
    tests: ['src/core/money.test.ts'],
  },

  // Keys.
  {
    name: 'a revoked key signs in',
    file: 'src/accounts/keys/key-lookup.ts',
    find: "'k.revoked_at is null and",
    replace: "'",
    tests: ['test/scenarios/accounts/limited-keys.nightly.test.ts'],
  },
  {
    name: 'a key that has ended signs in',
    file: 'src/accounts/keys/key-lookup.ts',
    find: ' and (k.expires_at is null or k.expires_at > now())',
    replace: '',
    tests: [
      'test/scenarios/accounts/accounts-and-keys.test.ts',
      'test/scenarios/accounts/limited-keys.nightly.test.ts',
    ],
  },
  {
    name: 'the key of a frozen account signs in',
    file: 'src/accounts/keys/authentication.ts',
    find: `if (key.isFrozen) throw fail('account_frozen')`,
    replace: '',
    tests: [
      'test/scenarios/accounts/accounts-and-keys.test.ts',
      'test/scenarios/accounts/limited-keys.nightly.test.ts',
    ],
  },
  {
    name: 'a key is trusted for longer than a revoke waits',
    file: 'src/accounts/keys/authentication.ts',
    find: 'askedAtMs + Math.min(trustedMs, key.leftMs ?? trustedMs)',
    replace: 'askedAtMs + 5_000',
    tests: [
      'test/scenarios/accounts/accounts-and-keys.test.ts',
      'test/scenarios/accounts/limited-keys.nightly.test.ts',
    ],
  },
  {
    name: 'a limited key counts as unlimited',
    file: 'src/accounts/schema/functions/keys.sql',
    find: 'k.requests_per_minute, k.tokens_per_minute) > 0',
    replace: 'k.requests_per_minute, k.tokens_per_minute) > 9',
    tests: ['test/scenarios/accounts/limited-keys.nightly.test.ts'],
  },

  // Egress.
  {
    name: 'private addresses may be dialled',
    file: 'src/platform/egress/guard.ts',
    find: `if (address.range() !== 'unicast') return false`,
    replace: `if (address.range() === 'loopback') return false`,
    tests: guardTests,
  },
  {
    name: 'an IPv4 address mapped into IPv6 is judged as IPv6',
    file: 'src/platform/egress/guard.ts',
    find: 'const address = ipaddr.process(text)',
    replace: 'const address = ipaddr.parse(text)',
    tests: guardTests,
  },
  {
    name: 'one public address among private ones is enough',
    file: 'src/platform/egress/guard.ts',
    find: 'for (const address of addresses) admitAddress(host, address, port)',
    replace: `admitAddress(host, addresses[0] ?? '', port)`,
    tests: guardTests,
  },
  {
    name: 'the metadata service of a cloud may be asked',
    file: 'src/platform/egress/guard.ts',
    find: 'return !internalThoughPublic.some((block) => address.match(block))',
    replace: 'return true',
    tests: guardTests,
  },
  {
    name: 'the public addresses of this machine may be dialled',
    file: 'src/platform/egress/guard.ts',
    find: 'if (isPublicAddress(address) && !isOwnAddress(address)) return',
    replace: 'if (isPublicAddress(address)) return',
    tests: guardTests,
  },
  {
    name: 'ports of databases may be dialled',
    file: 'src/platform/egress/guard.ts',
    find: 'if (!portsRefused.has(port)) return',
    replace: 'if (port > 0) return',
    tests: guardTests,
  },
  {
    name: 'an allowance for one port opens all ports of its host',
    file: 'src/platform/egress/guard.ts',
    find: 'if (entry.port !== undefined && entry.port !== port) return false',
    replace: '',
    tests: guardTests,
  },
]
