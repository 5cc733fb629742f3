// The paid endpoint of the mail vendor: the operator's wallet buys inboxes and mails, and pays for nothing that is free
// here.
import { describe, expect, test } from 'vitest'
import { startGateway } from '#test/harness.ts'
import { payments, shareChains, sharePaidGateway } from '../../payments/paid-gateway.ts'
import { received } from '../../payments/payers.ts'
import { buyerSettings, startStubSeller } from '../../payments/stub-seller.ts'

const inbox_id = 'ada@agentmail.to'

describe.skipIf(!payments.ok)(`mail that the operator's wallet buys ${payments.reason}`, () => {
  const chains = shareChains()
  const till = sharePaidGateway(chains)

  /** A gateway without the vendor's key, whose vendor asks 2¢ for each request. */
  async function openShop() {
    const sent = { message_id: '<2@agentmail.to>', thread_id: 't' }
    const body = { inbox_id, pod_id: 'p', ...sent }
    const seller = await startStubSeller(till(), { rails: ['mpp'], body })
    const { privateKey } = await chains().createPayer()
    const gateway = await startGateway({
      env: { ...buyerSettings(privateKey, till()), NS_MAIL_BASE_URL: seller.url },
    })
    return { seller, account: await gateway.account(500) }
  }

  test('an inbox is paid for once and sold for $2; a 402 for a free action is not paid', async () => {
    const { seller, account } = await openShop()
    const before = await received(till(), 'mpp')
    const key = { 'idempotency-key': 'one-inbox' }
    const made = await account.call('ns_mail/create_inbox', { username: 'ada' }, key)
    expect(made.body).toMatchObject({ ok: true, charged_cents: 200, data: { inbox_id } })
    await account.call('ns_mail/create_inbox', { username: 'ada' }, key)
    expect(seller.paid).toHaveLength(1)
    expect((await received(till(), 'mpp')) - before).toBe(20_000n)

    const listed = await account.call('ns_mail/list-messages', { inbox_id })
    expect([listed.status, listed.body.error]).toEqual([500, 'upstream_error'])
    expect(seller.paid).toHaveLength(1)
  })

  test('a mail that the vendor sells for more than its price here is not bought', async () => {
    const { seller, account } = await openShop()
    await account.call('ns_mail/create_inbox', { username: 'ada' })
    const before = await account.state()
    const mail = { inbox_id, to: 'bob@example.org', subject: 'Hi', text: 'Hi' }
    const refused = await account.call('ns_mail/send', mail)
    expect(refused.body).toMatchObject({ ok: false })
    expect(seller.paid).toHaveLength(1)
    expect((await account.state()).availableCents).toBe(before.availableCents)
  })
})
