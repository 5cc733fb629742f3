// Bugs of prices, and of the meter of what calls without a charge cost the operator.
import type { Mutant } from './mutant.ts'

const meter = 'src/money/schema/functions/uncharged.sql'
const meterTests = ['src/money/ledger/uncharged-costs.test.ts']

export const priceMutants: readonly Mutant[] = [
  {
    name: 'the cost of calls that were charged counts as uncharged',
    file: meter,
    find: 'case p_charged when 0 then p_cost else',
    replace: 'case when true then p_cost else',
    tests: meterTests,
  },
  {
    name: 'chats that end on a lease without a charge are not counted',
    file: meter,
    find: `from inserted where state <> 'held' and uncharged_of(`,
    replace: `from inserted where state = 'none' and uncharged_of(`,
    tests: meterTests,
  },
  {
    name: 'uncharged cost of earlier days counts today',
    file: meter,
    find: 'where u.account_id = p_account and u.day = today\n',
    replace: 'where u.account_id = p_account\n',
    tests: meterTests,
  },
  {
    name: 'all that an account was charged is added to its cap of uncharged cost',
    file: meter,
    find: `at time zone 'utc') / 10);`,
    replace: `at time zone 'utc'));`,
    tests: meterTests,
  },
  {
    name: 'uncharged cost beyond its cap refuses nothing',
    file: 'src/money/schema/functions/holds.sql',
    find: `when 'spent' then 'uncharged_cap'`,
    replace: `when 'spent' then null`,
    tests: meterTests,
  },
  {
    name: 'a lease goes on beyond the cap of uncharged cost',
    file: 'src/money/schema/functions/leases.sql',
    find: 'case when l.id = any (near) then 0 else',
    replace: 'case when false then 0 else',
    tests: meterTests,
  },
  {
    name: 'a top-up is refused because of uncharged cost',
    file: 'src/money/schema/functions/holds.sql',
    find: `and h.costless is not true and h.action <> 'topups' then`,
    replace: 'and h.costless is not true then',
    tests: meterTests,
  },
  {
    name: 'a call that costs nothing is refused because of uncharged cost',
    file: 'src/money/schema/functions/holds.sql',
    find: 'and h.costless is not true and',
    replace: 'and',
    tests: meterTests,
  },
  {
    name: 'a key with limits may cause as much uncharged cost as its account',
    file: meter,
    find: '(s.by_key, p_most / 4)',
    replace: '(s.by_key, p_most)',
    tests: meterTests,
  },
  {
    name: 'any number of calls run near the cap of uncharged cost',
    file: 'src/money/schema/functions/holds.sql',
    find: 'b.in_flight >= uncharged_at_once_max()',
    replace: 'false',
    tests: meterTests,
  },
  {
    name: 'any amount of calls under way may end without a charge',
    file: 'src/money/schema/functions/holds.sql',
    find: 'not h.job and is_uncharged_burst(h.account, b.held)',
    replace: 'false',
    tests: meterTests,
  },
  {
    name: 'free calls are counted only when they end',
    file: 'src/money/schema/functions/uncharged.sql',
    find: '  perform note_uncharged(p_account, p_key, p_micros);\n  return utc_day(now());',
    replace: '  return utc_day(now());',
    tests: meterTests,
  },
  {
    name: 'an open registry charges its listed price',
    file: 'src/catalog/lib/bought.ts',
    find: 'output.price_usd === undefined ? keylessFeeCents :',
    replace: 'output.price_usd === undefined ? cents :',
    tests: ['src/catalog/lib/bought.test.ts'],
  },
  {
    name: 'an order is quoted without tax',
    file: 'src/catalog/lib/storefront.ts',
    find: 'minCents * (1 + taxRateMax)',
    replace: 'minCents',
    tests: ['src/catalog/lib/storefront.test.ts'],
  },
  {
    name: 'an empty page is sold',
    file: 'src/features/web/reading/pages/wall-check.ts',
    find: `if (page.body.replace(frame, '').trim() === '') return true`,
    replace: '',
    tests: ['src/features/web/reading/pages/wall-check.test.ts'],
  },
  {
    name: 'what one can spend is rounded up',
    file: 'console/src/format/money.ts',
    find: `(rounding === 'up') === micros >= 0n`,
    replace: 'true',
    tests: ['console/src/format/money.test.ts'],
  },
  {
    name: 'the hold of a thinking model has no room for its thoughts',
    file: 'src/features/models/llm/routing/plan.ts',
    find: 'mayExceed ? Math.max(most, roomOf(price)) : most',
    replace: 'most',
    tests: ['test/scenarios/llm/thoughts.test.ts'],
  },
  {
    name: 'an extraction that was cut off is free',
    file: 'src/features/web/reading/actions/extract.ts',
    find: '(cut_off.tokens_usd * 100) / (pageCents + modelCents)',
    replace: '0',
    tests: ['test/scenarios/reading/extract.test.ts'],
  },
]
