import { expect, onTestFinished, test, vi } from 'vitest'
import { z } from '#core/action.ts'
import { endpointActionOf } from './endpoint.ts'

const { input } = endpointActionOf(
  { name: 'tides', title: 'Tides', address: 'https://tides.example/', isPrivate: false },
  { rule: { match: '*', price: 1 } },
)
const isTaken = (base64: string) => input.safeParse({ base64 })

test('the largest body in base64 is taken, and one wrong character at its end is refused', () => {
  const expressions = vi.spyOn(RegExp.prototype, 'exec')
  onTestFinished(() => expressions.mockRestore())
  expect(isTaken('A'.repeat(14_000_000)).success).toBe(true)
  expect(isTaken(`${'A'.repeat(13_999_998)}==`).success).toBe(true)
  const { error } = isTaken(`${'A'.repeat(13_999_999)}!`)
  expect(error?.issues).toMatchObject([{ path: ['base64'], message: 'must be base64' }])
  // An expression over the whole text would block all other calls, and can fail.
  expect(Math.max(...expressions.mock.calls.map(([text]) => text.length))).toBeLessThan(100_000)
})

test('the pattern of a body in base64 is published', () => {
  expect(z.toJSONSchema(input, { io: 'input' }).properties?.base64).toEqual({
    type: 'string',
    description: 'A body of bytes, in base64.',
    maxLength: 14_000_000,
    pattern: '^[A-Za-z0-9+/]*={0,2}$',
  })
})
