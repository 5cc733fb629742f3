// What a commit that does not wait meets while other transactions have locked accounts. The simulated server runs one
// statement after the other, so no account is ever locked by itself.
import type { CommitRow } from './holds.ts'
import type { Rows } from './store.ts'

/** Whether a statement leaves out accounts that are locked. */
export const leavesOutLocked = (text: string, values: readonly unknown[]): boolean =>
  text.startsWith('select * from ledger_commit(') && values[4] === false

/** Runs the commit without what belongs to locked accounts, which is answered as busy. */
export async function runBesideLocks(
  values: readonly unknown[],
  isLocked: (accountId: string) => boolean,
  run: (values: readonly unknown[]) => Promise<Rows>,
): Promise<Rows> {
  const [gateway, inFlightMax, ...rest] = values
  const parts = {
    settle: divide(rest[0], isLocked),
    hold: divide(rest[1], isLocked),
  }
  const rows = await run([
    gateway,
    inFlightMax,
    parts.settle.sent,
    parts.hold.sent,
    ...rest.slice(2),
  ])
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
