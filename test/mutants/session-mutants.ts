// Bugs of the engine of sessions, and of what is paid in advance.
import type { Mutant } from './mutant.ts'

const sessions = 'src/runner/sessions'
const engineTests = [`${sessions}/sessions.test.ts`]

const endings = { file: `${sessions}/vendor-endings.ts` }
const browserTests = ['src/features/machines/browser/session-rows.test.ts']
const endingsTests = { tests: [`${sessions}/vendor-endings.test.ts`] }

export const sessionMutants: readonly Mutant[] = [
  {
    name: 'the hold of a session is extended beyond the balance',
    file: 'src/money/schema/functions/extensions.sql',
    find: 'least(p_target - c.held, b.available, ',
    replace: 'least(p_target - c.held, ',
    tests: engineTests,
  },
  {
    name: 'a session pays again for what its earlier calls were charged',
    file: `${sessions}/session-money.ts`,
    find: 'priceOfUse(tariff, used) - settled)',
    replace: 'priceOfUse(tariff, used))',
    tests: engineTests,
  },
  {
    name: 'a session of another machine is taken at once',
    file: 'src/runner/schema/functions/sessions.sql',
    find: 'machine = p_machine or last_seen_at < p_elsewhere_before)',
    replace: 'machine = p_machine or true)',
    tests: engineTests,
  },
  {
    name: 'a resource that opened too late is forgotten',
    file: `${sessions}/removal.ts`,
    find: 'const resource = known ?? (await openings.outcomeOf(row.id))',
    replace: 'const resource = known',
    tests: engineTests,
  },
  {
    name: 'a repeated command runs again',
    file: `${sessions}/repeats.ts`,
    find: 'if (!(await claim(sessionId, key, digest))) return await replay(sessionId, key, digest)',
    replace: 'await claim(sessionId, key, digest)',
    tests: engineTests,
  },
  {
    name: 'suspended sessions are not limited',
    file: `${sessions}/session-rows.ts`,
    find: `and action = $2 and state in ('opening', 'open', 'suspended')`,
    replace: `and action = $2 and state in ('opening', 'open')`,
    tests: engineTests,
  },
  {
    name: 'a resource that was not paid for stays',
    file: 'src/runner/schema/functions/vendor-endings.sql',
    find: 'undo_prepaid_resource(e effect) returns void language sql as $$\n  select',
    replace: 'undo_prepaid_resource(e effect) returns void language sql as $$\n  select null; --',
    ...endingsTests,
  },
  {
    name: 'a resource that a late request makes stays',
    ...endings,
    find: 'if (isLast)',
    replace: 'if (true)',
    ...endingsTests,
  },
  {
    name: 'a browser of the vendor outlives its minutes',
    file: 'src/features/machines/browser/session-rows.ts',
    find: 'and (expires_at <= $1 or not',
    replace: 'and (not',
    tests: browserTests,
  },
  {
    name: 'a browser of the vendor outlives its key',
    file: 'src/features/machines/browser/session-rows.ts',
    find: 'or not access_is_good(account_id, key_id)',
    replace: '',
    tests: browserTests,
  },
  {
    name: 'a browser of the vendor starts after its call was voided',
    file: 'src/features/machines/browser/schema/functions/browsers.sql',
    find: 'where name = e.subject returning *)\n',
    replace: 'where name = e.subject and id is not null returning *)\n',
    tests: browserTests,
  },
  {
    name: 'a resource that cannot be ended holds up the others',
    ...endings,
    find: 'tried_at nulls first',
    replace: 'tried_at nulls last',
    ...endingsTests,
  },
]
