// How overrides are stored: one of the two columns is null.
import type { Override } from '#core/pricing/override.ts'

export interface OverrideRow {
  readonly action: string
  readonly micros: number | null
  readonly factor: number | null
}

export const overrideOf = ({ micros, factor }: OverrideRow): Override =>
  factor === null ? { micros: micros ?? 0 } : { factor }
