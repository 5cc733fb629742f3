import { expect, test } from 'vitest'
import { createCommandLimit } from './push-commands.ts'

const packet = (text: string) => `${(text.length + 4).toString(16).padStart(4, '0')}${text}`
const command = packet(`${'0'.repeat(40)} ${'1'.repeat(40)} refs/heads/main`)

/** Whether each chunk of the text passes, cut into chunks of one size. */
function pass(text: string, bytesMax: number, chunkBytes: number): boolean {
  const isWithin = createCommandLimit(bytesMax)
  for (let at = 0; at < text.length; at += chunkBytes)
    if (!isWithin(Buffer.from(text.slice(at, at + chunkBytes), 'latin1'))) return false
  return true
}

test.each([1, 3, 4, 5, 1_000])('commands are counted in chunks of %i bytes', (chunkBytes) => {
  expect(pass(`${command}${command}0000`, 2 * command.length, chunkBytes)).toBe(true)
  expect(pass(`${command}${command}0000`, 2 * command.length - 1, chunkBytes)).toBe(false)
})

test('the pack after the flush packet is not counted', () => {
  expect(pass(`${command}0000PACK${'x'.repeat(10_000)}`, 200, 7)).toBe(true)
  expect(pass('0000', 200, 4)).toBe(true)
})

test('what is not a packet is refused', () => {
  expect(pass('{"json":true}', 200, 100)).toBe(false)
  expect(pass(`${command}zzzz`, 200, 100)).toBe(false)
})
