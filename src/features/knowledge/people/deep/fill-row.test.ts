// Three hundred people, and vendors that lie: how much of what is filled is right, and what finding it costs.
import { expect, test } from 'vitest'
import { centsToMicros, sumOf } from '#core/money.ts'
import { parseOptOut } from '../opt-out.ts'
import { contextOf } from '../people-context.fixture.ts'
import { emailKey, type Person, type PersonField, personFields } from '../person.ts'
import { type FilledRow, fillRow } from './fill-row.ts'
import { addUp, rankSteps, type SourceCounts, type Trial } from './learning.ts'
import { createAsking } from './paid-call.ts'
import { fieldMicros } from './prices.ts'
import { createReserve } from './reserve.ts'
import type { FillStep } from './steps.ts'
import { createWorld, type Rates, type TruePerson, usualRates } from './synthetic-people.fixture.ts'

const peopleCount = 300
const precisionMin = 0.97
const hindsightMax = 1.15
const available = () => true

/** In three forms, as callers send them. */
function knownOf({ at, name, company, domain, linkedin }: TruePerson): Person {
  if (at % 3 === 0) return { linkedin }
  return at % 3 === 1 ? { name, domain } : { name, company, linkedin }
}

/** Counts as the database keeps them, without their fading. */
function createCounts() {
  const totals = new Map<string, SourceCounts>()
  return {
    learn(trials: readonly Trial[]) {
      for (const { spent_cents: spentCents, ...row } of addUp(trials)) {
        const key = `${row.step} ${row.field}`
        const known = totals.get(key)
        totals.set(key, {
          ...row,
          fills: row.fills + (known?.fills ?? 0),
          confirmations: row.confirmations + (known?.confirmations ?? 0),
          refusals: row.refusals + (known?.refusals ?? 0),
          spentCents: spentCents + (known?.spentCents ?? 0),
        })
      }
    },
    counts: () => [...totals.values()],
  }
}

async function fillAll(
  world: ReturnType<typeof createWorld>,
  fields: readonly PersonField[],
  options: { order?: readonly FillStep[]; knownOf?: (person: TruePerson) => Person } = {},
) {
  const learnt = createCounts()
  const rows: FilledRow[] = []
  for (const person of world.people) {
    const context = contextOf({}, { vendors: world.vendors })
    const { stepsFor, trust } = rankSteps(learnt.counts(), available)
    const row = await fillRow((options.knownOf ?? knownOf)(person), fields, {
      ranking: { trust, stepsFor: options.order ? () => options.order ?? [] : stepsFor },
      budget: createReserve(centsToMicros(1_000)),
      optOut: parseOptOut(''),
      missed: async () => false,
      ...createAsking(context, `row ${person.at}`, createReserve(centsToMicros(1_000))),
    })
    expect(row.spent).toBe(sumOf(context.calls.map(({ charged }) => charged)))
    expect(row.charged).toBe(sumOf((Object.keys(row.values) as PersonField[]).map(fieldMicros)))
    learnt.learn(row.trials)
    rows.push(row)
  }
  return { rows, spentCents: sumOf(rows.map(({ spent }) => spent)) / centsToMicros(1) }
}

const isRight = (field: PersonField, value: string, person: TruePerson) =>
  field === 'email' ? emailKey(value) === person.email : value === person[field]

function precisionOf(rows: readonly FilledRow[], people: readonly TruePerson[]) {
  const filled = rows.flatMap(({ values }, at) =>
    Object.entries(values).map(([field, value]) =>
      isRight(field as PersonField, value, people[at] as TruePerson),
    ),
  )
  return { filled: filled.length, right: filled.filter(Boolean).length / filled.length }
}

test.each([1, 2, 3])('seed %d: nearly all addresses that are filled are right', async (seed) => {
  const world = createWorld(seed, peopleCount)
  const { rows } = await fillAll(world, ['email'])
  const { filled, right } = precisionOf(rows, world.people)
  expect(filled).toBeGreaterThan(peopleCount / 2)
  expect(right).toBeGreaterThanOrEqual(precisionMin)
})

test('the confidence of a value says how many such values are right', async () => {
  const world = createWorld(8, peopleCount)
  const { rows } = await fillAll(world, ['email', 'title'])
  const found = rows.flatMap(({ values, confidence, verified }, at) => {
    const fields = Object.keys(values) as PersonField[]
    expect([Object.keys(confidence), Object.keys(verified)]).toEqual([fields, fields])
    return fields.map((field) => ({
      isRight: isRight(field, values[field] ?? '', world.people[at] as TruePerson),
      confidence: confidence[field] ?? 0,
      isVerified: verified[field] === true,
    }))
  })
  const meanOf = (numbers: readonly number[]) => sumOf(numbers) / numbers.length
  const shareRight = (some: typeof found) => meanOf(some.map((each) => Number(each.isRight)))
  expect(Math.min(...found.map(({ confidence }) => confidence))).toBeGreaterThanOrEqual(0.97)
  expect(Math.max(...found.map(({ confidence }) => confidence))).toBeLessThan(1)
  const promised = meanOf(found.map(({ confidence }) => confidence))
  expect(Math.abs(promised - shareRight(found))).toBeLessThan(0.03)
  const verified = found.filter(({ isVerified }) => isVerified)
  expect(verified.length).toBeGreaterThan(50)
  expect(verified.length).toBeLessThan(found.length)
  expect(shareRight(verified)).toBeGreaterThanOrEqual(precisionMin)
})

test('of people with a profile or an e-mail address, nearly all filled fields are right', async () => {
  const world = createWorld(4, peopleCount)
  const { rows } = await fillAll(world, personFields, {
    knownOf: (person) =>
      person.at % 2 === 0 ? { email: person.email } : { name: person.name, domain: person.domain },
  })
  const { filled, right } = precisionOf(rows, world.people)
  expect(filled).toBeGreaterThan(peopleCount)
  expect(right).toBeGreaterThanOrEqual(precisionMin)
})

function permutationsOf<Value>(list: readonly Value[]): (readonly Value[])[] {
  return list.length < 2
    ? [list]
    : list.flatMap((first, at) =>
        permutationsOf(list.toSpliced(at, 1)).map((rest) => [first, ...rest]),
      )
}

/** What this gateway expects of its sources before it has asked them is wrong. */
const liar: Rates = { ...usualRates, 'email-finder': { known: 0.9, lies: 0.85 } }

test.each([
  ['usual vendors', 5, usualRates],
  ['a liar that is asked first', 6, liar],
] as const)(
  'with %s, what is learnt costs little more than the best order in hindsight',
  async (_, seed, rates) => {
    const world = createWorld(seed, peopleCount, rates)
    const learnt = await fillAll(world, ['email'])
    const steps = rankSteps([], available).stepsFor('email')
    const costs: number[] = []
    for (const order of permutationsOf(steps)) {
      const fixed = await fillAll(world, ['email'], { order })
      costs.push(fixed.spentCents)
    }
    expect(costs).toHaveLength(24)
    expect(learnt.spentCents).toBeLessThanOrEqual(hindsightMax * Math.min(...costs))
    const [unlearnt = 0] = costs
    if (rates === liar) expect(learnt.spentCents).toBeLessThan(0.9 * unlearnt)
  },
)

test('what callers pay for addresses covers what finding them costs inside', async () => {
  const { rows, spentCents } = await fillAll(createWorld(7, peopleCount), ['email'])
  const chargedCents = sumOf(rows.map(({ charged }) => charged)) / centsToMicros(1)
  expect(spentCents).toBeLessThanOrEqual(chargedCents)
})
