// Bugs of the engine of sessions, and of what is paid in advance.
import type { Mutant } from './mutant.ts'

const sessions = 'src/runner/sessions'
const engineTests = [`${sessions}/sessions.test.ts`]

const endings = { file: `${sessions}/vendor-endings.ts` }
const browserTests = ['src/features/machines/browser/session-rows.test.ts']
const endingsTests = { tests: [`${sessions}/vendor-endings.test.ts`] }

const extensions = { file: 'src/money/schema/functions/extensions.sql' }
const limitTests = { tests: ['test/scenarios/sessions/key-limits.test.ts'] }
const openJobs = { file: 'src/runner/jobs/open-jobs.ts' }
const stoppingTests = { tests: ['test/scenarios/plans/stopping.test.ts'] }

export const sessionMutants: readonly Mutant[] = [
  {
    name: 'a session keeps what its key may no longer spend',
    ...extensions,
    find: 'greatest(p_least, coalesce(hold_max(c), c.held))',
    replace: 'c.held',
    ...limitTests,
  },
  {
    name: 'a lowered limit gives back what a session has used',
    ...extensions,
    find: 'greatest(p_least, coalesce(hold_max(c), c.held))',
    replace: 'coalesce(hold_max(c), c.held)',
    ...limitTests,
  },
  {
    name: 'a new limit does not count the open calls of the day before',
    file: 'src/money/schema/functions/spending.sql',
    find: 'union select utc_day(created_at) from call',
    replace: 'union select utc_day(now()) from call',
    ...limitTests,
  },
  {
    name: 'a job goes on without its key',
    ...openJobs,
    find: 'cancelled is not null or not access_is_good(account_id, key_id)',
    replace: 'cancelled is not null',
    ...stoppingTests,
  },
  {
    name: 'a job begins without its key',
    ...openJobs,
    find: 'started_at is null and not access_is_good(account_id, key_id) as is_forsaken',
    replace: 'false as is_forsaken',
    ...stoppingTests,
  },
  {
    name: 'one account has all places for stills of films',
    file: 'src/platform/threads/fair-places.ts',
    find: 'takenBy(owner) + wanted <= placesPerOwner',
    replace: 'takenBy(owner) + wanted <= 100',
    tests: ['src/features/studio/films/films.test.ts'],
  },
  {
    name: 'the hold of a session is extended beyond the balance',
    ...extensions,
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
