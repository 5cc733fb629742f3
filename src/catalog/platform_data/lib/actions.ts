// Turns a row of the table into an action: one vendor request, which runs an actor and waits for its rows.
import { type Action, defineAction, z } from '#core/action.ts'
import { splitId } from '#core/catalog.ts'
import { fail } from '#core/errors.ts'
import { membersOf } from '#core/input/members.ts'
import { path } from '#core/path.ts'
import { webAddress } from '../../lib/web-page.ts'
import { type RowType, readRow, rowSchema } from './rows/row-types.ts'
import type { IdentifierForm, PlatformRow } from './table-row.ts'

/** The operator's choice for an action: another actor, and the name of its limit. */
export interface ActorChoice {
  readonly actor: string
  readonly limitField?: string | undefined
}
export type ActorChoices = Readonly<Record<string, ActorChoice>>

/** The number of rows per cent. */
const rowsPerCent = 25
const rowsDefault = 25
const identifiersMax = 100
/** The longest run of an actor, in seconds. Most runs take ten to fifteen. */
const runSecondsMax = 90
/** The highest cost of a run to the operator, in dollars. It stops actors that charge by event. */
const chargeUsdPerRow = 0.01
const chargeUsdMin = 0.1

const text = z.string().trim().min(1).max(500)
const forms = {
  text,
  texts: z.array(text).min(1).max(identifiersMax),
  url: webAddress,
  urls: z.array(webAddress).min(1).max(identifiersMax),
  urlObjects: z
    .array(z.strictObject({ url: webAddress }))
    .min(1)
    .max(identifiersMax),
} as const satisfies Record<IdentifierForm, z.ZodType>

export function createPlatformAction(row: PlatformRow, choice?: ActorChoice): Action {
  const { id, summary, notes, synonyms, questions, identifier, optional, rowsMax } = row
  const actor = choice?.actor ?? row.actor
  const input = z.strictObject({
    [identifier]: forms[row.form].describe(row.describe),
    ...(optional && {
      [optional.name]: (optional.name.endsWith('s') ? forms.texts : text)
        .optional()
        .describe(optional.describe),
    }),
    maxItems: z
      .int()
      .min(1)
      .max(rowsMax)
      .default(rowsDefault)
      .describe('Rows at most; sets the price, also where fewer come.'),
  })
  return defineAction(splitId(id)[1], {
    summary,
    notes,
    synonyms,
    questions,
    ...(actor === undefined && {
      unavailable: `Name an actor for ${id} in PLATFORM_ACTORS and restart.`,
    }),
    timeoutMs: (runSecondsMax + 20) * 1_000,
    input,
    output: outputOf(row),
    price: {
      cents: 1,
      per: (asked) => Math.ceil(Number(asked.maxItems) / rowsPerCent),
      unit: `${rowsPerCent} rows`,
      atMost: Math.ceil(rowsMax / rowsPerCent),
    },
    example: { input: { [identifier]: row.example, maxItems: 2 } as never, cents: 1 },
    async run({ input: asked, http }) {
      if (actor === undefined) throw fail('provider_not_configured')
      const { maxItems: wanted, ...identifiers } = membersOf(asked)
      const maxItems = Number(wanted)
      const { body } = await http.send({
        method: 'POST',
        path: path`/acts/${actor.replace('/', '~')}/run-sync-get-dataset-items`,
        query: {
          format: 'json',
          clean: true,
          timeout: runSecondsMax,
          maxItems,
          maxTotalChargeUsd: Math.max(chargeUsdMin, chargeUsdPerRow * maxItems),
        },
        body: {
          ...row.fixed,
          ...identifiers,
          ...(choice === undefined && takenBy(row, identifiers[identifier])),
          ...limitOf(row, choice, maxItems, identifiers[identifier]),
        },
      })
      // maxItems bounds the charge of every actor, but not the rows that some return.
      const rows = Array.isArray(body) ? body.slice(0, maxItems) : body
      return {
        rows,
        ...(row.rows && Array.isArray(rows) && { items: readItems(row.rows, rows) }),
        row_count: rows?.length,
        requested: maxItems,
      }
    },
  })
}

function outputOf({ rows }: PlatformRow) {
  const schemas = rows === undefined ? [] : [rowSchema(rows)]
  // Actors of forums give comments among the posts.
  const [only, ...more] = rows === 'post' ? [...schemas, rowSchema('comment')] : schemas
  const item = only && (more.length === 0 ? only : z.union([only, ...more]))
  return z.looseObject({
    rows: z.array(z.looseObject({})).describe('As the actor gives them.'),
    ...(item && {
      items: z
        .array(item)
        .optional()
        .describe('The same rows, read: items[0] is rows[0]. Alike for all platforms and actors.'),
    }),
    row_count: z.int().describe('Rows that the actor gave.'),
    requested: z.int().describe('The maxItems that was paid for.'),
  })
}

/** What is not an object is left out of the rows too, so both lists stay side by side. */
const readItems = (type: RowType, rows: readonly { readonly dataType?: unknown }[]) =>
  rows
    .filter((raw) => typeof raw === 'object' && raw !== null)
    .map((raw) => readRow(type === 'post' && raw.dataType === 'comment' ? 'comment' : type, raw))

/** The identifier in the actor's own words, instead of the caller's. */
function takenBy({ identifier, actorTakes }: PlatformRow, value: unknown) {
  if (actorTakes === undefined) return {}
  const { field, form } = actorTakes
  const values = [value].flat()
  return {
    [identifier]: undefined,
    [field]: form === 'urlObjects' ? values.map((url) => ({ url })) : value,
  }
}

/** The actor's own limit. If it applies to each identifier, the requested rows are divided among them. */
function limitOf(
  { limit }: PlatformRow,
  choice: ActorChoice | undefined,
  maxItems: number,
  identifier: unknown,
): Record<string, number> {
  const field = choice?.limitField ?? limit?.field
  if (field === undefined) return {}
  const shares = limit?.each && Array.isArray(identifier) ? identifier.length : 1
  return { [field]: Math.max(limit?.least ?? 1, Math.ceil(maxItems / shares)) }
}
