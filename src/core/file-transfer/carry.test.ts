import { expect, test } from 'vitest'
import type { CallerFiles } from '../files.ts'
import type { SessionFiles } from '../session.ts'
import { withFiles } from './carry.ts'

test('a box that gives more than it was asked for is not read further', async () => {
  let given = 0
  const box: SessionFiles = {
    write: async () => {},
    async *read() {
      while (true) {
        given += 4
        yield Buffer.alloc(4)
      }
    },
  }
  const transfer = { order: { collect: ['endless'] }, store: {} as CallerFiles, bytesMax: 10 }
  const { signal } = new AbortController()
  const { files } = await withFiles(box, transfer, signal, async () => ({}))
  expect(files).toEqual([
    { path: 'endless', error: 'bad_request', message: expect.stringContaining('more than 10') },
  ])
  expect(given).toBe(12)
})
