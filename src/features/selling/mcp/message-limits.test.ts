import { expect, test } from 'vitest'
import {
  createEventReader,
  createLineReader,
  messageBytesMax,
  messageOf,
} from './message-limits.ts'

test('lines are told as they were sent, however their bytes are cut', () => {
  const text = 'first\n\nzwölf 日本\nlast without an end'
  for (const size of [1, 2, 3, 1_000]) {
    const lines: string[] = []
    const read = createLineReader((line) => lines.push(line))
    const bytes = Buffer.from(text)
    for (let at = 0; at < bytes.length; at += size) read(bytes.subarray(at, at + size))
    expect(lines).toEqual(['first', '', 'zwölf 日本'])
  }
})

test('a line that is too long is refused, and costs no more for being sent in small parts', () => {
  const read = createLineReader(() => {})
  const part = Buffer.alloc(500, 'x')
  const started = process.cpuUsage()
  for (let sent = 0; sent < messageBytesMax; sent += part.length) read(part)
  expect(() => read(part)).toThrow('too large')
  const { user, system } = process.cpuUsage(started)
  // Copying all that was read again with each part takes minutes.
  expect((user + system) / 1e6).toBeLessThan(10)
})

test.each(['\n', '\r', '\r\n'])(
  'events are read whole, however their bytes are cut, with %j at the ends of lines',
  (end) => {
    const lines = [
      'event: message',
      'data: {"a":',
      'data:1}',
      '',
      ': zwölf',
      '',
      'data: last',
      '',
      'cut',
    ]
    const bytes = Buffer.from(lines.join(end))
    for (const size of [1, 2, 3, 1_000]) {
      const read = createEventReader()
      const messages: (string | undefined)[] = []
      for (let at = 0; at < bytes.length; at += size)
        messages.push(...read(bytes.subarray(at, at + size)).map(messageOf))
      expect(messages).toEqual([' {"a":\n1}', undefined, ' last'])
    }
  },
)
