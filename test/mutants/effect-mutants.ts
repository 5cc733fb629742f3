// Bugs that give away what a call has made, or take away what was paid.
import type { Mutant } from './mutant.ts'

const sql = 'src/money/schema/functions/effects.sql'
const ledgerTests = ['src/money/ledger/effects.test.ts']
const callTests = ['test/scenarios/calls/effects.nightly.test.ts']

export const effectMutants: readonly Mutant[] = [
  {
    name: 'what a failed call has made stays',
    file: sql,
    find: `(old.state = 'held' and new.state = 'voided')`,
    replace: `(old.state = 'held' and new.state = 'lost')`,
    tests: ledgerTests,
  },
  {
    name: 'what a charged call has made goes',
    file: sql,
    find: `(old.state = 'held' and new.state = 'voided')`,
    replace: `(old.state = 'held' and new.state <> 'held')`,
    tests: ledgerTests,
  },
  {
    name: 'a call that has ended still makes something',
    file: sql,
    find: `if v_state = 'held' then`,
    replace: 'if v_state is not null then',
    tests: ledgerTests,
  },
  {
    name: 'a call ends while something is made for it',
    file: sql,
    find: 'where id = p_call for share',
    replace: 'where id = p_call',
    tests: ledgerTests,
  },
  {
    name: 'a part that fails undoes what the whole call has made',
    file: sql,
    find: 'call_id = p_call and starts_with(place, p_place)',
    replace: 'call_id = p_call',
    tests: ledgerTests,
  },
  {
    name: 'the oldest effect is undone first',
    file: sql,
    find: 'from undone order by id desc',
    replace: 'from undone order by id',
    tests: ledgerTests,
  },
  {
    name: 'what was sold by a voided call is not named',
    file: sql,
    find: `where c.state is null or c.state = 'voided'`,
    replace: 'where c.state is null',
    tests: ledgerTests,
  },
  {
    name: 'what a failed part of a call has made stays',
    file: 'src/runner/execute/prepare.ts',
    find: 'if (isOver && hasMade(place)) await undoEffects(place)',
    replace: 'if (isOver && hasMade(place)) return',
    tests: callTests,
  },
  {
    name: 'a step that runs again makes its thing twice',
    file: 'src/runner/execute/prepare.ts',
    find: `if (step !== undefined && entry.action.mode !== 'job') await undoEffects(place)`,
    replace: '',
    tests: callTests,
  },
  {
    name: 'minutes that were not paid for stay with their session',
    file: 'src/features/machines/browser/schema/functions/browsers.sql',
    find: `expires_at = expires_at - (e.details->>'minutes')::integer * interval '1 minute'`,
    replace: 'expires_at = expires_at',
    tests: ['src/features/machines/browser/session-rows.test.ts'],
  },
  {
    name: 'a plan may leave a browser open',
    file: 'src/core/effects/effect.ts',
    find: `browser: { title: 'a browser', outlives: true, closes: true }`,
    replace: `browser: { title: 'a browser', outlives: false }`,
    tests: ['test/contract/effects.test.ts', 'test/scenarios/plans/outliving-effects.test.ts'],
  },
  {
    name: 'what a plan has opened stays open',
    file: 'src/features/knowledge/plans/plans.ts',
    find: 'closes: true,',
    replace: '',
    tests: ['test/scenarios/plans/opening.test.ts'],
  },
  {
    name: 'a call changes what another call may still lose',
    file: sql,
    find: `then return 'in_use'; end if;`,
    replace: 'then null; end if;',
    tests: ledgerTests,
  },
]
