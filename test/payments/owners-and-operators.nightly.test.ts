// Ownership of calls that wallets paid for, gateways with wrong settings, and secrets that never leave the gateway.
import { SIGN_IN_WITH_X, wrapFetchWithSIWx } from '@x402/extensions/sign-in-with-x'
import { privateKeyToAccount } from 'viem/accounts'
import { describe, expect, test } from 'vitest'
import { systemClock } from '#platform/clock.ts'
import { createUrlSigner } from '#platform/url-signer.ts'
import { adminToken } from '#test/harness.ts'
import { until } from '#test/until.ts'
import { readMpp, readX402 } from './forgeries.ts'
import { createHurriedClock } from './hurried-clock.ts'
import {
  type ChainRail,
  openTill,
  payments,
  rails,
  shareChains,
  sharePaidGateway,
  startPaidGateway,
} from './paid-gateway.ts'
import { buy, challenge, payingFetch, post, present, readReply, sign } from './payers.ts'

const statusUrlKey = 'a status key of the tests, long enough'

describe.skipIf(!payments.ok)(`ownership of calls ${payments.reason}`, () => {
  const chains = shareChains()
  const gateway = sharePaidGateway(chains, { env: { STATUS_URL_KEY: statusUrlKey } })

  test.each(rails)(
    '%s: a wallet can read its purchases on either rail, and no other wallet can',
    async (rail) => {
      const { otherPayer } = chains().wallets
      const bought = await buy(gateway(), rail, 'test/echo', { text: `mine ${rail}` })
      const { transaction_id } = bought.body
      for (const by of rails) {
        const own = await buy(gateway(), by, 'tollway/result', { transaction_id })
        expect([own.status, own.body]).toMatchObject([
          200,
          { charged_cents: 0, data: { result: { echo: `mine ${rail}` } } },
        ])
        const theirs = await buy(
          gateway(),
          by,
          'tollway/result',
          { transaction_id },
          { wallet: otherPayer },
        )
        expect([theirs.status, theirs.body.error]).toEqual([404, 'not_found'])
        const listed = await payingFetch(
          by,
          chains(),
          otherPayer,
        )(`${gateway().url}/api/v1/transactions`, { method: 'GET' })
        expect(await listed.text()).not.toContain(transaction_id)
      }
      const { key } = await gateway().account(10)
      const byKey = await gateway().call('tollway/result', { transaction_id }, { key })
      expect(byKey.status).toBe(404)
    },
  )

  test('a vendor’s id belongs to the wallet that it was issued to, on either rail', async () => {
    const { otherPayer } = chains().wallets
    const bought = await buy(gateway(), 'x402', 'test/launch', { id: 'work-of-a-wallet' })
    expect(bought.status).toBe(200)
    const own = await buy(gateway(), 'mpp', 'test/poll', { id: 'work-of-a-wallet' })
    expect(own.status).toBe(200)
    const theirs = await buy(
      gateway(),
      'mpp',
      'test/poll',
      { id: 'work-of-a-wallet' },
      { wallet: otherPayer },
    )
    expect(theirs.status).toBe(404)
  })

  test.each(rails)(
    '%s: a proof of address counts once, and only for its own request',
    async (rail) => {
      const proof = await sign(gateway(), rail, 'test/free')
      expect((await present(gateway(), 'test/free', {}, proof)).status).toBe(200)
      const again = await present(gateway(), 'test/free', {}, proof)
      expect([again.status, again.body.error]).toEqual([402, 'payment_already_used'])
      const other = await sign(gateway(), rail, 'test/free')
      const elsewhere = await present(
        gateway(),
        'tollway/result',
        { transaction_id: crypto.randomUUID() },
        other,
      )
      // A payment of nothing over x402 names no action, but it is used up too.
      expect(elsewhere.status).toBe(rail === 'mpp' ? 402 : 404)
    },
  )

  test('a wallet signs in with its own client, once, and for this host alone', async () => {
    const account = privateKeyToAccount(chains().wallets.payer.privateKey)
    let header = ''
    const watch: typeof fetch = async (input, init) => {
      const request = new Request(input, init)
      header = request.headers.get(SIGN_IN_WITH_X) ?? header
      return await fetch(request)
    }
    const signIn = wrapFetchWithSIWx(watch, account)
    const url = `${gateway().url}/api/run/test/free`
    const signedIn = await signIn(url, post({}))
    expect(signedIn.status).toBe(200)
    const again = await present(gateway(), 'test/free', {}, { [SIGN_IN_WITH_X]: header })
    expect([again.status, again.body.error]).toEqual([402, 'payment_already_used'])
    const priced = await present(gateway(), 'test/echo', {}, { [SIGN_IN_WITH_X]: header })
    expect([priced.status, priced.body.error]).toEqual([402, 'payment_required'])

    const elsewhere = await startPaidGateway(chains())
    const refused = await present(elsewhere, 'test/free', {}, { [SIGN_IN_WITH_X]: header })
    expect([refused.status, refused.body.error]).toEqual([402, 'payment_invalid'])
  })

  test('an old sign-in is refused', async () => {
    const past = { ...systemClock, now: () => systemClock.now() - 600_000 }
    const slow = await startPaidGateway(chains(), { clock: past })
    const signIn = wrapFetchWithSIWx(fetch, privateKeyToAccount(chains().wallets.payer.privateKey))
    const reply = await signIn(`${slow.url}/api/run/test/free`, post({})).catch(() => undefined)
    expect(reply?.status).not.toBe(200)
  })

  test('the status address of a job is free for every client that has the exact address', async () => {
    const handle = await buy(gateway(), 'mpp', 'test/job', { steps: 1 })
    const { status_url, job_id } = handle.body.data
    const read = async (url: string) => (await fetch(url)).status
    const polled = await readReply(await fetch(`${status_url}&wait_seconds=10`))
    expect(polled.body).toMatchObject({ ok: true, charged_cents: 0, data: { job_id } })
    expect(polled.headers.get('ratelimit-limit')).not.toBeNull()
    const url = new URL(status_url)
    const changed = (change: (copy: URL) => void) => {
      const copy = new URL(url)
      change(copy)
      return copy.href
    }
    const otherJob = (await buy(gateway(), 'mpp', 'test/job', { steps: 2 })).body.data.job_id
    const expired = createUrlSigner({ key: statusUrlKey, clock: systemClock }).sign(
      'job status',
      job_id,
      Date.now() - 1_000,
    )
    const wrong = [
      changed((it) => it.searchParams.delete('sig')),
      changed((it) => it.searchParams.set('sig', 'AAAA')),
      changed((it) => it.searchParams.set('exp', String(Number(it.searchParams.get('exp')) + 1))),
      changed((it) => {
        it.pathname = `/api/jobs/${otherJob}`
      }),
      `${gateway().url}/api/jobs/${job_id}?${expired}`,
      `${gateway().url}/api/jobs/${job_id}`,
    ]
    for (const address of wrong) expect([address, await read(address)]).toEqual([address, 404])
    const right = createUrlSigner({ key: statusUrlKey, clock: systemClock }).sign(
      'job status',
      job_id,
      Date.now() + 60_000,
    )
    expect(await read(`${gateway().url}/api/jobs/${job_id}?${right}`)).toBe(200)
  })
})

describe.skipIf(!payments.ok)(`a gateway with wrong settings ${payments.reason}`, () => {
  const chains = shareChains()
  const offers = async (url: string) => {
    const { headers, status } = await challenge({ url }, 'test/echo')
    return {
      status,
      x402: headers.has('payment-required'),
      mpp: headers.get('www-authenticate')?.startsWith('Payment') === true,
    }
  }
  const both: [string, Record<string, string>, Partial<Record<ChainRail, boolean>>][] = [
    ['another chain behind the x402 address', { X402_NETWORK: 'eip155:8453' }, { mpp: true }],
    ['a token that signs by another name', { X402_ASSET_NAME: 'USD Coin' }, { mpp: true }],
    [
      'no token at the address',
      { X402_ASSET: `0x${'1'.repeat(40)}`, X402_ASSET_NAME: 'USDC' },
      { mpp: true },
    ],
    ['a gas wallet that is empty', { X402_GAS_KEY: `0x${'7'.repeat(64)}` }, { mpp: true }],
    ['another chain behind the MPP address', { MPP_CHAIN_ID: '42431' }, { x402: true }],
    ['no MPP token at the address', { MPP_CURRENCY: `0x${'1'.repeat(40)}` }, { x402: true }],
    ['no node for MPP', { MPP_RPC_URL: 'http://127.0.0.1:9' }, { x402: true }],
  ]
  test.each(both)('%s: that rail is off, and the other works', async (_name, env, working) => {
    const gateway = await startPaidGateway(chains(), { env })
    expect(await offers(gateway.url)).toEqual({ status: 402, x402: false, mpp: false, ...working })
    expect(gateway.log.messages('error').join()).toMatch(/payment rail is off/)
    const rail: ChainRail = working.mpp ? 'mpp' : 'x402'
    expect((await buy(gateway, rail, 'test/echo')).status).toBe(200)
  })

  test('without any node only accounts are served', async () => {
    const env = { X402_RPC_URL: 'http://127.0.0.1:9', MPP_RPC_URL: 'http://127.0.0.1:9' }
    const gateway = await startPaidGateway(chains(), { env })
    expect(await offers(gateway.url)).toEqual({ status: 401, x402: false, mpp: false })
    const account = await gateway.account(10)
    expect((await account.call('test/echo', {})).status).toBe(200)
  })

  test('no failure logs or returns a key, credential, transaction or node address', async () => {
    const till = await openTill(chains())
    const secretPath = '/v3/secret-node-key'
    const env = {
      X402_RPC_URL: till.node.x402.rpcUrl + secretPath,
      MPP_RPC_URL: till.node.mpp.rpcUrl + secretPath,
      SETTLE_BEFORE_CENTS: '0',
    }
    const { clock, hurry } = createHurriedClock()
    const gateway = await startPaidGateway(chains(), { till, env, clock })
    const told: string[] = []
    const secrets = [
      secretPath,
      till.node.x402.rpcUrl,
      till.node.mpp.rpcUrl,
      chains().x402.rpcUrl,
      till.gasWallet.privateKey.slice(2),
      till.refundWallet.privateKey.slice(2),
      till.env.MPP_SECRET_KEY ?? '',
    ]
    const use = async (rail: ChainRail, action: string, body: unknown = {}) => {
      const payment = await sign(gateway, rail, action, body)
      for (const value of Object.values(payment)) secrets.push(value.replace('Payment ', ''))
      secrets.push(
        rail === 'mpp'
          ? String(readMpp(payment).payload.signature).slice(2)
          : String(readX402(payment).payload.signature).slice(2),
      )
      const reply = await present(gateway, action, body, payment)
      told.push(JSON.stringify([reply.body, [...reply.headers]]))
      return reply.status
    }
    for (const rail of rails) {
      const node = till.node[rail]
      expect(await use(rail, 'test/fails', { code: 'crash' })).toBe(500)
      const leaky = { code: -32_000, message: `${node.rpcUrl}${secretPath} said no` }
      // Many times, since the gateway also checks its chains in the background.
      node.refuse('eth_call', leaky, 1_000)
      expect([402, 503]).toContain(await use(rail, 'test/echo'))
      node.down()
      const away = present(gateway, 'test/echo', {}, await sign(gateway, rail, 'test/echo'))
      told.push(JSON.stringify((await away).body))
      node.up()
      node.refuse('eth_sendRawTransaction', leaky, 3)
      node.refuse('eth_getTransactionReceipt', leaky, 3)
      await use(rail, 'test/echo')
      node.up()
    }
    hurry()
    for (const rail of rails) till.node[rail].refuse(/receipt|getLogs/i, undefined, 1_000_000)
    for (const rail of rails) expect([402, 503]).toContain(await use(rail, 'test/echo'))
    const challenged = await challenge(gateway, 'test/echo')
    told.push(JSON.stringify([...challenged.headers]))
    const logged = gateway.log.text()
    expect(logged.length).toBeGreaterThan(200)
    for (const secret of secrets) {
      const where = [logged, ...told].filter((text) => text.includes(secret))
      expect([secret.slice(0, 40), where.map((text) => text.slice(0, 400))]).toEqual([
        secret.slice(0, 40),
        [],
      ])
    }
  })
})

describe.skipIf(!payments.ok)(`rails for the operator ${payments.reason}`, () => {
  const chains = shareChains()
  const gateway = sharePaidGateway(chains)
  const show = async () =>
    (await gateway().request('GET', '/api/v1/admin/payments', { key: adminToken })).body

  test('the settlements that the gas wallet still pays for are counted, and few of them are a warning', async () => {
    const { x402 } = chains()
    const { address } = gateway().till.gasWallet
    const { rails } = await show()
    expect(rails).toMatchObject({
      x402: { on: true, gas: { address: address.toLowerCase(), is_low: false } },
      mpp: { on: true, gas: null },
    })
    expect(rails.x402.gas).toMatchObject({ balance_coin: '100.000000000000000000' })
    const perSettlement = BigInt(await x402.rpc('eth_gasPrice')) * 150_000n
    const setBalance = (wei: bigint) =>
      x402.rpc('anvil_setBalance', [address, `0x${wei.toString(16)}`])
    await setBalance(perSettlement * 7n)
    const { gas } = (await show()).rails.x402
    expect(gas).toMatchObject({ is_low: true, advice: expect.stringContaining(gas.address) })
    // The price of gas falls with each empty block.
    expect(gas.transactions_left).toBeGreaterThanOrEqual(7)
    await setBalance(100n * 10n ** 18n)
    expect((await show()).rails.x402.gas.is_low).toBe(false)
  })

  test('a payment that its chain does not take is stuck after a while, and says what to do', async () => {
    const { x402: node } = gateway().till.node
    node.dropRequest('eth_sendRawTransaction', 1_000)
    const buying = buy(gateway(), 'x402', 'test/echo', { text: 'stuck' })
    await until(async () => (await show()).open_payments[0]?.state === 'settling')
    expect((await show()).open_payments).toMatchObject([{ is_stuck: false, advice: null }])
    await gateway().database.query(
      `update payment set created_at = created_at - interval '11 minutes' where state = 'settling'`,
    )
    const [stuck] = (await show()).open_payments
    expect(stuck).toMatchObject({ rail: 'x402', is_stuck: true })
    expect(stuck.advice).toMatch(/Look up 0x[0-9a-f]{64} in an explorer/)
    node.up()
    await buying
    await until(async () => (await show()).open_payments.length === 0)
  })
})
