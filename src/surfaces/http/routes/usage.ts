// /api/v1/usage: what the calls of an account have cost, by day, service, action or key.
import type { FastifyInstance } from 'fastify'
import { z } from '#core/action.ts'
import { ownerOf } from '#core/caller.ts'
import { fail } from '#core/errors.ts'
import type { SummedUsage, UsageRow, UsageSums } from '#runner/history/usage.ts'
import { addRoute } from '../../doors/add-route.ts'
import { showAmount } from '../../doors/input.ts'
import { defineRoute } from '../../doors/route.ts'
import { integer, list, object, objectWith, text, textOrNull } from '../../doors/shapes.ts'

const dayMs = 86_400_000
const daysShown = 30
const daysMax = 366
const rowsMax = 10_000
const timeZone = /^(UTC|[A-Za-z_]+(\/[A-Za-z0-9_+-]+){1,2})$/

export const periodFields = {
  from: z.iso.datetime({ offset: true }).optional(),
  until: z.iso.datetime({ offset: true }).optional(),
  time_zone: z
    .string()
    .max(50)
    .regex(timeZone, 'must be a name such as Europe/Berlin, or UTC')
    .default('UTC')
    .describe('In which days begin and end.'),
}

/** A list of groups in one parameter: `by=day,action`. */
export function groupsOf<const Group extends string>(names: readonly Group[]) {
  const name = z.enum(names)
  return z
    .string()
    .default('day')
    .transform((text) => [...new Set(text.split(','))])
    .pipe(z.array(name).min(1).max(names.length))
    .describe(
      `What the rows are summed by: ${names.join(', ')}, or several with commas between them.`,
    )
}

const usageQuery = z.strictObject({
  ...periodFields,
  by: groupsOf(['day', 'service', 'action', 'key']),
  key_id: z.uuid().optional().describe('Only calls of this API key.'),
})

export const revenueQuery = z.strictObject({
  ...periodFields,
  by: groupsOf(['day', 'service', 'action', 'error']),
})

/** Throws `bad_request` for a time that is empty or too long. */
export function readUsageQuery<By>(query: {
  from?: string | undefined
  until?: string | undefined
  time_zone: string
  by: By
}) {
  const until = query.until === undefined ? new Date() : new Date(query.until)
  const from =
    query.from === undefined ? new Date(until.getTime() - daysShown * dayMs) : new Date(query.from)
  if (from >= until || until.getTime() - from.getTime() > daysMax * dayMs) {
    throw fail('bad_request', { message: `from must be before until, by at most ${daysMax} days.` })
  }
  const { by, time_zone: timeZone } = query
  return { from, until, timeZone, by, limit: rowsMax + 1 }
}

export const tooManyRows = () =>
  fail('bad_request', {
    message: `The answer would have more than ${rowsMax} rows. Ask for fewer days or fewer groups.`,
  })

/** The rows and their sum. Throws `bad_request` when there are too many. */
export function showUsage(
  timeZone: string,
  { from, until, rows }: SummedUsage,
  show: (row: UsageRow) => object,
) {
  if (rows.length > rowsMax) throw tooManyRows()
  return { from, until, time_zone: timeZone, rows: rows.map(show), total: show(totalOf(rows)) }
}

function totalOf(rows: readonly UsageRow[]): UsageRow {
  const sum = (
    field: 'calls' | 'failedCalls' | 'charged' | 'refunded' | 'cost' | 'callsWithKnownCost',
  ) => rows.reduce((all, row) => all + row[field], 0)
  return {
    calls: sum('calls'),
    failedCalls: sum('failedCalls'),
    charged: sum('charged'),
    refunded: sum('refunded'),
    cost: sum('cost'),
    callsWithKnownCost: sum('callsWithKnownCost'),
  }
}

export function showUsageRow({ day, service, action, key, error, ...row }: UsageRow) {
  return {
    ...(day === undefined ? {} : { day }),
    ...(service === undefined ? {} : { service }),
    ...(action === undefined ? {} : { action }),
    ...(key === undefined ? {} : { key_id: key }),
    ...(error === undefined ? {} : { error: error === '' ? null : error }),
    calls: row.calls,
    failed_calls: row.failedCalls,
    ...showAmount('charged', row.charged, 'up'),
    ...showAmount('refunded', row.refunded, 'down'),
  }
}

export const usageFields = {
  calls: integer,
  failed_calls: integer,
  charged_cents: integer,
  charged_usd: text,
  refunded_cents: integer,
  refunded_usd: text,
}
/** What a row of sums is about. */
export const usageGroups = {
  day: text,
  service: text,
  action: text,
  key_id: textOrNull,
  error: textOrNull,
}
const usageRow = objectWith(usageFields, usageGroups)

export const readUsage = defineRoute({
  method: 'get',
  path: '/api/v1/usage',
  who: 'owner',
  summary:
    'What calls have cost: sums of the calls that began in a time and have ended, by day, service, action or key.',
  query: usageQuery,
  answer: object({
    from: text,
    until: text,
    time_zone: text,
    rows: list(usageRow),
    total: object(usageFields),
  }),
  errors: ['bad_request'],
})

export function addUsageRoutes(
  server: FastifyInstance,
  { usage }: { usage: Pick<UsageSums, 'ofAccount'> },
) {
  addRoute(server, readUsage, async ({ caller, query: { key_id: keyId, ...parameters } }) => {
    const query = readUsageQuery(parameters)
    const summed = await usage.ofAccount(ownerOf(caller), { ...query, keyId })
    return showUsage(query.timeZone, summed, showUsageRow)
  })
}
