// One of two gateways is killed under load, and its machine is lost with the journal on its disk.
import { rm } from 'node:fs/promises'
import { expect, onTestFinished, test } from 'vitest'
import { depth } from '#test/depth.ts'
import { until } from '#test/until.ts'
import { load, type Sent } from '../crash-mix.ts'
import { openOuterDatabase } from '../mortal-gateway.ts'
import { expectIdle, expectKeysKept, lostOf } from './crash-checks.ts'
import { startTwoGateways } from './two-gateways.ts'

const callersPerGateway = 16
/** Calls that reached models and pages before the kill, so that all kinds of them are under way. */
const workedMin = depth(100, 300)
/** Others settle what a dead gateway held within this time. */
const settledWithinMs = 120_000
/** Of plain chats, what ended in the last moment is lost with the journal. */
const lostMsMax = 1_000

test('what a dead gateway held is free within two minutes, and no keyed answer is lost with its disk', async () => {
  const { database, env } = await openOuterDatabase()
  const target = await startTwoGateways(env, onTestFinished)
  const { two } = target
  const [here, there] = await target.places()
  const stop = new AbortController()
  const atOne = load(here, callersPerGateway, stop.signal)
  const atTwo = load(there, callersPerGateway, stop.signal)
  await until(async () => target.worked() >= workedMin)
  const killedAt = Date.now()
  await two.kill()
  stop.abort()
  await rm(two.dataDir, { recursive: true, force: true })
  const [sentHere, sentThere] = await Promise.all([atOne, atTwo])
  await expectIdle(target)
  expect(Date.now() - killedAt).toBeLessThan(settledWithinMs)
  expect(await database.query('select 1 from lease')).toEqual([])
  await expectKeysKept(target, [...sentHere, ...sentThere])
  expect(await lostOf(target, sentHere)).toEqual([])
  const lost = await lostOf(target, sentThere)
  const chats = (sent: readonly Sent[]) => sent.filter(({ what }) => what === 'chat')
  expect(chats(lost)).toEqual(lost)
  for (const { answer } of lost)
    expect(killedAt - (answer?.atMs ?? 0), 'a chat that ended long before').toBeLessThan(lostMsMax)
  await expectIdle(target)
})
