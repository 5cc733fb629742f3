import { expect, test } from 'vitest'
import { fail } from '#core/errors.ts'
import { createFairPlaces } from './fair-places.ts'

const never = new AbortController().signal

/** Two places, one for each owner. A name begins with its owner. */
function openPlaces(waitingPerOwnerMax = 10) {
  const fair = createFairPlaces({
    places: 2,
    placesPerOwner: 1,
    waitingPerOwnerMax,
    refusal: () => fail('too_many_inflight'),
  })
  const begun: string[] = []
  const ends = new Map<string, () => void>()
  return {
    begun,
    ask: (name: string, signal = never) =>
      fair.take({ owner: name[0] ?? '', signal }, async () => {
        begun.push(name)
        const { promise, resolve } = Promise.withResolvers<void>()
        ends.set(name, resolve)
        await promise
        return name
      }),
    /** Resolves when the places that are free by then are taken. */
    async end(name: string, work: Promise<unknown>) {
      ends.get(name)?.()
      await work
      await Promise.resolve()
    },
  }
}

test('one owner has its share of the places, however much it asks for', async () => {
  const { ask, begun, end } = openPlaces()
  const [first, second] = [ask('a1'), ask('a2'), ask('a3')]
  await Promise.resolve()
  expect(begun).toEqual(['a1'])
  ask('b1')
  await Promise.resolve()
  expect(begun).toEqual(['a1', 'b1'])
  if (first === undefined || second === undefined) throw new Error('Nothing was asked.')
  await end('a1', first)
  expect(begun).toEqual(['a1', 'b1', 'a2'])
  expect(await first).toBe('a1')
})

test('owners that wait take turns', async () => {
  const { ask, begun, end } = openPlaces()
  const works = new Map(['a1', 'b1', 'a2', 'a3', 'c1', 'd1'].map((name) => [name, ask(name)]))
  await Promise.resolve()
  for (const name of ['a1', 'b1', 'a2', 'c1'])
    await end(name, works.get(name) ?? Promise.reject(new Error(name)))
  expect(begun).toEqual(['a1', 'b1', 'a2', 'c1', 'd1', 'a3'])
})

test('an owner with too much waiting is refused, and others are not', async () => {
  const { ask, begun } = openPlaces(1)
  ask('a1')
  ask('a2')
  await expect(ask('a3')).rejects.toMatchObject({ code: 'too_many_inflight' })
  ask('b1')
  await Promise.resolve()
  expect(begun).toEqual(['a1', 'b1'])
})

test('work whose signal ends it while it waits is not done, and work that fails gives its place back', async () => {
  const { ask, begun, end } = openPlaces()
  const leaving = new AbortController()
  const first = ask('a1')
  const left = ask('a2', leaving.signal)
  const third = ask('a3')
  leaving.abort(new Error('gone'))
  await expect(left).rejects.toThrow('gone')
  await expect(ask('a4', leaving.signal)).rejects.toThrow('gone')
  await end('a1', first)
  expect(begun).toEqual(['a1', 'a3'])
  await end('a3', third)
  const fair = createFairPlaces({
    places: 1,
    placesPerOwner: 1,
    waitingPerOwnerMax: 1,
    refusal: () => fail('too_many_inflight'),
  })
  const asker = { owner: 'a', signal: never }
  await expect(fair.take(asker, () => Promise.reject(new Error('broken')))).rejects.toThrow()
  expect(await fair.take(asker, async () => 'done')).toBe('done')
})

test('who asks for two places waits for both, and other owners do not overtake meanwhile', async () => {
  const fair = createFairPlaces({
    places: 3,
    placesPerOwner: 2,
    waitingPerOwnerMax: 1,
    refusal: () => fail('too_many_inflight'),
  })
  const inside: string[] = []
  const enter = (name: string, places: number, signal = never) =>
    fair.enter({ owner: name[0] ?? '', signal, places }).then((leave) => {
      inside.push(name)
      return leave
    })
  const [leaveFirst, leaveSecond] = [await enter('a1', 2), await enter('b1', 1)]
  const leaving = new AbortController()
  const large = [enter('c1', 2), enter('d1', 9, leaving.signal)]
  const small = enter('e1', 1)
  leaveSecond()
  leaveSecond()
  await Promise.resolve()
  expect(inside).toEqual(['a1', 'b1'])
  leaveFirst()
  const [leaveLarge] = [await large[0]]
  expect(inside).toEqual(['a1', 'b1', 'c1'])
  // The one that the others wait behind gives up.
  leaving.abort(new Error('gone'))
  await expect(large[1]).rejects.toThrow('gone')
  await small
  leaveLarge?.()
  // More than an owner may have is as much as it may have.
  await enter('f1', 9)
  expect(inside).toEqual(['a1', 'b1', 'c1', 'e1', 'f1'])
})

test('past what may wait of all owners all are refused, but for the patient', async () => {
  const fair = createFairPlaces({
    places: 1,
    placesPerOwner: 1,
    waitingPerOwnerMax: 5,
    waitingMax: 1,
    refusal: () => fail('rate_limited'),
  })
  const enter = (owner: string, isPatient = false) =>
    fair.enter({ owner, signal: never, isPatient })
  const leave = await enter('a')
  const waiting = enter('b')
  await expect(enter('c')).rejects.toMatchObject({ code: 'rate_limited' })
  const patient = enter('c', true)
  leave()
  const leaveSecond = await waiting
  leaveSecond()
  await expect(patient).resolves.toBeTypeOf('function')
})
