import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createEventSplitter, fromLatin1 } from './sse.ts'

function split(bytes: Buffer, cuts: readonly number[] = []): string[] {
  const events: string[] = []
  const splitter = createEventSplitter((data) => events.push(fromLatin1(data)))
  let from = 0
  for (const cut of [...cuts.toSorted((a, b) => a - b), bytes.length]) {
    splitter.feed(bytes.subarray(from, Math.max(from, cut)))
    from = Math.max(from, cut)
  }
  splitter.end()
  return events
}

const stream = Buffer.from(
  '\ufeff: comment\r\n\r\nevent: x\r\ndata: {"a":"é🦊"}\r\n\r\ndata:two\ndata: lines\n\n\n\nid: 7\n\ndata: last',
)

test('events do not depend on how their bytes are chunked', () => {
  const whole = ['{"a":"é🦊"}', 'two\nlines', 'last']
  expect(split(stream)).toEqual(whole)
  expect(split(stream, Array.from(stream.keys()))).toEqual(whole)
  fc.assert(
    fc.property(fc.array(fc.nat(stream.length)), (cuts) => {
      expect(split(stream, cuts)).toEqual(whole)
    }),
  )
})

test.each(['\r', '\r\n', '\n'])(
  'lines may end with %j, and an event is there with its last byte',
  (end) => {
    const bytes = Buffer.from(['data: one', '', 'data: two', 'data: more', '', ''].join(end))
    const events = ['one', 'two\nmore']
    expect(split(bytes)).toEqual(events)
    expect(split(bytes, Array.from(bytes.keys()))).toEqual(events)
    const seen: string[] = []
    createEventSplitter((data) => seen.push(data)).feed(bytes)
    expect(seen).toEqual(events)
  },
)

test('an event without end is refused before it fills the memory', () => {
  const splitter = createEventSplitter(() => {})
  const piece = Buffer.alloc(1_000_000, 'x')
  expect(() => {
    for (let sent = 0; sent < 10; sent += 1) splitter.feed(piece)
  }).toThrow(RangeError)
})
