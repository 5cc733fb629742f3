// What a commit that does not wait meets while other transactions have locked accounts. The simulated server runs one
// statement after the other, so no account is ever locked by itself.
import type { Faults } from '../machine/faults.ts'
import type { Random } from '../machine/random.ts'
import type { CommitRow } from './holds.ts'
import type { Rows } from './store.ts'

type Run = (values: readonly unknown[]) => Promise<Rows>

/** Runs a statement. If it leaves out accounts that are locked, some may be. */
export async function runBesideLocks(
  { faults, random }: { readonly faults: Faults; readonly random: Random },
  { text, values }: { readonly text: string; readonly values: readonly unknown[] },
  run: Run,
): Promise<Rows> {
  const leavesOutLocked =
    text.startsWith('select * from ledger_commit_turn(') && values[4] === false
  return leavesOutLocked && faults.happens('account locked')
    ? await runWithout(someAccounts(random), values, run)
    : await run(values)
}

/** Each account is one of them or is not, for one statement. */
function someAccounts(random: Random): (accountId: string) => boolean {
  const chosen = new Map<string, boolean>()
  return (accountId) => {
    const known = chosen.get(accountId) ?? random.chance(0.5)
    chosen.set(accountId, known)
    return known
  }
}

/** Runs a commit without what belongs to locked accounts, which is answered as busy. */
async function runWithout(
  isLocked: (accountId: string) => boolean,
  values: readonly unknown[],
  run: Run,
): Promise<Rows> {
  const [gateway, inFlightMax, settlements, holds, ...rest] = values
  const parts = { settle: divide(settlements, isLocked), hold: divide(holds, isLocked) }
  const rows = await run([gateway, inFlightMax, parts.settle.sent, parts.hold.sent, ...rest])
  const answered = (rows as readonly CommitRow[]).map((row) =>
    row.kind === 'claim' ? row : { ...row, place: parts[row.kind].places[row.place - 1] },
  )
  const busy = (['settle', 'hold'] as const).flatMap((kind) =>
    parts[kind].busyPlaces.map((place) => ({
      kind,
      place,
      outcome: 'busy',
      available: null,
      earlier: null,
    })),
  )
  return [...busy, ...answered] as Rows
}

function divide(records: unknown, isLocked: (accountId: string) => boolean) {
  const all = (JSON.parse(String(records)) as readonly { readonly account: string }[]).map(
    (record, index) => ({ record, place: index + 1, busy: isLocked(record.account) }),
  )
  const free = all.filter(({ busy }) => !busy)
  return {
    sent: JSON.stringify(free.map(({ record }) => record)),
    places: free.map(({ place }) => place),
    busyPlaces: all.filter(({ busy }) => busy).map(({ place }) => place),
  }
}
