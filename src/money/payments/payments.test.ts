import { expect, test } from 'vitest'
import { systemClock } from '#platform/clock.ts'
import { openLedger } from '../../../test/ledger.ts'
import { createPayments } from './payments.ts'

async function open() {
  const { database, ledger } = await openLedger()
  const { gatewayNumber } = ledger
  const payments = createPayments({ database, clock: systemClock, gatewayNumber, dustMicros: 0 })
  return { database, payments }
}

test('a proof counts once, although the clock of the database is ahead of the gateway’s', async () => {
  const { payments } = await open()
  // It is good for a while yet by the gateway's clock, and over by that of the database.
  const expiresAtMs = Date.now() - 60_000
  expect(await payments.useProof('proof', expiresAtMs)).toBe(true)
  expect(await payments.useProof('another', expiresAtMs)).toBe(true)
  expect(await payments.useProof('proof', expiresAtMs)).toBe(false)
})

test('proofs are forgotten once no clock can take them for good', async () => {
  const { database, payments } = await open()
  await payments.useProof('old', Date.now() - 86_400_000)
  await payments.useProof('new', Date.now() + 60_000)
  expect(await database.query('select id from wallet_proof')).toEqual([{ id: 'new' }])
})
