// Fills the missing fields of one person: asks one source after the other, until a value is sure enough.

import { entriesOf, keysOf } from '#core/input/records.ts'
import { type Micros, sumOf } from '#core/money.ts'
import type { UntypedJson } from '#core/replies/untyped-json.ts'
import type { OptOutList } from '../opt-out.ts'
import type { Person, PersonField } from '../person.ts'
import { addressOdds, confidenceOf, factOdds, factsMost, oddsNeeded, oddsOf } from './confidence.ts'
import { digestOf, type Ranking, type Trial } from './learning.ts'
import { createNamedValues, type NamedValues } from './named-values.ts'
import { fieldMicros } from './prices.ts'
import type { Reserve } from './reserve.ts'
import type { FillStep, PersonRecord } from './steps.ts'
import type { MailVerdict } from './verify.ts'

/** Why a field stays empty. */
export const missingReasons = [
  'not found',
  'unconfirmed',
  'over budget',
  'failed',
  'stopped',
] as const
export type MissingReason = (typeof missingReasons)[number]

/** What was paid inside for an answer, or why there is none. */
export type Reply<Data> =
  | { readonly data: Data; readonly spent: Micros }
  | { readonly reason: 'failed' | 'stopped' | 'opted out'; readonly spent: Micros }

export interface RowTools {
  readonly ranking: Ranking
  readonly budget: Reserve
  readonly optOut: OptOutList
  /** Asks the step's action, and polls it. */
  ask(step: FillStep, input: object): Promise<Reply<UntypedJson>>
  verify(email: string): Promise<Reply<MailVerdict>>
  missed(digest: string): Promise<boolean>
}

export interface FilledRow {
  readonly values: { readonly [field in PersonField]?: string }
  /** The actions that named each value. */
  readonly sources: { readonly [field in PersonField]?: readonly string[] }
  /** The chance that each value is right. */
  readonly confidence: { readonly [field in PersonField]?: number }
  /** Whether each value was verified: an address by its mail server, another value by a second vendor. */
  readonly verified: { readonly [field in PersonField]?: boolean }
  readonly missing: { readonly [field in PersonField]?: MissingReason }
  /** The person is on the list of those who are not to be found. */
  readonly isSuppressed?: true
  readonly charged: Micros
  readonly spent: Micros
  readonly trials: readonly Trial[]
  /** Digests of questions that led to nothing. */
  readonly misses: readonly string[]
}

/** Of one answer, for an address is verified before it counts. */
const candidatesMax = 2

/** A field that helps to find the next ones comes first. */
const order: readonly PersonField[] = ['linkedin', 'name', 'company', 'title', 'email', 'phone']

export async function fillRow(
  person: Person,
  wanted: readonly PersonField[],
  tools: RowTools,
): Promise<FilledRow> {
  const row = createRow(person, tools)
  const fields = order.filter((field) => wanted.includes(field) && !person[field])
  for (const field of fields) {
    const share = await tools.budget.take(fieldMicros(field))
    if (share === undefined) {
      row.missing[field] = 'over budget'
      continue
    }
    const reason = await seek(field, row, tools)
    share.settle(reason === undefined ? fieldMicros(field) : 0)
    if (reason !== undefined) row.missing[field] = reason
  }
  return describeRow(row, fields, tools)
}

interface Tried {
  readonly step: FillStep
  /** The field that it was asked for. */
  readonly field: PersonField
  readonly digest: string
  spent: Micros
  outcome: 'answered' | 'failed' | 'known miss'
}

interface Row {
  person: Person
  readonly pools: Readonly<Record<PersonField, NamedValues>>
  readonly values: { [field in PersonField]?: string }
  readonly sources: { [field in PersonField]?: readonly string[] }
  readonly confidence: { [field in PersonField]?: number }
  readonly verified: { [field in PersonField]?: boolean }
  readonly missing: { [field in PersonField]?: MissingReason }
  readonly tried: Map<string, Tried>
  /** The person is on the list of those who are not to be found. */
  isSuppressed: boolean
}

function createRow(person: Person, { optOut }: RowTools): Row {
  const pools = Object.fromEntries(order.map((field) => [field, createNamedValues(field)]))
  return {
    person,
    pools: pools as Row['pools'],
    values: {},
    sources: {},
    confidence: {},
    verified: {},
    missing: {},
    tried: new Map(),
    isSuppressed: optOut.has(person),
  }
}

/** Why the field was not found; undefined if it was. */
async function seek(
  field: PersonField,
  row: Row,
  tools: RowTools,
): Promise<MissingReason | undefined> {
  const pool = row.pools[field]
  let trouble: Trouble
  while (!row.isSuppressed) {
    if (field === 'email') trouble = (await verifyCandidates(row, tools)) ?? trouble
    const found = pool.accepted()
    if (found !== undefined) {
      row.person = { ...row.person, [field]: found.value }
      row.isSuppressed = tools.optOut.has(row.person)
      if (row.isSuppressed) break
      row.values[field] = found.value
      row.sources[field] = found.actions
      row.confidence[field] = confidenceOf(found.odds)
      row.verified[field] = found.isVerified
      return undefined
    }
    const next = trouble === 'stopped' ? undefined : nextStep(field, row, tools)
    if (next === undefined) return trouble ?? (pool.all().length > 0 ? 'unconfirmed' : 'not found')
    trouble = (await askStep(next, field, row, tools)) ?? trouble
  }
  return 'not found'
}

type Trouble = 'failed' | 'stopped' | undefined

interface NextStep {
  readonly step: FillStep
  readonly input: object
}

/** The best step that was not asked yet. Undefined if not even all of them together could make a value sure enough. */
function nextStep(field: PersonField, row: Row, { ranking }: RowTools): NextStep | undefined {
  const left = ranking.stepsFor(field).flatMap((step) => {
    const input = row.tried.has(step.id) ? undefined : step.input(row.person)
    return input === undefined ? [] : [{ step, input }]
  })
  const together = left.reduce(
    (odds, { step }) => odds * oddsOf(ranking.trust(step, field)),
    Math.max(row.pools[field].reach(), factsMost[field]),
  )
  return together < oddsNeeded ? undefined : left[0]
}

async function askStep(
  { step, input }: NextStep,
  field: PersonField,
  row: Row,
  tools: RowTools,
): Promise<Trouble> {
  const digest = digestOf(step, field, input)
  const tried: Tried = { step, field, digest, spent: 0, outcome: 'known miss' }
  row.tried.set(step.id, tried)
  if (await tools.missed(digest)) return undefined
  const asked = await tools.ask(step, input)
  tried.spent += asked.spent
  tried.outcome = 'reason' in asked ? 'failed' : 'answered'
  if ('reason' in asked) return troubleOf(asked.reason, row)
  takeIn(step.read(asked.data, row.person), { step, input }, row, tools)
  return undefined
}

/** Adds what a source says to the candidates. */
function takeIn(record: PersonRecord, { step, input }: NextStep, row: Row, tools: RowTools): void {
  const { person } = row
  row.isSuppressed ||= tools.optOut.has({ ...person, ...firstOf(record) })
  const facts = factOdds(record, person, sentFields(input))
  for (const [field, values] of entriesOf(record)) {
    for (const value of values.slice(0, candidatesMax)) {
      const ofAddress = field === 'email' ? addressOdds(value, person) : 1
      const odds = oddsOf(tools.ranking.trust(step, field))
      row.pools[field].add(value, { action: step.action, odds, facts: facts * ofAddress })
    }
  }
}

const firstOf = (record: PersonRecord): Person =>
  Object.fromEntries(Object.entries(record).map(([field, [value]]) => [field, value]))

/** What the source was told, and may only repeat. */
function sentFields(input: object): readonly PersonField[] {
  const names = Object.keys(input).join(' ')
  return [
    ...(/name/.test(names) ? (['name'] as const) : []),
    ...(/company|domain/i.test(names) ? (['company'] as const) : []),
  ]
}

/** Verifies addresses until one is sure enough, and none that even a good verdict would not make so. */
async function verifyCandidates(row: Row, tools: RowTools): Promise<Trouble> {
  const pool = row.pools.email
  while (pool.accepted() === undefined) {
    const candidate = pool.worthVerifying()
    if (candidate === undefined) return undefined
    const asked = await tools.verify(candidate.value)
    const tried = [...row.tried.values()].find(({ step }) => step.action === candidate.actions[0])
    if (tried !== undefined) tried.spent += asked.spent
    if ('reason' in asked) return troubleOf(asked.reason, row)
    candidate.verdict = asked.data
  }
  return undefined
}

function troubleOf(reason: 'failed' | 'stopped' | 'opted out', row: Row): Trouble {
  if (reason !== 'opted out') return reason
  row.isSuppressed = true
  return undefined
}

function describeRow(row: Row, fields: readonly PersonField[], { budget }: RowTools): FilledRow {
  const charged = sumOf(keysOf(row.values).map(fieldMicros))
  const spent = sumOf([...row.tried.values()].map((tried) => tried.spent))
  const trials = [...row.tried.values()].flatMap((tried) => toTrial(tried, row))
  if (row.isSuppressed) {
    // Fields were charged before it turned out who the person is.
    budget.add(charged)
    const missing = Object.fromEntries(fields.map((field) => [field, 'not found' as const]))
    const nothing = {
      values: {},
      sources: {},
      confidence: {},
      verified: {},
      charged: 0,
      misses: [],
    }
    return { ...nothing, missing, isSuppressed: true, spent, trials }
  }
  const misses = [...row.tried.values()]
    .filter(
      ({ step, field, outcome }) =>
        outcome !== 'failed' && !row.sources[field]?.includes(step.action),
    )
    .map(({ digest }) => digest)
  const { values, sources, confidence, verified, missing } = row
  return { values, sources, confidence, verified, missing, charged, spent, trials, misses }
}

function toTrial({ step, field, spent, outcome }: Tried, row: Row): readonly Trial[] {
  if (outcome !== 'answered') return []
  const trial = { step: step.id, field, spent }
  const named = row.pools[field].all().filter(({ actions }) => actions.includes(step.action))
  const accepted = row.sources[field]
  if (accepted?.includes(step.action)) {
    const isConfirmed = accepted.length > 1 || named.some(({ verdict }) => verdict === 'valid')
    return [{ ...trial, outcome: isConfirmed ? 'confirmed' : 'filled' }]
  }
  // A person may have several addresses. Of other fields one value is right, so among several at least one is wrong.
  const isRefused =
    field === 'email'
      ? named.some(({ verdict }) => verdict === 'invalid')
      : row.pools[field].all().length > 1
  return [{ ...trial, outcome: named.length > 0 && isRefused ? 'refused' : 'nothing' }]
}
