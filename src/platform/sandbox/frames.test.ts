import { Readable } from 'node:stream'
import { expect, test } from 'vitest'
import { readFrames } from './frames.ts'

async function read(...chunks: (string | Buffer)[]) {
  const frames = []
  for await (const { message, content } of readFrames(
    Readable.from(chunks.map((chunk) => Buffer.from(chunk))),
  ))
    frames.push([message, content.toString()])
  return frames
}

test('messages and their contents are read from chunks of any size', async () => {
  const text = '{"id":1}\n{"id":2,"size":5}\nab\n\u00e9{"id":3}\n'
  const expected = [
    [{ id: 1 }, ''],
    [{ id: 2, size: 5 }, 'ab\n\u00e9'],
    [{ id: 3 }, ''],
  ]
  expect(await read(text)).toEqual(expected)
  expect(await read(...[...Buffer.from(text)].map((byte) => Buffer.from([byte])))).toEqual(expected)
})

test.each([
  ['what is not JSON', 'text\n'],
  ['what is not a message', '7\n'],
  ['a size that is not a number', '{"size":"9"}\n'],
  ['a negative size', '{"size":-1}\n'],
  ['a size without end', '{"size":99999999999}\n'],
  ['a line without end', 'x'.repeat(100_000)],
])('%s from a box is refused', async (_what, text) => {
  await expect(read(text)).rejects.toThrow()
})
