// {own_ns}/onefind-deep: fills the missing fields of people, and charges each field that it finds.
import { type Action, defineJob, type JobContext, z } from '#core/action.ts'
import { fail } from '#core/errors.ts'
import { centsToMicros, type Micros, microsToCents, microsToUsd, sumOf } from '#core/money.ts'
import { budgetPrice } from '#core/pricing/budget.ts'
import { onefindCents, peopleMax, purpose } from '../onefind.ts'
import type { OptOut } from '../opt-out.ts'
import { type Person, type PersonField, personFields } from '../person.ts'
import { refuseAddresses } from '../question.ts'
import type { DisclosureBook } from '../rights.ts'
import { type FilledRow, fillRow, missingReasons } from './fill-row.ts'
import { personInput, readPerson, rowsMax } from './intake.ts'
import { type Learning, rankSteps, type SourceCounts } from './learning.ts'
import { createAsking } from './paid-call.ts'
import { describeFieldPrices } from './prices.ts'
import { createReserve, type Reserve } from './reserve.ts'
import { fillSteps } from './steps.ts'

const budgetCents = { min: 10, max: 500, perRow: 16 } as const
const queryLimitDefault = 10
const rowsAtOnce = 4
const jobsAtOnceMax = 3
const timeoutMs = 20 * 60_000
/** Rows that have not begun by then are not tried, so that the job returns what it has. */
const beginningMs = 17 * 60_000
/**
 * What may be spent inside beyond what is charged, for searches that find nothing: by a job, and by an account's jobs
 * in two days.
 */
const uncoveredCents = { min: 20, max: 60, perAccount: 300 } as const

const inputSchema = z
  .strictObject({
    query: z
      .string()
      .trim()
      .min(2)
      .max(500)
      .optional()
      .describe('People to find first, as for onefind and for its price.'),
    limit: z
      .int()
      .min(1)
      .max(peopleMax)
      .optional()
      .describe('With query: people at most. Default 10.'),
    rows: z
      .array(personInput)
      .min(1)
      .max(rowsMax)
      .optional()
      .describe('People to fill, instead of query.'),
    fields: z
      .array(z.enum(personFields))
      .min(1)
      .transform((fields) => [...new Set(fields)])
      .default(['email'])
      .describe('What to find of each person, if it is not known.'),
    budgetCents: z
      .int()
      .min(budgetCents.min)
      .max(budgetCents.max)
      .optional()
      .describe('Held until the job ends. Default 16 per row, or max_cost_cents if that is less.'),
    purpose,
  })
  .refine(({ query, rows }) => (query === undefined) !== (rows === undefined), {
    message: 'Send exactly one of query and rows',
  })
  .refine(({ query, limit }) => limit === undefined || query !== undefined, {
    message: 'limit goes with query',
  })

type DeepFindInput = z.output<typeof inputSchema>

const text = z.string().nullable()
const perField = <Value extends z.ZodType>(value: Value) =>
  z.partialRecord(z.enum(personFields), value)

const rowSchema = z.object({
  name: text,
  title: text,
  company: text,
  location: text,
  linkedin: text,
  email: text,
  phone: text,
  enriched: z.boolean().describe('Whether a field was found.'),
  filled: z.array(z.enum(personFields)).describe('The fields that were found and charged.'),
  sources: perField(z.array(z.string())).describe('The actions that named each found field.'),
  confidence: perField(z.number()).describe('The chance that each found field is right, 0 to 1.'),
  verified: perField(z.boolean()).describe(
    'Whether each found field was verified: an e-mail address by its mail server, others by a second vendor.',
  ),
  missing: perField(z.enum(missingReasons)).describe('Why each other field is empty.'),
  error: z.literal('over budget').optional(),
  charged_cents: z.int(),
})

const outputSchema = z.object({
  rows: z.array(rowSchema),
  count: z.int(),
  filled_count: z.int().describe('Fields that were found and charged.'),
  search_cents: z.int().describe('For the search by query.'),
  spent_cents: z.int(),
  spent_usd: z.string(),
  budget_cents: z.int(),
  next: z.string().optional(),
})

export interface DeepFindDependencies {
  readonly learning: Learning
  readonly optOut: OptOut
  readonly disclosures: Pick<DisclosureBook, 'note'>
  readonly ownNamespace: string
}

export function createOnefindDeep(dependencies: DeepFindDependencies): Action {
  const deepAction = `${dependencies.ownNamespace}/onefind-deep`
  return defineJob('onefind-deep', {
    summary: 'Find e-mail addresses, phone numbers and other missing fields of up to fifty people.',
    notes: `A job: answers with a job_id, to be polled with result. Send rows (e-mail addresses, LinkedIn profiles, "name, company", or rows of onefind), or a query. Each missing field is looked for in one source after the other, the one with the best yield for its cost first. Addresses are verified, and a value is returned only if it is sure enough. Charged per field that is found: ${describeFieldPrices()}; a query costs ${onefindCents}¢ more. Fields that are not found are free. For people without contacts onefind is cheaper, and for one known profile ns_contact/linkedin-contacts answers at once.`,
    synonyms: [
      'enrich contacts',
      'find emails in bulk',
      'lead enrichment',
      'email waterfall',
      'contact enrichment',
      'fill missing contact data',
    ],
    questions: [
      'find the email addresses of these fifty people',
      'enrich my lead list with phone numbers',
      'get the CTOs of this company with verified emails',
    ],
    input: inputSchema,
    output: outputSchema,
    check({ query, rows }) {
      if (query !== undefined) refuseAddresses(query, deepAction)
      for (const row of rows ?? []) readPerson(row)
    },
    price: budgetPrice<DeepFindInput>({
      leastCents: budgetCents.min,
      atMostCents: budgetCents.max,
      statedCents: (input) => input.budgetCents,
      usualCents,
    }),
    example: { input: { rows: ['Jane Doe, example.com'] }, cents: 16 },
    jobsAtOnceMax,
    timeoutMs,
    run: (context) => findDeeply(context, dependencies),
  })
}

function usualCents({ query, rows, limit = queryLimitDefault }: DeepFindInput): number {
  const count = query === undefined ? (rows?.length ?? 0) : limit
  return count * budgetCents.perRow + (query === undefined ? 0 : onefindCents)
}

async function findDeeply(context: JobContext<DeepFindInput>, parts: DeepFindDependencies) {
  const { input, available, clock } = context
  const anySource = fillSteps.some(({ action }) => available(action, 'vendor'))
  if (!anySource) throw fail('provider_not_configured', { message: noSource })
  const beganAtMs = clock.now()
  const { people, searchMicros } = await choosePeople(context, parts)
  const budget = createReserve(centsToMicros(context.maxCents) - searchMicros)
  const advance = createReserve(await chooseAdvance(context, parts))
  const filled = await fillRows(people, { budget, advance, beganAtMs }, context, parts)
  const rows = people.map((person, at) =>
    toRow(person, filled[at] ?? untried(person, input.fields)),
  )
  const sold = rows.filter(({ enriched }) => enriched).map(toKnown)
  await parts.disclosures.note(sold, {
    action: `${parts.ownNamespace}/onefind-deep`,
    purpose: input.purpose,
  })
  const charged = sumOf(filled.map((row) => row?.charged ?? 0))
  const hasAnswer = filled.some((row) => row === undefined || row.trials.length > 0)
  const hasFailure = filled.some((row) => Object.values(row?.missing ?? {}).includes('failed'))
  if (charged + searchMicros === 0 && hasFailure && !hasAnswer)
    throw fail('upstream_error', { message: allFailed })
  const isShort = rows.some(({ error }) => error === 'over budget')
  return {
    rows,
    count: rows.length,
    filled_count: rows.reduce((sum, row) => sum + row.filled.length, 0),
    search_cents: microsToCents(searchMicros, 'up'),
    spent_cents: microsToCents(charged + searchMicros, 'up'),
    spent_usd: microsToUsd(charged + searchMicros),
    budget_cents: context.maxCents,
    ...(isShort ? { next: overBudget } : {}),
  }
}

const noSource =
  'This gateway has no source of contacts. Its operator can set a key for ns_email_a, ns_email_b or ns_contact. Nothing was charged.'
const allFailed = 'Every source failed. Nothing was charged; try again.'
const overBudget =
  'Fields with the reason "over budget" were not looked for. Send these rows again with a larger budgetCents.'

async function choosePeople(
  { input, call }: JobContext<DeepFindInput>,
  { ownNamespace }: DeepFindDependencies,
): Promise<{ people: readonly Person[]; searchMicros: Micros }> {
  const { query, rows = [], limit = queryLimitDefault } = input
  if (query === undefined) return { people: rows.map(readPerson), searchMicros: 0 }
  const { people } = await call(`${ownNamespace}/onefind`, { query, limit }, 'search')
  return { people: (people as Person[]).map(toKnown), searchMicros: centsToMicros(onefindCents) }
}

const toKnown = (
  found: {
    readonly [field in keyof Person]?: string | null | undefined
  },
): Person => {
  const known = [...personFields, 'location'] as const
  return Object.fromEntries(known.flatMap((field) => (found[field] ? [[field, found[field]]] : [])))
}

/** What the job may spend beyond its charges. It is decided once, because its own rows count for the account. */
async function chooseAdvance(
  { maxCents, caller, checkpoints, save }: JobContext<DeepFindInput>,
  { learning }: DeepFindDependencies,
): Promise<Micros> {
  const saved = checkpoints.get('advance')
  if (typeof saved === 'number') return saved
  const { min, max, perAccount } = uncoveredCents
  const ofJob = centsToMicros(Math.max(min, Math.min(max, maxCents)))
  const ofAccount = centsToMicros(perAccount) - (await learning.uncovered(caller.accountId))
  const advance = Math.max(0, Math.min(ofJob, ofAccount))
  await save('advance', advance)
  return advance
}

interface Reserves {
  readonly budget: Reserve
  readonly advance: Reserve
  readonly beganAtMs: number
}

async function fillRows(
  people: readonly Person[],
  reserves: Reserves,
  context: JobContext<DeepFindInput>,
  { learning, optOut }: DeepFindDependencies,
): Promise<readonly (FilledRow | undefined)[]> {
  const { input, caller, checkpoints, save, report, clock, available } = context
  const { budget, advance, beganAtMs } = reserves
  const filled = people.map((_, at) => checkpoints.get(`row ${at}`) as FilledRow | undefined)
  for (const row of filled.filter((each) => each !== undefined)) {
    ;(await budget.take(row.charged))?.settle(row.charged)
    advance.add(row.charged - row.spent)
  }
  const list = await optOut.current()
  const progress = () =>
    report({ phase: 'filling', done: filled.filter(Boolean).length, total: people.length })
  await progress()

  const waiting = people.entries()
  const fillers = Array.from({ length: Math.min(rowsAtOnce, people.length) }, async () => {
    for (const [at, person] of waiting) {
      if (filled[at] !== undefined || clock.now() - beganAtMs > beginningMs) continue
      const counts = await orderOf(at, context, learning)
      const row = await fillRow(person, input.fields, {
        budget,
        optOut: list,
        missed: learning.missed,
        ranking: rankSteps(counts, (id) => available(id, 'vendor')),
        ...createAsking(context, `row ${at}`, advance),
      })
      advance.add(row.charged)
      await learning.remember(row.misses)
      await learning.learn(row.trials)
      await learning.addUncovered(caller.accountId, row.spent - row.charged)
      await save(`row ${at}`, row)
      filled[at] = row
      await progress()
    }
  })
  await Promise.all(fillers)
  return filled
}

/** What was known of the sources when the row began. Another try at it asks them in the same order. */
async function orderOf(
  at: number,
  { checkpoints, save }: JobContext<DeepFindInput>,
  learning: Learning,
): Promise<readonly SourceCounts[]> {
  const name = `order ${at}`
  const saved = checkpoints.get(name) as readonly SourceCounts[] | undefined
  if (saved !== undefined) return saved
  const counts = await learning.counts()
  await save(name, counts)
  return counts
}

const untried = (person: Person, fields: readonly PersonField[]): FilledRow => ({
  values: {},
  sources: {},
  confidence: {},
  verified: {},
  charged: 0,
  spent: 0,
  trials: [],
  misses: [],
  missing: Object.fromEntries(
    fields.filter((field) => !person[field]).map((field) => [field, 'stopped' as const]),
  ),
})

function toRow(person: Person, row: FilledRow) {
  const { values, sources, confidence, verified, missing, charged, isSuppressed } = row
  const known: Person = isSuppressed ? {} : { ...person, ...values }
  const { name = null, title = null, company = null, location = null } = known
  const { linkedin = null, email = null, phone = null } = known
  const filled = personFields.filter((field) => values[field] !== undefined)
  const isShort = Object.values(missing).includes('over budget')
  return {
    name,
    title,
    company,
    location,
    linkedin,
    email,
    phone,
    enriched: filled.length > 0,
    filled,
    sources,
    confidence,
    verified,
    missing,
    ...(isShort ? { error: 'over budget' as const } : {}),
    charged_cents: microsToCents(charged, 'up'),
  }
}
