// The part of the frame that nothing covers: neither the edge of a screen nor what an app shows over a film.
import { z } from 'zod'
import { keysOf } from '#core/input/records.ts'

/** Fractions of the frame that are kept free at each side. */
export interface SafeMargins {
  readonly top: number
  readonly right: number
  readonly bottom: number
  readonly left: number
}

/**
 * `title` and `action`: SMPTE ST 2046-1. The others are what the apps show over a vertical film, rounded up from what
 * their guides for advertisers say.
 */
const named = {
  title: { top: 0.05, right: 0.05, bottom: 0.05, left: 0.05 },
  action: { top: 0.035, right: 0.035, bottom: 0.035, left: 0.035 },
  tiktok: { top: 0.12, right: 0.14, bottom: 0.26, left: 0.06 },
  reels: { top: 0.14, right: 0.06, bottom: 0.35, left: 0.06 },
  shorts: { top: 0.15, right: 0.18, bottom: 0.35, left: 0.05 },
} as const satisfies Record<string, SafeMargins>

export const safeAreaNames = keysOf(named)
const margin = z.number().min(0).max(0.45).default(0)

export const safeAreaSchema = z.union(
  [
    z.enum(safeAreaNames),
    z.strictObject({ top: margin, right: margin, bottom: margin, left: margin }),
  ],
  {
    error: `Set safeArea to one of ${safeAreaNames.join(', ')}, or to {"top": 0.1, "bottom": 0.2} with fractions of 0 to 0.45.`,
  },
)

export type SafeArea = z.output<typeof safeAreaSchema>

export const marginsOf = (area: SafeArea): SafeMargins =>
  typeof area === 'string' ? named[area] : area
