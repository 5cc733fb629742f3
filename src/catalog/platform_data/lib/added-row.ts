// A row of the operator's file: another actor for an action of the table, or a new action.

import { z } from '#core/action.ts'
import { splitId } from '#core/catalog.ts'
import type { ActorChoices } from './actions.ts'
import { platformTable } from './table.ts'
import type { PlatformRow } from './table-row.ts'

const actor = z.string().regex(/^[\w.-]+\/[\w.-]+$/, 'must be an actor, written user/actor')
const sentence = z.string().min(10).max(300)
const rowsMaxMost = 10_000
const needed = ['summary', 'identifier', 'form', 'describe', 'example'] as const

export const addedPlatformRow = z.preprocess(
  (written) => (typeof written === 'string' ? { actor: written } : written),
  z.strictObject({
    actor,
    limit_field: z.string().min(1).max(100).optional(),
    limit_each: z.boolean().default(false),
    title: z.string().min(1).max(60).optional(),
    summary: sentence.optional(),
    notes: sentence.optional(),
    synonyms: z.array(z.string().min(2).max(60)).max(50).default([]),
    questions: z.array(z.string().min(5).max(200)).max(20).default([]),
    identifier: z
      .string()
      .regex(/^[A-Za-z_]\w{0,60}$/, 'must be the name of a parameter')
      .refine((own) => own !== 'maxItems', 'must not be maxItems')
      .optional(),
    form: z.enum(['text', 'texts', 'url', 'urls', 'urlObjects']).optional(),
    describe: z.string().min(2).max(300).optional(),
    fixed: z.record(z.string(), z.unknown()).optional(),
    rows_max: z.int().min(1).max(rowsMaxMost).default(1_000),
    example: z.unknown().optional(),
  }),
)
type AddedRow = z.output<typeof addedPlatformRow>
export type AddedRows = Readonly<Record<string, AddedRow>>

const isInTable = (id: string) => platformTable.some((row) => row.id === id)

/** The fields that are missing in a new row, or superfluous in a row that only chooses an actor. */
export function* findRowProblems(id: string, row: AddedRow) {
  const [platform] = splitId(id)
  if (/^ns_|^scraping$|^unblock$/.test(platform))
    yield ['actor', `is for a platform, and ${platform} is a namespace of the gateway`] as const
  for (const field of needed) {
    const isThere = row[field] !== undefined
    if (isInTable(id) && isThere)
      yield [
        field,
        `is set by the gateway for ${id}: only actor and limit_field are yours`,
      ] as const
    if (!isInTable(id) && !isThere) yield [field, `is needed: the gateway has no ${id}`] as const
  }
}

export function readAddedRows(added: AddedRows) {
  const choices: Record<string, ActorChoices[string]> = {}
  const rows: PlatformRow[] = []
  const titles: Record<string, string> = {}
  for (const [id, row] of Object.entries(added)) {
    if (isInTable(id)) choices[id] = { actor: row.actor, limitField: row.limit_field }
    else {
      rows.push(asTableRow(id, row))
      if (row.title !== undefined) titles[splitId(id)[0]] = row.title
    }
  }
  return { choices, rows, titles }
}

function asTableRow(id: string, row: AddedRow): PlatformRow {
  const { summary = '', identifier = '', form = 'text', describe = '', limit_field: field } = row
  return {
    id,
    summary,
    notes:
      row.notes ?? 'An action of this gateway’s operator. For other pages use scraping/scrape.',
    synonyms: row.synonyms,
    questions: row.questions,
    identifier,
    form,
    describe,
    actor: row.actor,
    ...(field && { limit: { field, ...(row.limit_each && { each: true as const }) } }),
    ...(row.fixed && { fixed: row.fixed }),
    rowsMax: row.rows_max,
    example: row.example,
  }
}
