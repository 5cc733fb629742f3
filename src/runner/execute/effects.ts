// Records what calls make that stays after them. A call that is not charged undoes it: see `effects.sql`.
import {
  type Effect,
  type EffectKind,
  isClosable,
  type RecordEffect,
  type Transaction,
} from '#core/effects/effect.ts'
import { fail } from '#core/errors.ts'
import type { Database } from '#platform/database/database.ts'
import type { Trail } from './trail.ts'

const inUse =
  'Another call that made or changed this has not ended yet, and may still be undone. Nothing was charged; try again in a moment.'

export interface Effects {
  /** Undoes what this part of a call has made: it failed, or it is about to run again. */
  undo(callId: string, place: string): Promise<void>
}

export const createEffects = (database: Database): Effects => ({
  async undo(callId, place) {
    await database.query('select undo_effects_at($1, $2)', [callId, place])
  },
})

/** Where an action runs. Without a call nothing is paid for, and nothing is recorded. */
export interface EffectPlace {
  readonly callId: string | undefined
  /** Empty, or the path of an inner call. */
  readonly folder: string
  /** It closes with its call. */
  readonly closes: boolean
  /** Called when something was recorded. */
  readonly onMade: () => unknown
}

/** Records the effects of an action that declares these kinds. */
export const createRecordEffect =
  (place: EffectPlace, declared: readonly EffectKind[] = []): RecordEffect =>
  async (transaction, effect) => {
    if (!declared.includes(effect.kind))
      throw new TypeError(`The action makes "${effect.kind}" and does not declare it.`)
    if (place.callId === undefined) return
    await record(transaction, place, effect)
    place.onMade()
  }

async function record(
  transaction: Transaction,
  { callId, folder, closes }: EffectPlace,
  { kind, subject, details, changes = [] }: Effect,
): Promise<void> {
  const { rows } = await transaction.query<{ state: string }>(
    'select call_makes($1, $2, $3, $4, $5, $6, $7) as state',
    [
      callId,
      folder,
      kind,
      subject,
      details ?? null,
      closes && isClosable(kind),
      JSON.stringify(changes),
    ],
  )
  if (rows[0]?.state === 'in_use')
    throw fail('unavailable', { message: inUse, retryAfterSeconds: 1 })
  if (rows[0]?.state !== 'held') throw fail('unavailable')
}

/** Whether something was made in this part of a call. */
export const hasMade = ({
  trail,
  folder = '',
}: {
  readonly trail: Pick<Trail, 'madeAt'>
  readonly folder?: string
}) => [...trail.madeAt].some((made) => made.startsWith(folder))
