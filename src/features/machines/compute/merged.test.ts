import { expect, test } from 'vitest'
import { mergeRuns } from './merged.ts'

/** Runs that end when they are told to. */
function steered() {
  const runs: PromiseWithResolvers<void>[] = []
  const request = mergeRuns(() => {
    const run = Promise.withResolvers<void>()
    runs.push(run)
    return run.promise
  })
  return { runs, request }
}

test('requests while a run is under way share one more run, which begins after it', async () => {
  const { runs, request } = steered()
  const first = request()
  const later = Array.from({ length: 20 }, request)
  expect(runs).toHaveLength(1)
  runs[0]?.resolve()
  await first
  await Promise.resolve()
  await expect.poll(() => runs.length).toBe(2)
  const last = request()
  runs[1]?.resolve()
  await Promise.all(later)
  await expect.poll(() => runs.length).toBe(3)
  runs[2]?.resolve()
  await last
  expect(runs).toHaveLength(3)
})

test('a run that fails tells its own requests, and the next one begins', async () => {
  const { runs, request } = steered()
  const first = request()
  const second = request()
  runs[0]?.reject(new Error('the disk is full'))
  await expect(first).rejects.toThrow('full')
  await expect.poll(() => runs.length).toBe(2)
  runs[1]?.resolve()
  await second
  const third = request()
  expect(runs).toHaveLength(3)
  runs[2]?.resolve()
  await third
})
