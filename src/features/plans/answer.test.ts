import { expect, test } from 'vitest'
import { describeParts, nothingDelivered } from './answer.ts'
import type { StepOutcome } from './run-steps.ts'

const plan = ['a', 'b', 'c'].map((id) => ({ id, action: 'test/echo' }))
const delivered = (data: unknown, charged: number): StepOutcome => ({
  ...({ status: 'succeeded', data, charged } as const),
})

test('an answer that does not fit beside the earlier ones is left out and not charged', () => {
  const long = 'x'.repeat(10_000_000)
  const { rows, spent } = describeParts(
    plan,
    new Map([
      ['a', delivered(long, 15_000)],
      ['b', delivered(long, 15_000)],
      ['c', delivered('short', 15_000)],
    ]),
  )
  expect(rows).toMatchObject([
    { status: 'succeeded', charged_usd: '0.015000' },
    { status: 'failed', error: 'payload_too_large', charged_cents: 0, charged_usd: '0.000000' },
    { status: 'succeeded', data: 'short' },
  ])
  expect(rows[1]).not.toHaveProperty('data')
  expect(spent).toEqual({ spent_cents: 3, spent_usd: '0.030000' })
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
    ...{ status: 'skipped', error: { code: 'cancelled', message: 'The plan was cancelled.' } },
  }
  const failed: StepOutcome = {
    ...{ status: 'failed', error: { code: 'all_blocked', message: 'The page is a wall.' } },
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
})
