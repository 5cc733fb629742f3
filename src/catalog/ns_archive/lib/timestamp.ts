import { z } from '#core/action.ts'
import { normalizeUrl, urlCharactersMax } from '#core/web-address.ts'

/** A moment as the archive writes it, or the beginning of one: 2019, 201907, 20190704093000. */
export const timestamp = z
  .string()
  .trim()
  .regex(/^\d{4}(\d{2}){0,5}$/, 'must be the beginning of YYYYMMDDhhmmss')

export const pageUrl = z
  .string()
  .trim()
  .min(1)
  .max(urlCharactersMax)
  .describe('Address of the page; bare hosts are accepted.')

/** The address as the archive looks it up. Throws `bad_url`. */
export const asAddress = normalizeUrl

export const replayUrl = (moment: string, url: string) =>
  `https://web.archive.org/web/${moment}/${url}`
