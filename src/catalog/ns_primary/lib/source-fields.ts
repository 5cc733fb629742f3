// Parameters and fields of rows that several sources share.
import { z } from '#core/action.ts'

/** Values of a row that a source may leave out. */
export const text = z
  .string()
  .nullish()
  .transform((value) => value || null)
export const figure = z
  .union([z.number(), z.string()])
  .nullish()
  .transform((value) => {
    const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
    return typeof number === 'number' && Number.isFinite(number) ? number : null
  })
export const flag = z
  .boolean()
  .nullish()
  .transform((value) => value ?? null)
export const texts = z
  .array(z.unknown())
  .nullish()
  .transform((values) =>
    (values ?? []).filter((value): value is string => typeof value === 'string' && value !== ''),
  )
/** What makes a row a row: without it the row is left out. */
export const needed = z.string().min(1)

/** A value of a series. */
export const observation = z.object({
  date: needed.describe('Day or period of the value.'),
  value: z.number().describe('The value, in the unit of the series.'),
})

export const words = z.string().trim().min(1).max(200)
export const day = z.iso.date('must be a day: 2026-01-31')
export const rowsUpTo = (most: number, usually: number) => z.int().min(1).max(most).default(usually)
export const pageNumber = z.int().min(1).max(1_000).default(1).describe('Page, from 1.')
export const code = (pattern: RegExp, form: string) =>
  z.string().trim().toUpperCase().regex(pattern, `must be ${form}`)
export const usState = code(/^[A-Z]{2}$/, 'the two letters of a state: TX').describe(
  'US state, by its two letters: TX.',
)
