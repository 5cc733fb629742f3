import { expect, test } from 'vitest'
import type { Clock } from '#core/ports.ts'
import { type Exit, OutOfRoomError, type Server } from './server.ts'
import { supervise } from './supervisor.ts'
import { recordLog } from './testing.ts'

/** A clock whose sleeps return at once and move its time forward. */
function createTestClock(): Clock & { readonly sleptMs: number[] } {
  const sleptMs: number[] = []
  let nowMs = 0
  return {
    sleptMs,
    now: () => nowMs,
    async sleep(delayMs) {
      sleptMs.push(delayMs)
      nowMs += delayMs
    },
  }
}

const gone = Promise.resolve({ code: 1, signal: null, isOutOfRoom: false })
const brokenServer: Server = { pid: 1, gone, stop: async () => undefined }

test('a server that keeps ending is restarted five times with growing delays, and then not again', async () => {
  const clock = createTestClock()
  let starts = 0
  const start = async () => {
    starts += 1
    return brokenServer
  }
  const error = await new Promise<Error>((onCrash) =>
    supervise({ start, onCrash, log: recordLog().log, clock }),
  )
  expect(error.message).toContain('restarted 5 times within 5 minutes')
  expect(starts).toBe(1 + 5)
  expect(clock.sleptMs).toEqual([0, 500, 1_000, 1_500, 2_000])
})

test('a failed start counts like a server that ended', async () => {
  const clock = createTestClock()
  let starts = 0
  const start = async () => {
    starts += 1
    if (starts > 1) throw new Error('The disk is full.')
    return brokenServer
  }
  const { log, messages } = recordLog()
  await new Promise<Error>((onCrash) => supervise({ start, onCrash, log, clock }))
  expect(messages.filter((message) => message.endsWith('did not start.'))).toHaveLength(5)
})

test('a server on a full disk is restarted until there is free space', async () => {
  const clock = createTestClock()
  let starts = 0
  const started = new Promise<number>((resolve) => {
    const start = async () => {
      starts += 1
      if (starts === 1) return brokenServer
      if (starts < 40) throw new OutOfRoomError('The disk is full.')
      resolve(starts)
      return { ...brokenServer, gone: new Promise<never>(() => undefined) }
    }
    supervise({ start, onCrash: () => resolve(0), log: recordLog().log, clock })
  })
  expect(await started).toBe(40)
})

test('a server that ends because its disk is full does not count as one that keeps ending', async () => {
  const clock = createTestClock()
  const full = Promise.resolve({ code: 1, signal: null, isOutOfRoom: true })
  let starts = 0
  const started = new Promise<number>((resolve) => {
    const start = async () => {
      starts += 1
      if (starts < 40) return { ...brokenServer, gone: full }
      resolve(starts)
      return { ...brokenServer, gone: new Promise<never>(() => undefined) }
    }
    supervise({ start, onCrash: () => resolve(0), log: recordLog().log, clock })
  })
  expect(await started).toBe(40)
  expect(clock.sleptMs).toEqual(Array.from({ length: 39 }, () => 2_000))
})

test('a server that ends only occasionally is restarted every time', async () => {
  const clock = createTestClock()
  let starts = 0
  const stopped = new Promise<number>((resolve) => {
    const start = async () => {
      starts += 1
      await clock.sleep(120_000)
      if (starts < 20) return brokenServer
      resolve(starts)
      return { ...brokenServer, gone: new Promise<never>(() => undefined) }
    }
    const onCrash = () => resolve(0)
    supervise({ start, onCrash, log: recordLog().log, clock })
  })
  expect(await stopped).toBe(20)
})

test('a server that becomes ready during a stop is stopped too', async () => {
  const clock = createTestClock()
  let stops = 0
  const restarting = Promise.withResolvers<void>()
  const restarted = Promise.withResolvers<Server>()
  let starts = 0
  const start = () => {
    starts += 1
    if (starts === 1) return Promise.resolve(brokenServer)
    restarting.resolve()
    return restarted.promise
  }
  const onCrash = (error: Error) => expect.unreachable(error.message)
  const supervisor = await supervise({ start, onCrash, log: recordLog().log, clock })
  await restarting.promise
  const stopped = supervisor.stop()
  const running = Promise.withResolvers<Exit>()
  const stop = async () => {
    stops += 1
    running.resolve({ code: 0, signal: null, isOutOfRoom: false })
  }
  restarted.resolve({ pid: 2, gone: running.promise, stop })
  await stopped
  expect(stops).toBe(1)
})
