import { expect, test } from 'vitest'
import { createPageRoom, type PageLimits, type PageVisitor } from './page-room.ts'

const never = new AbortController().signal
const sizes = [{ above: 10, upTo: 100, bytesMax: 200, bytesPerOwnerMax: 200 }]
const roomOf = (limits: Partial<PageLimits> = {}) =>
  createPageRoom({
    pagesMax: 4,
    pagesPerOwnerMax: 4,
    waitingMax: 1,
    sizes,
    waitMs: 60_000,
    ...limits,
  })
const visitor = (change: Partial<PageVisitor> = {}): PageVisitor => ({
  owner: 'one',
  pages: 2,
  signal: never,
  ...change,
})

/** Whether it is over by the time that everything which could happen has happened. */
async function isSettled(promise: Promise<unknown>): Promise<boolean> {
  let settled = false
  const note = () => {
    settled = true
  }
  promise.then(note, note)
  await new Promise((resolve) => setImmediate(resolve))
  return settled
}

test('a call waits for its places and has them when another leaves', async () => {
  const room = roomOf()
  const [first] = [await room.enter(visitor()), await room.enter(visitor())]
  const third = room.enter(visitor())
  expect(await isSettled(third)).toBe(false)
  first?.leave()
  await expect(third).resolves.toBeDefined()
})

test('past the queue, and past the time in it: 429 with the time to come again', async () => {
  const room = roomOf({ waitMs: 20 })
  await room.enter(visitor({ pages: 4 }))
  const [waiting, beyond] = [room.enter(visitor()), room.enter(visitor())]
  const refusal = { code: 'rate_limited', status: 429, retryAfterSeconds: 5 }
  await expect(beyond).rejects.toMatchObject(refusal)
  await expect(waiting).rejects.toMatchObject(refusal)
})

test('a job waits as long as its signal allows, and frees its place in the queue when that ends', async () => {
  const room = roomOf({ waitMs: 1 })
  const inside = await room.enter(visitor({ pages: 4 }))
  const job = new AbortController()
  const ended = room.enter(visitor({ isPatient: true, signal: job.signal }))
  job.abort(new Error('the job ended'))
  await expect(ended).rejects.toThrow('the job ended')
  const patient = [1, 2].map(() => room.enter(visitor({ isPatient: true })))
  expect(await isSettled(Promise.race(patient))).toBe(false)
  inside.leave()
  await Promise.all(patient)
})

test('one account cannot take all places', async () => {
  const room = roomOf({ pagesPerOwnerMax: 2 })
  await room.enter(visitor())
  expect(await isSettled(room.enter(visitor()))).toBe(false)
  expect(await isSettled(room.enter(visitor({ owner: 'another' })))).toBe(true)
})

test('small pages need no room; a larger one waits until there is some for all pages of its call', async () => {
  const room = roomOf()
  const [one, other] = [await room.enter(visitor()), await room.enter(visitor())]
  await one?.hold(11)
  // Once for the call, however many of its pages are large.
  await one?.hold(100)
  await other?.hold(10)
  const held = other?.hold(11) ?? Promise.resolve()
  expect(await isSettled(held)).toBe(false)
  one?.leave()
  await expect(held).resolves.toBeUndefined()
})

test('one account cannot take all room for large pages', async () => {
  const shared = { above: 10, upTo: 100, bytesMax: 400, bytesPerOwnerMax: 200 }
  const room = roomOf({ pagesMax: 8, pagesPerOwnerMax: 6, sizes: [shared] })
  const [first, second] = [await room.enter(visitor()), await room.enter(visitor())]
  const other = await room.enter(visitor({ owner: 'another' }))
  await first?.hold(11)
  const held = second?.hold(11) ?? Promise.resolve()
  expect(await isSettled(held)).toBe(false)
  await other.hold(11)
  first?.leave()
  await held
})

test('room that comes after its call has left goes to the next', async () => {
  const room = roomOf({ pagesMax: 6, pagesPerOwnerMax: 6 })
  const visitors = [await room.enter(visitor()), await room.enter(visitor())]
  const next = await room.enter(visitor())
  await visitors[0]?.hold(50)
  const late = visitors[1]?.hold(50)
  const wanted = next.hold(50)
  visitors[1]?.leave()
  visitors[0]?.leave()
  await Promise.all([late, wanted])
})
