import { expect, test } from 'vitest'
import { z } from '../action.ts'
import { describeIssues } from './issues.ts'

const schema = z.strictObject({
  own: z.string().regex(/^[A-Z]{2}$/, 'must be a country code such as US'),
  code: z.string().regex(/^[A-Z]{2}$/),
  text: z.string().regex(/\S/),
  foreign: z.fromJSONSchema({ type: 'string', pattern: '\\S' }),
})

test('a value that fits one form of a union is described by what that form wants', () => {
  const union = z.strictObject({
    to: z.union([
      z.string().transform((one) => [one]),
      z.array(z.string().min(2)).max(3, 'may have at most 3 entries'),
    ]),
  })
  const messageFor = (to: unknown) =>
    describeIssues(union.safeParse({ to }).error as z.ZodError).message
  expect(messageFor(['aa', 'bb', 'cc', 'dd'])).toBe('to: may have at most 3 entries.')
  expect(messageFor(['aa', 4])).toBe('to.1: expected string, received number.')
  expect(messageFor(4)).toBe('to: Invalid input.')
})

test('no pattern is shown to a caller', () => {
  const { error } = schema.safeParse({ own: 'x', code: 'x', text: ' ', foreign: ' ' })
  const described = describeIssues(error as z.ZodError)
  expect(described.message).toBe(
    'own: must be a country code such as US. code: does not have the form that its description gives. text: must not be blank. foreign: must not be blank.',
  )
  expect(JSON.stringify(described)).not.toContain('pattern')
})

test('a fault that ends as a sentence gets no second full stop', () => {
  const both = z
    .strictObject({ a: z.int().optional() })
    .refine(({ a }) => a !== undefined, { message: 'Send a, b, or both.' })
  const { error } = both.safeParse({})
  expect(describeIssues(error as z.ZodError).message).toBe('Send a, b, or both.')
  const text = z.strictObject({ a: z.string().min(2, 'is too short.') })
  const { error: short } = text.safeParse({ a: '' })
  expect(describeIssues(short as z.ZodError).message).toBe('a: is too short.')
})
