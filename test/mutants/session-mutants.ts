// Bugs of the engine of sessions, and of what is paid in advance.
import type { Mutant } from './mutant.ts'

const sessions = 'src/runner/sessions'
const engineTests = [`${sessions}/sessions.test.ts`]

const prepaid = { file: `${sessions}/prepaid-resources.ts` }
const prepaidTests = { tests: [`${sessions}/prepaid-resources.test.ts`] }

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
    name: 'a resource that was paid during a round is ended',
    ...prepaid,
    find: 'due_at is not null',
    replace: 'true',
    ...prepaidTests,
  },
  {
    name: 'a resource that a late request makes stays',
    ...prepaid,
    find: 'if (isLast) await',
    replace: 'await',
    ...prepaidTests,
  },
  {
    name: 'a resource that cannot be ended holds up the others',
    ...prepaid,
    find: 'tried_at nulls first',
    replace: 'tried_at nulls last',
    ...prepaidTests,
  },
]
