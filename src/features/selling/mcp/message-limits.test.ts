import { expect, test } from 'vitest'
import {
  createEventReader,
  createLineReader,
  idOfLongLine,
  type LongLine,
  lineBytesMax,
  messageBytesMax,
  messageOf,
  parseMessage,
} from './message-limits.ts'

function readInParts(bytes: Buffer, size: number) {
  const lines: string[] = []
  const longLines: LongLine[] = []
  const read = createLineReader({
    line: (line) => void lines.push(line),
    longLine: (line) => void longLines.push(line),
  })
  for (let at = 0; at < bytes.length; at += size) read(bytes.subarray(at, at + size))
  return { lines, longLines }
}

test('lines are told as they were sent, however their bytes are cut', () => {
  const text = 'first\n\nzwölf 日本\nlast without an end'
  for (const size of [1, 2, 3, 1_000])
    expect(readInParts(Buffer.from(text), size).lines).toEqual(['first', '', 'zwölf 日本'])
})

test('of a line that is too long the edges are told, and the lines after it are whole', () => {
  const long = `{"id":7,"result":"${'x'.repeat(messageBytesMax)}"}`
  for (const size of [100, 500, 70_000, 3_000_000]) {
    const { lines, longLines } = readInParts(Buffer.from(`before\n${long}\nafter\n`), size)
    expect(lines).toEqual(['before', 'after'])
    expect(longLines).toEqual([{ start: long.slice(0, 300), end: long.slice(-300) }])
  }
})

test.each([
  ['first', '{"jsonrpc":"2.0","id":7,"result":{"id":8', '"id":9}]}}'],
  ['last', '{"result":{"id":8', '"id":9}]},"jsonrpc":"2.0","id":7}'],
  ['last, before the version', '{ "result": {', '}, "id": 7, "jsonrpc": "2.0" }'],
])('the request of a long answer is known where its id is %s', (_, start, end) => {
  expect(idOfLongLine({ start, end })).toBe(7)
})

test('the request of a long answer is unknown where the id is in the middle, or only in the content', () => {
  expect(idOfLongLine({ start: '{"jsonrpc":"2.0","result":{"id":8', end: '"id":9}}' })).toBe(
    undefined,
  )
  const named = { start: '{"id":"a\\"7","result":{', end: '}}' }
  expect(idOfLongLine(named)).toBe('a"7')
})

test('a line that does not end is refused, and costs no more for being sent in small parts', () => {
  const read = createLineReader({ line: () => {}, longLine: () => {} })
  const part = Buffer.alloc(5_000, 'x')
  const started = process.cpuUsage()
  for (let sent = 0; sent < lineBytesMax; sent += part.length) read(part)
  expect(() => read(part)).toThrow('too large')
  const { user, system } = process.cpuUsage(started)
  // Copying all that was read again with each part takes minutes.
  expect((user + system) / 1e6).toBeLessThan(10)
})

test('a byte order mark before a message is ignored', () => {
  expect(parseMessage('\ufeff{"id":7}')).toEqual({ id: 7 })
  expect(messageOf(Buffer.from('\ufeffdata: {"id":7}\n\n'))).toBe(' {"id":7}')
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
