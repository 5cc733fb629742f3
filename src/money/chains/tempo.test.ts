import { setTimeout as delay } from 'node:timers/promises'
import { encodeFunctionData, keccak256, maxUint256, stringToHex } from 'viem'
import { Abis, Account, Transaction } from 'viem/tempo'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { systemClock } from '#platform/clock.ts'
import { type Chains, chainsAvailable, startChains } from '#test/chains/chains.ts'
import { ChainUnavailable, type Hex, type Receipt } from './chain.ts'
import { createTempoChain, type TempoChain, type TempoChainDependencies } from './tempo.ts'
import { readTempoTransaction } from './tempo-transaction.ts'

const available = chainsAvailable()
let chains: Chains
let chain: TempoChain

function open(options: Partial<TempoChainDependencies> = {}): TempoChain {
  return createTempoChain({
    rpcUrl: chains.mpp.rpcUrl,
    chainId: chains.mpp.chainId,
    currency: chains.mpp.asset,
    refundKey: chains.wallets.refund.privateKey,
    clock: systemClock,
    ...options,
  })
}

/** A transfer as signed by a payer's wallet. It expires by itself. */
async function pay(
  options: { key?: Hex; amount?: bigint; memo?: Hex; lifeS?: number } = {},
): Promise<Hex> {
  const account = Account.fromSecp256k1(options.key ?? chains.wallets.payer.privateKey)
  const { mpp, wallets } = chains
  const memo = options.memo ?? keccak256(stringToHex(`${Math.random()}`))
  const data = encodeFunctionData({
    abi: Abis.tip20,
    functionName: 'transferWithMemo',
    args: [wallets.payTo.address, options.amount ?? 30_000n, memo],
  })
  const transaction = {
    type: 'tempo',
    chainId: mpp.chainId,
    calls: [{ to: mpp.asset, data }],
    nonceKey: maxUint256,
    nonce: 0,
    validBefore: (await chain.head()).timestampS + (options.lifeS ?? 25),
    feeToken: mpp.asset,
    gas: 1_000_000n,
    maxFeePerGas: 40_000_000_000n,
  }
  return account.signTransaction(transaction as never, {
    serializer: Transaction.serialize as never,
  })
}

async function receiptOf(hash: Hex): Promise<Receipt> {
  for (let tries = 0; tries < 400; tries += 1) {
    const receipt = await chain.receipt(hash)
    if (receipt !== undefined) return receipt
    await delay(10)
  }
  throw new Error(`${hash} is not mined.`)
}

describe.skipIf(!available.ok)(`the chain of MPP ${available.reason}`, () => {
  beforeAll(async () => {
    chains = await startChains()
    chain = open()
  })
  afterAll(async () => {
    await chain?.close()
    await chains?.stop()
  })

  test('a payer’s transaction is simulated, sent, and found again by its memo', async () => {
    const memo = keccak256(stringToHex('a memo'))
    const raw = await pay({ memo })
    const from = chains.wallets.payer.address
    const read = await readTempoTransaction(raw.toUpperCase().replace('0X', '0x'))
    expect(read).toMatchObject({ raw, hash: keccak256(raw), from, chainId: 4217 })
    expect(await chain.simulate(raw)).toEqual({ ok: true })
    expect(await chain.findTransferWithMemo(from, memo)).toBeUndefined()
    const before = await chain.balanceOf(chains.wallets.payTo.address)
    expect(await chain.broadcast(raw)).toEqual({ outcome: 'accepted' })
    const { status, transfers } = await receiptOf(keccak256(raw))
    expect(status).toBe('success')
    expect(transfers[0]).toEqual({
      token: chain.currency,
      from,
      to: chains.wallets.payTo.address,
      amount: 30_000n,
      memo,
    })
    expect(await chain.findTransferWithMemo(from, memo)).toBe(keccak256(raw))
    // Sent again, it moves nothing. Nodes answer differently.
    await chain.broadcast(raw)
    await chains.mpp.mine(2)
    expect(await chain.balanceOf(chains.wallets.payTo.address)).toBe(before + 30_000n)
  })

  test('a payer with too little money is refused', async () => {
    const { privateKey } = await chains.createPayer(2_000n)
    const raw = await pay({ key: privateKey })
    expect(await chain.simulate(raw)).toMatchObject({ ok: false, reason: 'insufficient_gas' })
    expect(await chain.broadcast(raw)).toMatchObject({ outcome: 'refused' })
    const rich = await chains.createPayer(1_000_000n)
    const more = await pay({ key: rich.privateKey, amount: 999_999_999n })
    expect(await chain.simulate(more)).toEqual({ ok: false, reason: 'insufficient_balance' })
  })

  test('a transaction that has expired is refused', async () => {
    const raw = await pay({ lifeS: -5 })
    expect(await chain.broadcast(raw)).toEqual({ outcome: 'refused', reason: 'expired' })
  })

  test('text that is not a signed Tempo transaction is read as undefined', async () => {
    const raw = await pay()
    for (const bad of ['', '0x', '0x76', 'garbage', raw.slice(0, -20), `0x02${raw.slice(4)}`]) {
      expect(await readTempoTransaction(bad)).toBeUndefined()
    }
  })

  test('a lost reply leaves the outcome unknown, and the transaction is found by its hash', async () => {
    const door = await chains.mpp.proxy()
    const behindDoor = open({ rpcUrl: door.rpcUrl })
    onTestFinished(behindDoor.close)
    const raw = await pay()
    door.dropReply('eth_sendRawTransaction')
    await expect(behindDoor.broadcast(raw)).rejects.toThrow(ChainUnavailable)
    expect((await receiptOf(keccak256(raw))).status).toBe('success')
  })

  test('a refund carries its memo, expires by itself, and is not signed again once it is mined', async () => {
    const to = (await chains.createPayer(0n)).address
    const refund = { refundId: 'a-refund', to, amount: 9_000n }
    const signed = await chain.signRefund(refund)
    const { timestampS } = await chain.head()
    expect(signed.validBeforeS - timestampS).toBeLessThanOrEqual(25)
    expect(await chain.broadcast(signed.raw)).toEqual({ outcome: 'accepted' })
    expect((await receiptOf(signed.hash)).transfers[0]).toMatchObject({
      to,
      amount: 9_000n,
      memo: signed.memo,
    })
    await expect(chain.signRefund(refund)).rejects.toMatchObject({ reason: 'nonce_used' })
    expect(await chain.balanceOf(to)).toBe(9_000n)
  })

  test('a refund that the wallet cannot pay is not signed', async () => {
    const refund = { refundId: 'too-much', to: chains.wallets.payer.address, amount: 10n ** 15n }
    await expect(chain.signRefund(refund)).rejects.toMatchObject({ reason: 'insufficient_balance' })
  })

  test('ten concurrent refunds are all carried out', async () => {
    const to = (await chains.createPayer(0n)).address
    const signed = await Promise.all(
      Array.from({ length: 10 }, (_, number) =>
        chain.signRefund({ refundId: `many-${number}`, to, amount: 100n }),
      ),
    )
    await Promise.all(signed.map(({ raw }) => chain.broadcast(raw)))
    await Promise.all(signed.map(({ hash }) => receiptOf(hash)))
    expect(await chain.balanceOf(to)).toBe(1_000n)
  })

  test('the self-check describes the problem', async () => {
    expect(await chain.selfCheck()).toEqual({ problems: [], warnings: [] })
    const cases: [Partial<TempoChainDependencies>, RegExp][] = [
      [{ chainId: 42_431 }, /chain 4217, not 42431/],
      [{ currency: '0x20c00000000000000000000000000000000000aa' }, /no token at/],
    ]
    for (const [options, said] of cases) {
      const broken = open(options)
      expect((await broken.selfCheck()).problems[0]).toMatch(said)
      await broken.close()
    }
    const empty = open({ refundKey: (await chains.createPayer(0n)).privateKey })
    expect((await empty.selfCheck()).warnings[0]).toMatch(/almost empty/)
    await empty.close()
  })
})
