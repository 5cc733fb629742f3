import { expect, onTestFinished, test } from 'vitest'
import type { Caller } from '#core/caller.ts'
import { uuidv7 } from '#core/id.ts'
import { openDatabase } from '#platform/database/database.ts'
import { createTestDatabase } from '#test/database.ts'
import { silentLog as log } from '#test/silent-log.ts'
import { createMailRows } from './mail-rows.ts'
import { messageWith } from './message.fixture.ts'

const dayMs = 86_400_000

async function openRows() {
  const database = openDatabase({ connectionString: await createTestDatabase(), log })
  onTestFinished(database.close)
  let now = Date.parse('2026-01-01T00:00:00Z')
  const clock = { now: () => now, sleep: async () => {} }
  const rows = createMailRows({ database, clock })
  const caller: Caller = {
    kind: 'account',
    isLimited: false,
    accountId: uuidv7(now),
    keyId: uuidv7(now),
  }
  const address = 'ada@agents.example'
  await rows.create(caller, { address, displayName: null }, async () => {})
  const inbox = await rows.find(caller, address)
  return {
    database,
    rows,
    inbox,
    caller,
    pass: (days: number) => {
      now += days * dayMs
    },
    add: (subject: string) =>
      rows.add(
        inbox,
        messageWith({
          direction: 'received',
          sender: 'bob@example.org',
          subject,
          text: 'a'.repeat(100),
        }),
      ),
  }
}

test('messages are dropped after 180 days, and give their room back', async () => {
  const { database, rows, inbox, pass, add } = await openRows()
  await add('old')
  pass(0.5)
  await add('old, too')
  pass(179.4)
  await add('new')
  await rows.forgetOld()
  const subjects = async () =>
    (await rows.list(inbox, { limit: 10, after: undefined })).map(({ subject }) => subject)
  expect(await subjects()).toEqual(['new', 'old, too', 'old'])
  pass(2)
  await rows.forgetOld()
  expect(await subjects()).toEqual(['new'])
  expect(
    await database.query(
      'select messages, inbox.bytes, mail_usage.bytes as all from inbox join mail_usage using (account_id)',
    ),
  ).toEqual([{ messages: 1, bytes: 118, all: 118 }])
})

test('an inbox is found by its owner alone: not by another account, nor by another limited key', async () => {
  const { rows, inbox, caller } = await openRows()
  const other = uuidv7(0)
  const strangers = [
    { ...caller, accountId: other },
    { ...caller, keyId: other, isLimited: true },
  ]
  for (const stranger of strangers)
    await expect(rows.find(stranger as Caller, inbox.address)).rejects.toMatchObject({
      code: 'not_found',
    })
  expect(await rows.find(caller, inbox.address)).toEqual(inbox)
})
