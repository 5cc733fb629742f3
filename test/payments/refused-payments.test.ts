// A payment that does not match its exact request is answered with a new challenge. Nothing runs and nothing is taken.
import { request } from 'undici'
import { describe, expect, test } from 'vitest'
import { expectBooksRight } from './books.ts'
import {
  attributionMemo,
  decode,
  encode,
  forgeMpp,
  forgeX402,
  readMpp,
  readX402,
  signCalls,
  tempoClient,
  transferWithMemo,
  writeChallenge,
} from './forgeries.ts'
import {
  type ChainRail,
  type PaidGateway,
  payments,
  rails,
  shareChains,
  sharePaidGateway,
  startPaidGateway,
} from './paid-gateway.ts'
import { type Headers, present, received, sign } from './payers.ts'

const elsewhere = '0x00000000000000000000000000000000000e15e0'
const curveOrder = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
const nowS = () => Math.floor(Date.now() / 1_000)

describe.skipIf(!payments.ok)(`payments that do not pay ${payments.reason}`, () => {
  const chains = shareChains()
  const gateway = sharePaidGateway(chains)

  /** Asserts a refusal with a challenge and without any other effect. */
  async function expectRefused(
    headers: Headers,
    { action = 'test/echo', body = {} as unknown, code = 'payment_invalid', at = gateway() } = {},
  ) {
    const before = await state(at)
    const reply = await present(at, action, body, headers)
    expect([reply.status, reply.body.error]).toEqual([402, code])
    expect(reply.headers.get('www-authenticate')).toMatch(/^Payment /)
    expect(reply.body).toMatchObject({ ok: false, message: expect.any(String) })
    expect(await state(at)).toEqual(before)
    return reply.body.message as string
  }

  async function state(at: PaidGateway) {
    const balances = await Promise.all(rails.map((rail: ChainRail) => received(at, rail)))
    return { balances, ran: at.provider.asked.length }
  }

  describe.each(rails)('%s', (rail) => {
    test('a settled payment that is presented again returns the stored answer and moves no money', async () => {
      const body = { text: `again ${rail}` }
      const payment = await sign(gateway(), rail, 'test/echo', body)
      const first = await present(gateway(), 'test/echo', body, payment)
      expect(first.status).toBe(200)
      const before = await state(gateway())
      const second = await present(gateway(), 'test/echo', body, payment)
      expect([second.status, second.body]).toEqual([200, first.body])
      const receipt = rail === 'x402' ? 'payment-response' : 'payment-receipt'
      expect(second.headers.get(receipt)).not.toBeNull()
      expect(await state(gateway())).toEqual(before)
    })

    test('a settled payment does not pay for another body or action', async () => {
      const payment = await sign(gateway(), rail, 'test/echo', { text: 'mine' })
      expect((await present(gateway(), 'test/echo', { text: 'mine' }, payment)).status).toBe(200)
      const code = 'payment_already_used'
      await expectRefused(payment, { body: { text: 'yours' }, code })
      await expectRefused(payment, { action: 'test/nonsense', body: { text: 'mine' }, code })
    })

    test('a payment buys neither a more expensive call nor a cheaper one', async () => {
      const cheap = await sign(gateway(), rail, 'test/echo')
      await expectRefused(cheap, { action: 'test/launch', body: { id: `work ${rail}` } })
      const dear = await sign(gateway(), rail, 'test/launch', { id: `work ${rail}` })
      await expectRefused(dear, { body: {} })
    })
  })

  test('an unsettled MPP payment does not pay for another body or action at the same price', async () => {
    const payment = await sign(gateway(), 'mpp', 'test/echo', { text: 'mine' })
    expect(await expectRefused(payment, { body: { text: 'yours' } })).toMatch(/another body/)
    expect(
      await expectRefused(payment, { action: 'test/nonsense', body: { text: 'mine' } }),
    ).toMatch(/another action/)
    expect((await present(gateway(), 'test/echo', { text: 'mine' }, payment)).status).toBe(200)
  })

  describe('x402', () => {
    const forged = (change: Parameters<typeof forgeX402>[3]) =>
      forgeX402(gateway(), 'test/echo', {}, change)

    test.each([
      ['one unit less', { authorization: { value: 19_999n } }],
      ['one unit more', { authorization: { value: 20_001n } }],
      ['another payee', { authorization: { to: elsewhere } }],
      ['another payee, whom it accepts too', { terms: { payTo: elsewhere } }],
      ['another amount, which it accepts too', { terms: { amount: '1' } }],
      ['another token', { terms: { asset: elsewhere } }],
      ['another token in what was signed', { domain: { verifyingContract: elsewhere } }],
      ['another network', { terms: { network: 'eip155:8453' } }],
      ['another network in what was signed', { domain: { chainId: 8_453 } }],
      ['another name in what was signed', { domain: { name: 'USD Coin' } }],
      ['another version in what was signed', { domain: { version: '1' } }],
      ['an end in the past', { authorization: { validBefore: BigInt(nowS() - 1) } }],
      ['an end too near', { authorization: { validBefore: BigInt(nowS() + 4) } }],
      ['an end far away', { authorization: { validBefore: BigInt(nowS() + 86_400 * 365) } }],
      ['an end beyond numbers', { authorization: { validBefore: 2n ** 256n - 1n } }],
      ['a beginning in the future', { authorization: { validAfter: BigInt(nowS() + 3_600) } }],
    ] as [string, Parameters<typeof forgeX402>[3]][])('%s', async (_name, change) => {
      await expectRefused(await forged(change))
    })

    const signatures: [string, (signature: string) => string][] = [
      ['of another key', () => `0x${'1'.repeat(128)}1b`],
      ['in its high form', (signature) => highForm(signature)],
      ['of 64 bytes', (signature) => signature.slice(0, -2)],
      ['of no bytes', () => '0x'],
      ['of 10 KB', (signature) => signature + '00'.repeat(10_000)],
      ['of 3 KB', (signature) => signature + '00'.repeat(3_000)],
      ['of a contract that is not there', (signature) => `${signature}00`],
      ['with a recovery number of 2', (signature) => `${signature.slice(0, -2)}02`],
      ['with a recovery number of 29', (signature) => `${signature.slice(0, -2)}1d`],
      ['flipped', (signature) => signature.slice(0, -2) + (signature.endsWith('1b') ? '1c' : '1b')],
    ]
    test.each(signatures)('a signature %s', async (_name, change) => {
      const headers = await forged({
        written: (payment) => ({
          ...payment,
          payload: { ...payment.payload, signature: change(payment.payload.signature) },
        }),
      })
      const reply = await present(gateway(), 'test/echo', {}, headers)
      // Longer than any payment, so it is not read.
      const long = (headers['payment-signature'] ?? '').length > 12_000
      if (long) expect([400, 431]).toContain(reply.status)
      else await expectRefused(headers)
    })

    test('the payer of another authorization', async () => {
      const { otherPayer } = chains().wallets
      await expectRefused(await forged({ authorization: { from: otherPayer.address } }))
    })

    test('both encodings of the recovery number are the same payment', async () => {
      const payment = await forged({})
      const zero = await forged({})
      const written = readX402(payment)
      const { signature } = written.payload
      const last = signature.endsWith('1b') ? '00' : '01'
      const low = {
        ...written,
        payload: { ...written.payload, signature: signature.slice(0, -2) + last },
      }
      const first = await present(
        gateway(),
        'test/echo',
        {},
        { 'payment-signature': Buffer.from(JSON.stringify(low)).toString('base64') },
      )
      expect(first.status).toBe(200)
      const before = await state(gateway())
      const second = await present(gateway(), 'test/echo', {}, payment)
      expect([second.status, second.body]).toEqual([200, first.body])
      expect(await state(gateway())).toEqual(before)
      expect(zero).not.toEqual(payment)
    })

    test('upper-case addresses are the same payment', async () => {
      const payment = await forged({})
      expect((await present(gateway(), 'test/echo', {}, payment)).status).toBe(200)
      const written = readX402(payment)
      const shout = (hex: string) => `0x${hex.slice(2).toUpperCase()}`
      const { authorization } = written.payload
      const loud = {
        ...written,
        payload: {
          ...written.payload,
          authorization: {
            ...authorization,
            from: shout(authorization.from ?? ''),
            nonce: shout(authorization.nonce ?? ''),
          },
        },
      }
      await expectRefused(
        { 'payment-signature': Buffer.from(JSON.stringify(loud)).toString('base64') },
        { body: { text: 'another' }, code: 'payment_already_used' },
      )
    })

    test('a payer without the money', async () => {
      const poor = await chains().createPayer(19_999n)
      expect(await expectRefused(await forged({ key: poor.privateKey }))).toMatch(/not hold enough/)
    })

    test('a free action refuses a priced payment, and a priced action a payment of nothing', async () => {
      await expectRefused(await sign(gateway(), 'x402', 'test/free'))
      await expectRefused(await sign(gateway(), 'x402', 'test/echo'), { action: 'test/free' })
    })
  })

  describe('MPP', () => {
    const changes: [string, (challenge: Record<string, string>) => void][] = [
      ['amount', (it) => rewrite(it, 'request', { amount: '1' })],
      ['recipient', (it) => rewrite(it, 'request', { recipient: elsewhere })],
      ['currency', (it) => rewrite(it, 'request', { currency: elsewhere })],
      [
        'expires',
        (it) => {
          it.expires = new Date(Date.now() + 3_600_000).toISOString()
        },
      ],
      [
        'realm',
        (it) => {
          it.realm = 'elsewhere.example'
        },
      ],
      ['opaque', (it) => rewrite(it, 'opaque', { n: 'another' })],
      [
        'digest',
        (it) => {
          it.digest = 'sha-256=:AAAA:'
        },
      ],
      [
        'id',
        (it) => {
          it.id = `${it.id?.startsWith('A') ? 'B' : 'A'}${it.id?.slice(1)}`
        },
      ],
      [
        'method',
        (it) => {
          it.method = 'stripe'
        },
      ],
      [
        'intent',
        (it) => {
          it.intent = 'session'
        },
      ],
    ]
    test.each(changes)('a challenge with another %s', async (_name, change) => {
      const payment = await sign(gateway(), 'mpp', 'test/echo')
      await expectRefused(forgeMpp(payment, ({ challenge }) => change(challenge)))
    })

    test.each(['digest', 'opaque', 'expires', 'id'])('a challenge without its %s', async (name) => {
      const payment = await sign(gateway(), 'mpp', 'test/echo')
      await expectRefused(forgeMpp(payment, ({ challenge }) => void delete challenge[name]))
    })

    test('a challenge that has expired', async () => {
      const secretKey = gateway().till.env.MPP_SECRET_KEY ?? ''
      const payment = await sign(gateway(), 'mpp', 'test/echo')
      const rewritten = (expires: string) =>
        forgeMpp(payment, (it) => {
          it.challenge = writeChallenge(it.challenge, { secretKey, expires })
        })
      expect(await expectRefused(rewritten(new Date(Date.now() - 1_000).toISOString()))).toMatch(
        /has expired/,
      )
      // With a valid expiry it fails only for its memo, so the forgery is otherwise correct.
      const message = await expectRefused(rewritten(new Date(Date.now() + 60_000).toISOString()))
      expect(message).toMatch(/does not match its challenge/)
    })

    test('a challenge by the previous secret is accepted during its rotation, and by any other secret is refused', async () => {
      const { till } = gateway()
      const rotated = await startPaidGateway(chains(), {
        till,
        databaseUrl: gateway().databaseUrl,
        env: {
          MPP_SECRET_KEY: 'the new secret of the tests, long enough',
          MPP_SECRET_KEY_PREVIOUS: till.env.MPP_SECRET_KEY ?? '',
        },
      })
      const old = await sign(gateway(), 'mpp', 'test/echo', { text: 'old' })
      expect((await present(rotated, 'test/echo', { text: 'old' }, old)).status).toBe(200)
      const fresh = await sign(rotated, 'mpp', 'test/echo')
      expect((await present(rotated, 'test/echo', {}, fresh)).status).toBe(200)
      await expectRefused(await sign(rotated, 'mpp', 'test/echo'))
    })

    describe('a signed transaction that', () => {
      async function forgeCalls(
        make: (payment: { memo: `0x${string}` }) => { to: `0x${string}`; data: `0x${string}` }[],
        validForS: number | null = 25,
        change: Parameters<typeof signCalls>[4] = {},
      ): Promise<Headers> {
        const payment = await sign(gateway(), 'mpp', 'test/echo')
        const { wallets } = chains()
        const { id = '', realm = '' } = readMpp(payment).challenge
        const memo = attributionMemo(id, realm)
        const signature = await signCalls(
          chains(),
          wallets.payer,
          make({ memo }),
          validForS,
          change,
        )
        return forgeMpp(payment, ({ payload }) => {
          payload.signature = signature
        })
      }
      const pay = (memo: `0x${string}`, to = gateway().till.payTo, amount = 20_000n) =>
        transferWithMemo(chains(), to, amount, memo)

      test('is built by hand in the same way as by clients is accepted', async () => {
        const reply = await present(
          gateway(),
          'test/echo',
          {},
          await forgeCalls(({ memo }) => [pay(memo)]),
        )
        expect(reply.status).toBe(200)
      })
      test('depends on earlier transactions of its payer', async () => {
        const change = { nonceKey: 0n, nonce: 1_000 }
        await expectRefused(await forgeCalls(({ memo }) => [pay(memo)], 25, change))
      })
      test('has the memo of another challenge', async () => {
        const other = attributionMemo('another', '127.0.0.1')
        await expectRefused(await forgeCalls(() => [pay(other)]))
      })
      test('makes a further call', async () => {
        await expectRefused(await forgeCalls(({ memo }) => [pay(memo), pay(memo, elsewhere, 1n)]))
        await expectRefused(await forgeCalls(({ memo }) => [pay(memo), pay(memo)]))
      })
      test('pays another recipient or amount', async () => {
        await expectRefused(await forgeCalls(({ memo }) => [pay(memo, elsewhere)]))
        await expectRefused(
          await forgeCalls(({ memo }) => [pay(memo, gateway().till.payTo, 19_999n)]),
        )
        await expectRefused(
          await forgeCalls(({ memo }) => [pay(memo, gateway().till.payTo, 20_001n)]),
        )
      })
      test('belongs to another challenge', async () => {
        const one = await sign(gateway(), 'mpp', 'test/echo')
        const other = await sign(gateway(), 'mpp', 'test/echo')
        const { payload } = readMpp(other)
        await expectRefused(
          forgeMpp(one, (it) => {
            it.payload = payload
          }),
        )
      })
      test('has expired', async () => {
        await expectRefused(await forgeCalls(({ memo }) => [pay(memo)], -5))
      })
      test('expires late or never', async () => {
        await expectRefused(await forgeCalls(({ memo }) => [pay(memo)], null))
        await expectRefused(await forgeCalls(({ memo }) => [pay(memo)], 120))
      })
    })

    test('a transfer that the payer has sent itself, in any notation of its hash', async () => {
      const { wallets, mpp } = chains()
      const client = tempoClient(chains(), wallets.payer)
      const at = await startPaidGateway(chains())
      const payment = await sign(at, 'mpp', 'test/echo')
      const { receipt } = await client.token.transferSync({
        token: mpp.asset,
        to: at.till.payTo,
        amount: 20_000n,
      })
      const hash = receipt.transactionHash
      for (const written of [hash, hash.toUpperCase().replace('0X', '0x'), hash.slice(2)])
        await expectRefused(
          forgeMpp(payment, (it) => {
            it.payload = { type: 'hash', hash: written }
          }),
          { at },
        )
    })

    test('a proof of address, on an action that has a price', async () => {
      const proof = await sign(gateway(), 'mpp', 'test/free')
      await expectRefused(proof)
      const payment = await sign(gateway(), 'mpp', 'test/echo')
      const { payload } = readMpp(proof)
      await expectRefused(
        forgeMpp(payment, (it) => {
          it.payload = payload
        }),
      )
    })

    test('a payer without the money', async () => {
      const leaving = await chains().createPayer(100_000n)
      const payment = await sign(gateway(), 'mpp', 'test/echo', {}, { wallet: leaving })
      await tempoClient(chains(), leaving).token.transferSync({
        token: chains().mpp.asset,
        to: elsewhere,
        amount: 90_000n,
      })
      expect(await expectRefused(payment)).toMatch(/not hold enough/)
    })
  })

  describe('headers that are not a payment', () => {
    const garbage = [
      '',
      '%%%',
      'e30=',
      'bnVsbA==',
      'W10=',
      '=',
      'eyJ4NDAyVmVyc2lvbiI6Mn0=',
      'a'.repeat(9_000),
    ]
    test.each(garbage)('x402: %s', async (text) => {
      const reply = await present(gateway(), 'test/echo', {}, { 'payment-signature': text })
      expect([400, 402]).toContain(reply.status)
      if (reply.status === 402) expect(reply.headers.get('payment-required')).not.toBeNull()
    })
    const credentials = [
      'x',
      'e30',
      encode({ challenge: {} }),
      encode(null),
      encode({ challenge: { id: 'a', request: 'x' }, payload: {} }),
      'a'.repeat(9_000),
    ]
    test.each(credentials)('MPP: %s', async (text) => {
      const reply = await present(gateway(), 'test/echo', {}, { authorization: `Payment ${text}` })
      expect([reply.status, reply.body.error]).toEqual([402, 'payment_invalid'])
      expect(reply.headers.get('www-authenticate')).toMatch(/^Payment /)
    })

    test('two payments, or a payment and an API key, are refused as ambiguous', async () => {
      const before = await state(gateway())
      const x402 = await sign(gateway(), 'x402', 'test/echo')
      const mpp = await sign(gateway(), 'mpp', 'test/echo')
      const { key } = await gateway().account(100)
      for (const headers of [
        { ...x402, ...mpp },
        { ...x402, authorization: `Bearer ${key}` },
      ]) {
        const reply = await present(gateway(), 'test/echo', {}, headers)
        expect([reply.status, reply.body.error]).toEqual([400, 'bad_request'])
      }
      for (const [name, value] of [...Object.entries(x402), ...Object.entries(mpp)]) {
        const twice = await request(`${gateway().url}/api/run/test/echo`, {
          method: 'POST',
          headers: { [name]: [value, value] },
          body: '{}',
        })
        await twice.body.dump()
        expect([name, twice.statusCode]).toEqual([name, 400])
      }
      expect(await state(gateway())).toEqual(before)
    })

    test('headers of 20 KB are refused by Node, and headers of 13 KB by this gateway', async () => {
      for (const [length, status] of [
        [20_000, 431],
        [13_000, 400],
      ] as const) {
        const reply = await present(
          gateway(),
          'test/echo',
          {},
          { 'payment-signature': 'a'.repeat(length) },
        )
        expect([length, reply.status]).toEqual([length, status])
      }
    })

    test('a request with a bad API key is refused for it, and not challenged to pay by wallet', async () => {
      const reply = await present(gateway(), 'test/echo', {}, { authorization: 'Bearer nonsense' })
      expect([reply.status, reply.headers.get('payment-required')]).toEqual([401, null])
      expect(reply.headers.get('www-authenticate')).toMatch(/^Bearer resource_metadata=/)
    })
  })

  test('afterwards the books equal the chains', () => expectBooksRight(gateway()))
})

function rewrite(challenge: Record<string, string>, field: string, change: object) {
  challenge[field] = encode({ ...decode(challenge[field]), ...change })
}

function highForm(signature: string): string {
  const s = BigInt(`0x${signature.slice(66, 130)}`)
  const v = signature.endsWith('1b') ? '1c' : '1b'
  return `${signature.slice(0, 66)}${(curveOrder - s).toString(16).padStart(64, '0')}${v}`
}
