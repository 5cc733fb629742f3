// A wallet owns an inbox as an account does. It pays to open it and to send, and proves itself, for free, to read.
import { describe, expect, test } from 'vitest'
import { mailDomain } from '#test/mail/gateway.ts'
import { payments, rails, shareChains, sharePaidGateway } from '../../payments/paid-gateway.ts'
import { buy, received } from '../../payments/payers.ts'

describe.skipIf(!payments.ok)(`inboxes of wallets ${payments.reason}`, () => {
  const chains = shareChains()
  const env = { MAIL_DOMAINS: mailDomain, MAIL_PORT: '0' }
  const gateway = sharePaidGateway(chains, { env })

  test.each(rails)('%s: a wallet opens an inbox, writes to itself and reads it', async (rail) => {
    const before = await received(gateway(), rail)
    const [wallet, other] = await Promise.all([chains().createPayer(), chains().createPayer()])
    const ask = (action: string, body: object, by = wallet) =>
      buy(gateway(), rail, `ns_mail/${action}`, body, { wallet: by })

    const username = `wallet-${rail}`
    const made = await ask('create_inbox', { username })
    const { inbox_id } = made.body.data
    expect(inbox_id).toBe(`${username}@${mailDomain}`)
    const mail = { inbox_id, to: inbox_id, subject: 'Note', text: 'To myself' }
    expect((await ask('send', mail)).status).toBe(200)
    const listed = await ask('list-messages', { inbox_id })
    expect(listed.body).toMatchObject({ charged_cents: 0, data: { count: 2 } })
    const { message_id } = listed.body.data.messages[1]
    const read = await ask('get-message', { inbox_id, message_id })
    expect(read.body.data.text.trim()).toBe('To myself')
    expect((await ask('list-messages', { inbox_id }, other)).status).toBe(404)
    // $2 and 1¢, in millionths of a dollar.
    expect((await received(gateway(), rail)) - before).toBe(2_010_000n)
  })
})
