import { expect, test } from 'vitest'
import { readAnswer } from './document-answer.ts'
import { pdf } from './pdf.fixture.ts'

test('a process that cannot begin is a fault of the gateway, and is logged', async () => {
  const logged: object[] = []
  const ignore = () => {}
  const log = { debug: ignore, info: ignore, warn: ignore, error: (f: object) => logged.push(f) }
  const limits = { memoryBytesMax: 20_000_000, cpuSecondsMax: 20, wallMs: 60_000 }
  const bytes = pdf([{ texts: [{ text: 'x', x: 1, y: 1 }] }])
  const task = { first: 1, count: 1 }
  const signal = new AbortController().signal
  await expect(readAnswer({ bytes, task, signal, limits, log })).rejects.toMatchObject({
    code: 'upstream_error',
    message: expect.stringContaining('could not start its reader of documents'),
  })
  expect(logged).toMatchObject([{ err: { message: expect.stringMatching(/^It ended with /) } }])
})
