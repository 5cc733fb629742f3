// A chat whose gateway is taken for dead while its model answers. Its hold is voided, so its answer must not tell
// a cost.
import { expect, test } from 'vitest'
import { openLedger } from '#test/ledger.ts'
import { chat, expectSettled, shareLlmGateway } from '#test/llm-gateway.ts'

const shared = shareLlmGateway()

/** As another gateway does when this one has been without its connection for too long. */
async function voidOpenCalls() {
  const { database, databaseUrl } = shared()
  const { ledger } = await openLedger({ connectionString: databaseUrl })
  await database.query(`update call set gateway_id = gateway_id + 1000 where state = 'held'`)
  await expect.poll(() => ledger.recover()).toBe(1)
}

test.each([
  { what: 'whole', stream: false },
  { what: 'streamed', stream: true },
])('a $what chat that was voided meanwhile is an error without a cost', async ({ stream }) => {
  const gateway = shared()
  const account = await gateway.account(100)
  gateway.upstream.behave('one', async (it) => {
    await voidOpenCalls()
    it.answer()
  })
  const { status, body, events, text } = await chat(gateway, account, {
    model: 'lab/one',
    max_tokens: 100,
    stream,
  })
  const error = stream ? events.at(-1)?.error : body.error
  expect([status, error?.code]).toEqual([stream ? 200 : 500, 'upstream_error'])
  expect(text).not.toContain('"usage"')
  const calls = await gateway.database.query(
    'select state, charged from call where account_id = $1',
    [account.id],
  )
  expect(calls).toEqual([{ state: 'voided', charged: 0 }])
  await expectSettled(gateway, account, 0)
})
