import type { CheckState } from '#core/canaries/check.ts'
import type { Diagnosis } from '../diagnosis.ts'

/** A provider that is configured, and how it is checked. */
export interface PlannedCheck {
  readonly provider: string
  readonly mode: string
  /** Null: it is not asked. */
  readonly call: string | null
  /** Says why the action is not asked. */
  readonly reason?: string
  /** The most that it may cost at the provider. */
  readonly cents: number
  /** The operator has declared no cost of it, so `cents` is 0. */
  readonly isCostUnknown?: true
  readonly ask?: () => Promise<Diagnosis>
}

export const diagnosisOf = {
  well: 'good',
  drifted: 'attention',
  unclear: 'attention',
  failed: 'problem',
} as const satisfies Record<CheckState, Diagnosis['state']>
