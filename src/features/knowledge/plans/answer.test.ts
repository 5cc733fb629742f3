import { expect, test } from 'vitest'
import { describeParts, nothingDelivered } from './answer.ts'
import type { StepOutcome } from './run-steps.ts'

const plan = ['a', 'b', 'c'].map((id) => ({ id, action: 'test/echo' }))
const delivered = (data: unknown, charged: number): StepOutcome => ({
  ...({ status: 'succeeded', data, charged } as const),
})

test('where not all data fits, the longest is left out, and every step that was run is charged', () => {
  const { rows, spent } = describeParts(
    plan,
    new Map([
      ['a', delivered('x'.repeat(9_000_000), 15_000)],
      ['b', delivered('x'.repeat(10_000_000), 15_000)],
      ['c', delivered('short', 15_000)],
    ]),
  )
  expect(rows.map(({ status, charged_usd }) => [status, charged_usd])).toEqual(
    plan.map(() => ['succeeded', '0.015000']),
  )
  expect(rows.map((row) => 'data' in row)).toEqual([true, false, true])
  expect(rows[1]?.message).toContain('left out')
  expect(spent).toEqual({ spent_cents: 5, spent_usd: '0.045000' })
})

test('the data of a single step is never left out', () => {
  const [first] = plan
  const long = 'x'.repeat(19_000_000)
  const { rows } = describeParts(
    [first as (typeof plan)[number]],
    new Map([['a', delivered(long, 15_000)]]),
  )
  expect(rows).toMatchObject([{ status: 'succeeded', data: long }])
})

test('the whole cents of the parts add up to those of the charge', () => {
  const { rows, spent } = describeParts(
    plan,
    new Map(plan.map(({ id }) => [id, delivered(id, 4_000)])),
  )
  expect(spent).toEqual({ spent_cents: 2, spent_usd: '0.012000' })
  expect(rows.reduce((sum, { charged_cents: cents }) => sum + cents, 0)).toBe(2)
})

test('a plan that has delivered nothing fails as its first failed step, or as the reason why none was run', () => {
  const skipped: StepOutcome = {
    status: 'skipped',
    error: { code: 'cancelled', message: 'The plan was cancelled.' },
  }
  const failed: StepOutcome = {
    status: 'failed',
    error: { code: 'all_blocked', message: 'The page is a wall.' },
  }
  const failureOf = (...outcomes: StepOutcome[]) => {
    const rows = describeParts(
      plan,
      new Map(outcomes.map((outcome, at) => [plan[at]?.id ?? '', outcome])),
    ).rows
    return nothingDelivered(plan, rows)
  }
  expect(failureOf(skipped, failed, skipped)).toMatchObject({
    code: 'all_blocked',
    message: 'Step "b": The page is a wall. Nothing was charged.',
  })
  expect(failureOf(skipped, skipped, skipped)).toMatchObject({ code: 'cancelled' })
  const free: StepOutcome = {
    status: 'failed',
    error: { code: 'upstream_error', message: 'Nothing was charged. Wait.' },
  }
  expect(failureOf(free, skipped, skipped).message).toBe('Step "a": Nothing was charged. Wait.')
})
