import { expect, test } from 'vitest'
import { z } from '../action.ts'
import { describeIssues } from './issues.ts'

const schema = z.strictObject({
  own: z.string().regex(/^[A-Z]{2}$/, 'must be a country code such as US'),
  code: z.string().regex(/^[A-Z]{2}$/),
  text: z.string().regex(/\S/),
  foreign: z.fromJSONSchema({ type: 'string', pattern: '\\S' }),
})

test('no pattern is shown to a caller', () => {
  const { error } = schema.safeParse({ own: 'x', code: 'x', text: ' ', foreign: ' ' })
  const described = describeIssues(error as z.ZodError)
  expect(described.message).toBe(
    'own: must be a country code such as US. code: does not have the form that its description gives. text: must not be blank. foreign: must not be blank.',
  )
  expect(JSON.stringify(described)).not.toContain('pattern')
})
