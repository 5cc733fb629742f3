import { expect, test } from 'vitest'
import { roast } from './roast.ts'

test.each([
  'your code has more todos than a wedding. and/or fewer tests',
  'v2.0 of your parser is 3.14 times slower, congrats',
  'you name things like a cat walking over the keyboard: x1, x2, x_final_final',
  'tokens? secrets? you keep neither. your password is a feature.',
])('%j may stand on a card', (text) => {
  expect(roast.safeParse(text).error?.issues).toBeUndefined()
})
