import { expect, test } from 'vitest'
import { createTurnstile } from './turnstile.ts'

const signal = new AbortController().signal

test('so many go through at once, the next in turn, and too many are turned away', async () => {
  const turnstile = createTurnstile({ insideMax: 1, waitingMax: 2 })
  const leave = await turnstile.enter(signal)
  const impatient = new AbortController()
  const waiting = [turnstile.enter(signal), turnstile.enter(impatient.signal)]
  await expect(turnstile.enter(signal)).rejects.toThrow('Too many')
  impatient.abort(new Error('enough'))
  await expect(waiting[1]).rejects.toThrow('enough')
  leave()
  leave()
  const leaveSecond = await waiting[0]
  const third = turnstile.enter(signal)
  leaveSecond?.()
  await expect(third).resolves.toBeTypeOf('function')
})

test('who needs two places waits for both, and is not overtaken meanwhile', async () => {
  const turnstile = createTurnstile({ insideMax: 2, waitingMax: 5 })
  const entered: string[] = []
  const enter = (name: string, places: number) =>
    turnstile.enter(signal, places).then((leave) => {
      entered.push(name)
      return leave
    })
  const leaves = [await enter('a', 1), await enter('b', 1)]
  const large = enter('large', 2)
  const small = enter('small', 1)
  leaves[0]?.()
  await Promise.resolve()
  expect(entered).toEqual(['a', 'b'])
  leaves[1]?.()
  const leaveLarge = await large
  expect(entered).toEqual(['a', 'b', 'large'])
  leaveLarge()
  await small
  // A request for more places than exist takes all of them.
  await expect(
    createTurnstile({ insideMax: 1, waitingMax: 1 }).enter(signal, 2),
  ).resolves.toBeTypeOf('function')
})
