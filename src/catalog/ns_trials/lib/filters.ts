import { z } from '#core/action.ts'
import { phases, statuses } from './study.ts'

/** `Phase 2`, `2` and `PHASE2` are the same. */
const constant = (text: string) =>
  text
    .trim()
    .toUpperCase()
    .replaceAll(/[\s-]+/g, '_')
const asPhase = (text: string) =>
  constant(text)
    .replace(/^(\d)$/, 'PHASE$1')
    .replace(/PHASE_(\d)/, 'PHASE$1')

export const status = z.string().transform(constant).pipe(z.enum(statuses))

export const phase = z
  .union([z.string(), z.int().transform(String)])
  .transform(asPhase)
  .pipe(z.enum(phases))
