import { randomBytes } from 'node:crypto'
import { toHex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { systemClock } from '#platform/clock.ts'
import { type Chains, chainsAvailable, startChains } from '#test/chains/chains.ts'
import { until } from '#test/until.ts'
import {
  ChainRefusal,
  ChainUnavailable,
  createMemoryNonceLane,
  type Hex,
  type NonceLane,
  type Receipt,
} from './chain.ts'
import { authorizationTypes, carriesOut, refundName, type SignedAuthorization } from './dollar.ts'
import { createEvmChain, type EvmChain, type EvmChainDependencies } from './evm.ts'

const available = chainsAvailable()
let lane: NonceLane
let chains: Chains
let chain: EvmChain

function open(options: Partial<EvmChainDependencies> = {}): EvmChain {
  const { x402, wallets } = chains
  return createEvmChain({
    rpcUrl: x402.rpcUrl,
    chainId: x402.chainId,
    asset: x402.asset,
    assetName: 'USDC',
    assetVersion: '2',
    gasKey: wallets.gas.privateKey,
    refundKey: wallets.refund.privateKey,
    nonceLane: lane,
    clock: systemClock,
    ...options,
  })
}

async function pay(
  options: { key?: Hex; to?: Hex; value?: bigint; validBefore?: bigint; nonce?: Hex } = {},
): Promise<SignedAuthorization> {
  const account = privateKeyToAccount(options.key ?? chains.wallets.payer.privateKey)
  const authorization = {
    from: account.address.toLowerCase() as Hex,
    to: options.to ?? chains.wallets.payTo.address,
    value: options.value ?? 20_000n,
    validAfter: 0n,
    validBefore: options.validBefore ?? BigInt((await chain.head()).timestampS + 600),
    nonce: options.nonce ?? toHex(randomBytes(32)),
  }
  const signature = await account.signTypedData({
    domain: {
      name: 'USDC',
      version: '2',
      chainId: chains.x402.chainId,
      verifyingContract: chains.x402.asset,
    },
    types: authorizationTypes,
    primaryType: 'TransferWithAuthorization',
    message: authorization,
  })
  return { authorization, signature }
}

const triesPerBlock = 50

async function receiptOf(hash: Hex): Promise<Receipt> {
  let found = await chain.receipt(hash)
  let tries = 0
  await until(
    async () => {
      found ??= await chain.receipt(hash)
      // A node that mines at each transaction leaves those for the next one that come while it mines.
      if (found === undefined && ++tries % triesPerBlock === 0) await chains.x402.mine(1)
      return found !== undefined
    },
    { everyMs: 10 },
  )
  return found as Receipt
}

describe.skipIf(!available.ok)(`the chain of x402 ${available.reason}`, () => {
  beforeAll(async () => {
    chains = await startChains()
    lane = createMemoryNonceLane()
    chain = open()
  })
  afterAll(async () => {
    await chain?.close()
    await chains?.stop()
  })

  test('a payment is signed first, sent later, carried out once, and found again by its nonce', async () => {
    const payment = await pay()
    const { from, nonce } = payment.authorization
    expect(await chain.simulateTransferWithAuthorization(payment)).toEqual({ ok: true })
    const before = await chain.balanceOf(chains.wallets.payTo.address)
    const signed = await chain.signSettlement(payment)
    expect(await chain.receipt(signed.hash)).toBeUndefined()
    expect(await chain.authorizationState(from, nonce)).toBe(false)
    expect(await chain.findAuthorizationUsed(from, nonce)).toBeUndefined()

    expect(await chain.broadcast(signed.raw)).toEqual({ outcome: 'accepted' })
    const receipt = await receiptOf(signed.hash)
    expect(carriesOut(receipt, chain.asset, payment.authorization)).toBe(true)
    expect(await chain.balanceOf(chains.wallets.payTo.address)).toBe(before + 20_000n)
    expect(await chain.authorizationState(from, nonce)).toBe(true)
    expect(
      await chain.findAuthorizationUsed(from, nonce, { fromBlock: signed.signedAtBlock }),
    ).toBe(signed.hash)
    // Sent again, it is at most refused for its number and moves nothing.
    expect(await chain.broadcast(signed.raw)).toEqual({
      outcome: 'refused',
      reason: 'nonce_too_low',
    })
    expect(await chain.simulateTransferWithAuthorization(payment)).toEqual({
      ok: false,
      reason: 'nonce_used',
    })
    expect(await chain.balanceOf(chains.wallets.payTo.address)).toBe(before + 20_000n)
  })

  test('fifty concurrent payments are all carried out', async () => {
    const payments = await Promise.all(Array.from({ length: 50 }, () => pay()))
    const signed = await Promise.all(payments.map((payment) => chain.signSettlement(payment)))
    expect(new Set(signed.map(({ gasNonce }) => gasNonce)).size).toBe(50)
    // In any order: a node keeps those with later numbers until the earlier ones arrive.
    const sent = await Promise.all(signed.toReversed().map(({ raw }) => chain.broadcast(raw)))
    expect(sent.every(({ outcome }) => outcome === 'accepted')).toBe(true)
    const receipts = await Promise.all(signed.map(({ hash }) => receiptOf(hash)))
    expect(receipts.every(({ status }) => status === 'success')).toBe(true)
  })

  const refusals: [string, () => Promise<SignedAuthorization>, string][] = [
    [
      'a payer with too little money',
      async () => pay({ key: (await chains.createPayer(5n)).privateKey }),
      'insufficient_balance',
    ],
    ['an authorization that is past', () => pay({ validBefore: 1n }), 'expired'],
    [
      'a signature for another amount',
      async () => {
        const payment = await pay()
        return { ...payment, authorization: { ...payment.authorization, value: 1n } }
      },
      'invalid_signature',
    ],
    [
      'a payer whom the token blocks',
      async () => {
        const { address, privateKey } = await chains.createPayer()
        await chains.x402.block(address)
        return pay({ key: privateKey })
      },
      'blocked',
    ],
  ]
  test.each(refusals)('%s is refused before anything is signed', async (_name, make, reason) => {
    const payment = await make()
    expect(await chain.simulateTransferWithAuthorization(payment)).toEqual({ ok: false, reason })
    const { pending } = await chain.gasNonces()
    await expect(chain.signSettlement(payment)).rejects.toMatchObject({
      constructor: ChainRefusal,
      reason,
    })
    // No number was used, so no gap delays the next payment.
    const next = await chain.signSettlement(await pay())
    expect(next.gasNonce).toBe(pending)
    expect(await chain.broadcast(next.raw)).toEqual({ outcome: 'accepted' })
    await receiptOf(next.hash)
  })

  test('a reply that is lost leaves the outcome unknown, and the transaction is found by its hash', async () => {
    const door = await chains.x402.proxy()
    const behindDoor = open({ rpcUrl: door.rpcUrl })
    onTestFinished(behindDoor.close)
    const payment = await pay()
    const signed = await behindDoor.signSettlement(payment)
    door.dropReply('eth_sendRawTransaction')
    await expect(behindDoor.broadcast(signed.raw)).rejects.toThrow(ChainUnavailable)
    expect((await receiptOf(signed.hash)).status).toBe('success')
  })

  test('an error of a node with unknown wording does not count as a refusal', async () => {
    const door = await chains.x402.proxy()
    const behindDoor = open({ rpcUrl: door.rpcUrl })
    onTestFinished(behindDoor.close)
    const payment = await pay()
    const signed = await chain.signSettlement(payment)
    door.refuse('eth_sendRawTransaction', { code: -32_603, message: 'Internal error' })
    await expect(behindDoor.broadcast(signed.raw)).rejects.toThrow(ChainUnavailable)
    door.refuse('eth_call', { code: -32_005, message: 'rate limit exceeded' })
    await expect(behindDoor.simulateTransferWithAuthorization(payment)).rejects.toThrow(
      ChainUnavailable,
    )
    await chain.broadcast(signed.raw)
    await receiptOf(signed.hash)
  })

  test('no error names the address of the node or what was sent', async () => {
    const door = await chains.x402.proxy()
    const behindDoor = open({ rpcUrl: `${door.rpcUrl}/v2/secret-key?token=secret-key` })
    onTestFinished(behindDoor.close)
    const { raw, hash } = await chain.signSettlement(await pay())
    door.refuse('eth_sendRawTransaction', {
      code: -32_603,
      message: `${door.rpcUrl}/v2/secret-key: ${raw}`,
    })
    const first = await behindDoor.broadcast(raw).catch((error: Error) => error)
    door.down()
    const second = await behindDoor.broadcast(raw).catch((error: Error) => error)
    const { problems } = await behindDoor.selfCheck()
    for (const error of [first, second]) expect(error).toBeInstanceOf(ChainUnavailable)
    for (const said of [
      ...[first, second].map((error) =>
        JSON.stringify([String(error), error, (error as Error).cause]),
      ),
      ...problems,
    ]) {
      expect(said).not.toMatch(/secret-key|127\.0\.0\.1|0x02/)
    }
    expect(problems).toHaveLength(1)
    await chain.broadcast(raw)
    await receiptOf(hash)
  })

  test('a transaction that was signed and never sent holds up the later ones until its gap is filled', async () => {
    const lost = await chain.signSettlement(await pay())
    const later = await chain.signSettlement(await pay())
    await chain.broadcast(later.raw)
    expect(await chain.gasNonces()).toEqual({ mined: lost.gasNonce, pending: lost.gasNonce })
    const filler = await chain.fillGap(lost.gasNonce)
    expect(await chain.broadcast(filler.raw)).toEqual({ outcome: 'accepted' })
    expect((await receiptOf(later.hash)).status).toBe('success')
    expect(await chain.broadcast(lost.raw)).toEqual({ outcome: 'refused', reason: 'nonce_too_low' })
  })

  test('a transaction that pays more replaces a stuck one, and the money moves once', async () => {
    await chains.x402.automine(false)
    const payment = await pay()
    const stuck = await chain.signSettlement(payment)
    await chain.broadcast(stuck.raw)
    expect(await chain.broadcast(stuck.raw)).toEqual({ outcome: 'known' })
    expect(await chain.receipt(stuck.hash)).toBeUndefined()
    const dearer = await chain.signSettlement(payment, { replaces: stuck.raw })
    expect(dearer.gasNonce).toBe(stuck.gasNonce)
    expect(await chain.broadcast(dearer.raw)).toEqual({ outcome: 'accepted' })
    await chains.x402.automine(true)
    expect(carriesOut(await receiptOf(dearer.hash), chain.asset, payment.authorization)).toBe(true)
    expect(await chain.receipt(stuck.hash)).toBeUndefined()
  })

  test('a receipt counts at the depth that the operator has set', async () => {
    const careful = open({ confirmations: 3 })
    onTestFinished(careful.close)
    await chains.x402.automine(false)
    const { raw, hash } = await careful.signSettlement(await pay())
    await careful.broadcast(raw)
    await chains.x402.mine(2)
    expect(await careful.receipt(hash)).toBeUndefined()
    await chains.x402.mine()
    expect((await careful.receipt(hash))?.status).toBe('success')
    await chains.x402.automine(true)
  })

  test('a payment that failed in its block is reported as reverted', async () => {
    const { address, privateKey } = await chains.createPayer()
    const payment = await pay({ key: privateKey })
    const signed = await chain.signSettlement(payment)
    await chains.x402.block(address)
    await chain.broadcast(signed.raw)
    const receipt = await receiptOf(signed.hash)
    expect(receipt).toMatchObject({ status: 'reverted', transfers: [] })
    expect(carriesOut(receipt, chain.asset, payment.authorization)).toBe(false)
  })

  test('another authorization with the same nonce does not count as the payment', async () => {
    const payment = await pay()
    const { authorization } = payment
    const other = await pay({ nonce: authorization.nonce, to: chains.wallets.otherPayer.address })
    const signed = await chain.signSettlement(other)
    await chain.broadcast(signed.raw)
    const receipt = await receiptOf(signed.hash)
    expect(await chain.findAuthorizationUsed(authorization.from, authorization.nonce)).toBe(
      signed.hash,
    )
    expect(carriesOut(receipt, chain.asset, authorization)).toBe(false)
    expect(carriesOut(receipt, chain.asset, other.authorization)).toBe(true)
  })

  test('a refund that is sent repeatedly moves its money once', async () => {
    const to = (await chains.createPayer(0n)).address
    const refund = { refundId: 'a-refund', to, amount: 7_000n }
    const signed = await Promise.all([chain.signRefund(refund), chain.signRefund(refund)])
    for (const { raw } of signed) await chain.broadcast(raw)
    const statuses = await Promise.all(
      signed.map(async ({ hash }) => (await receiptOf(hash)).status),
    )
    expect(statuses.toSorted()).toEqual(['reverted', 'success'])
    expect(await chain.balanceOf(to)).toBe(7_000n)
    await expect(chain.signRefund(refund)).rejects.toMatchObject({ reason: 'nonce_used' })
    const done = await chain.findAuthorizationUsed(
      chains.wallets.refund.address,
      refundName('a-refund'),
    )
    expect(signed.map(({ hash }) => hash)).toContain(done)
  })

  test('a contract wallet verifies its own signatures', async () => {
    const { x402, wallets } = chains
    const wallet: Hex = '0x00000000000000000000000000000000c0ffee01'
    await x402.plantWallet(wallet, wallets.payer.address)
    await x402.mint(wallet, 50_000n)
    const owner = privateKeyToAccount(wallets.payer.privateKey)
    const digest: Hex = `0x${'11'.repeat(32)}`
    const signature: Hex = `${await owner.sign({ hash: digest })}00`
    expect(await chain.isValidSignature(wallet, digest, signature)).toBe(true)
    expect(await chain.isValidSignature(wallet, `0x${'12'.repeat(32)}`, signature)).toBe(false)
    expect(await chain.isValidSignature(wallets.payTo.address, digest, signature)).toBe(false)
  })

  test('a node that limits its callers is away, and its token is not blamed', async () => {
    const node = await chains.x402.proxy()
    const limited = open({ rpcUrl: node.rpcUrl })
    node.refuse('eth_call', { code: -32_005, message: 'limit exceeded' })
    const check = await limited.selfCheck()
    await limited.close()
    expect(check).toMatchObject({ problems: [expect.stringMatching(/could not tell/)], away: true })
  })

  test('the self-check reports the problem', async () => {
    expect(await chain.selfCheck()).toEqual({ problems: [], warnings: [] })
    const poor = (await chains.createPayer(0n)).privateKey
    const nowhere = await chains.x402.proxy()
    nowhere.down()
    const cases: [Partial<EvmChainDependencies>, RegExp][] = [
      [{ chainId: 8453 }, /chain 84532, not 8453/],
      [{ asset: '0x00000000000000000000000000000000000000aa' }, /no token at/],
      [{ assetName: 'USD Coin' }, /does not sign as "USD Coin" version "2"/],
      [{ gasKey: poor }, /cannot pay for a settlement/],
      [{ clock: { ...systemClock, now: () => Date.now() + 3_600_000 } }, /36\d\d seconds old/],
      [
        { clock: { ...systemClock, now: () => Date.now() - 60_000 } },
        /clock is \d+ seconds behind/,
      ],
      [{ rpcUrl: nowhere.rpcUrl }, /node did not answer/],
    ]
    for (const [options, said] of cases) {
      const broken = open(options)
      const { problems } = await broken.selfCheck()
      await broken.close()
      expect(problems).toHaveLength(1)
      expect(problems[0]).toMatch(said)
    }
    const empty = open({ refundKey: poor })
    expect((await empty.selfCheck()).warnings[0]).toMatch(/refund wallet 0x\w+ is empty/)
    await empty.close()
  })
})
