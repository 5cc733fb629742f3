// A call that has not ended may make what a film is made of, and its void removes that.
import { expect, test } from 'vitest'
import type { RecordEffect } from '#core/effects/effect.ts'
import { fail } from '#core/errors.ts'
import { uuidv7 } from '#core/id.ts'
import { systemClock as clock } from '#platform/clock.ts'
import { openAccount, openLedger } from '#test/ledger.ts'
import { createMediaStore } from './media-store.ts'
import { createProjectStore } from './project-store.ts'

/** Records effects as the runner does. */
const effectOf =
  (callId: string): RecordEffect =>
  async (client, { kind, subject, details = null, changes = [] }) => {
    const { rows } = await client.query<{ state: string }>(
      'select call_makes($1, $2, $3, $4, $5, false, $6) as state',
      [...[callId, '', kind, subject, details, JSON.stringify(changes)]],
    )
    if (rows[0]?.state !== 'held') throw fail('unavailable')
  }

test('a composition and a film wait for the media that another call is making', async () => {
  const { database, ledger } = await openLedger()
  const { accountId, keyId, hold } = await openAccount(database, ledger, 1_000)
  const caller = { kind: 'account', accountId, keyId, isLimited: false } as const
  const [projects, media] = [
    createProjectStore({ database, clock }),
    createMediaStore({ database, clock }),
  ]
  const begin = async () => {
    const callId = uuidv7(clock.now())
    await hold(10, { callId })
    return callId
  }
  const end = (callId: string) =>
    ledger.settle({ callId, accountId, state: 'settled', charged: 10 })
  const [creating, importing, saving, rendering] = [
    await begin(),
    await begin(),
    await begin(),
    await begin(),
  ]
  const id = await projects.create(caller, { name: 'Film', format: {} }, effectOf(creating))
  await end(creating)
  const { id: medium } = await media.add(
    caller,
    { fileId: uuidv7(clock.now()), filename: 'a', contentType: 'image/png', probe: {} as never },
    effectOf(importing),
  )
  const saved = { composition: {}, mediaIds: [medium], ifMatch: undefined }
  const save = () => projects.save(caller, id, saved, effectOf(saving))
  await expect(save()).rejects.toMatchObject({ code: 'unavailable' })
  expect((await projects.find(caller, id)).composition).toBeNull()
  expect(await projects.isBeingMade(id, [medium], rendering)).toBe(true)
  // The call that makes it may use it.
  expect(await projects.isBeingMade(id, [medium], importing)).toBe(false)
  await end(importing)
  expect(await projects.isBeingMade(id, [medium], rendering)).toBe(false)
  await save()
  expect(await projects.isBeingMade(id, [medium], rendering)).toBe(true)
  await end(saving)
  expect(await projects.isBeingMade(id, [medium], rendering)).toBe(false)
})
