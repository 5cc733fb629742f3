import { expect, test } from 'vitest'
import { createAccounts } from '#accounts/accounts.ts'
import { systemClock as clock } from '#platform/clock.ts'
import { createChats, warm } from '#test/chats.ts'
import { openAccount, openLedger } from '#test/ledger.ts'

test('what a lease has to spare is shown as available, and what its calls under way may cost as held', async () => {
  const { database, ledger } = await openLedger()
  const terms = { action: 'test/echo', inference: false, waitsForBooks: true } as const
  // A lone call is held by itself.
  await createChats(ledger, await openAccount(database, ledger, 100), terms).hold(10)
  const { accountId, keyId } = await openAccount(database, ledger, 100_000)
  const { hold, settle } = createChats(ledger, { accountId, keyId }, terms)
  await warm(database, { hold, settle })
  const accounts = createAccounts({ database, clock })
  const shown = { available: 100_000, held: 0 }
  expect(await accounts.find(accountId)).toMatchObject(shown)
  expect(await accounts.summary(accountId)).toMatchObject(shown)
  const { callId } = await hold(10)
  // The turn that ends the next call tells of this one, which goes on.
  await settle((await hold(10)).callId, 4)
  expect(await accounts.find(accountId)).toMatchObject({ available: 100_000 - 14, held: 10 })
  await settle(callId, 3)
  expect(await accounts.find(accountId)).toMatchObject({ available: 100_000 - 7, held: 0 })
})
