// A tab, as its gateway has it in memory.
import { uuidv7 } from '#core/id.ts'
import type { Micros } from '#core/money.ts'
import type { Hold } from './group-commit.ts'
import type { Ended } from './tab-line.ts'

export interface Tab {
  readonly id: string
  readonly accountId: string
  /** Whose calls it takes: those of one key with limits, or of all keys of the account without. */
  readonly name: string
  readonly keyId: string | undefined
  /** The action whose calls it takes. */
  readonly action: string
  /** The limits of the key when the tab was opened. */
  readonly limits: string | undefined
  /** The most that one call of the key may cost. */
  callMicrosMax: Micros
  turn: number
  /** What more calls may reserve, and how many. */
  spare: Micros
  places: number
  /** Calls under way. */
  open: number
  ended: Ended[]
  /** The worst case of the dearest call that it was asked for. */
  dearest: Micros
  usedAt: number
  /** It asks for no more until then, after it got nothing or was told to give back. */
  restsUntil: number
  /** The database would not take its last turn: the next is tried then. */
  refusedUntil: number
  /** Its day is over then. */
  endsAt: number
  /** Takes no more calls. */
  isClosing: boolean
  /** Resolved by the turn that gives back what is spare. */
  recalled:
    | { readonly promise: Promise<boolean>; readonly resolve: (given: boolean) => void }
    | undefined
}

export function newTab(
  name: string,
  { accountId, keyId, action, limits, micros }: Hold,
  now: number,
): Tab {
  return {
    id: uuidv7(now),
    accountId,
    name,
    keyId: limits === undefined ? undefined : keyId,
    action,
    limits,
    callMicrosMax: Number.POSITIVE_INFINITY,
    turn: 0,
    spare: 0,
    places: 0,
    open: 0,
    ended: [],
    dearest: micros,
    usedAt: now,
    restsUntil: 0,
    refusedUntil: 0,
    endsAt: Number.POSITIVE_INFINITY,
    isClosing: false,
    recalled: undefined,
  }
}
