// Parameters and fields of all lists of OpenAlex: pages by number up to a limit, pages by cursor beyond it.
import { z } from '#core/action.ts'

const perPage = z.int().min(1).max(50).default(25).describe('Results to return, at most 50.')

/** OpenAlex numbers pages only up to this result. */
export const resultsMax = 10_000

/** Fields of OpenAlex, comma-separated. */
export const select = z
  .string()
  .trim()
  .max(1_000)
  .regex(/^[a-z0-9_]+(\s*,\s*[a-z0-9_]+)*$/, 'must be fields, comma-separated, as in id,doi,title')
  .optional()
  .describe(
    'Fields to return, comma-separated; all by default. An abstract that is not selected is null.',
  )

export const listFields = {
  filter: z
    .string()
    .trim()
    .min(1)
    .max(4_000)
    .optional()
    .describe('Filters of OpenAlex: name:value, comma-separated.'),
  per_page: perPage,
  page: z.int().min(1).max(resultsMax).default(1).describe('Page of the list, from 1.'),
  cursor: z
    .string()
    .trim()
    .min(1)
    .max(2_000)
    .optional()
    .describe('Instead of page, beyond 10 000 results: * at first, then next_cursor.'),
  sort: z
    .string()
    .trim()
    .max(200)
    .regex(
      /^[a-z0-9_.]+(:(asc|desc))?$/,
      'must be a field, with :desc or not, as in cited_by_count:desc',
    )
    .optional()
    .describe('Order: cited_by_count:desc, publication_date:desc, display_name.'),
  select,
}

export const pageFields = {
  page: z.int().nullable().describe('Null where a cursor was sent.'),
  next_page: z.int().nullable().describe('The page to ask for next; null on the last.'),
  next_cursor: z.string().nullable().describe('The cursor to send next; null without one.'),
}

export interface ListQuestion {
  readonly search?: string | undefined
  readonly filter?: string | undefined
  readonly per_page: number
  readonly page: number
  readonly cursor?: string | undefined
  readonly sort?: string | undefined
  readonly select?: string | undefined
}

export const pageIsReachable = ({ page, per_page, cursor }: ListQuestion) =>
  cursor !== undefined || page * per_page <= resultsMax
export const unreachable = {
  path: ['page'],
  message: `must leave page times per_page at or below ${resultsMax}. Send cursor to go further`,
}
