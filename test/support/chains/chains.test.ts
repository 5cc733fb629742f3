// The payment tests depend on the local chains, so stock clients must work on them.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { ExactEvmScheme } from '@x402/evm/exact/client'
import { Mppx as MppxClient, tempo as payTempo } from 'mppx/client'
import { Mppx, tempo } from 'mppx/server'
import { createClient, http } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { tempo as tempoChain } from 'viem/chains'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { portOf } from '#platform/http/port.ts'
import { type Chains, chainsAvailable, startChains } from './chains.ts'
import { createStockFacilitator } from './stock-facilitator.ts'

const available = chainsAvailable()

describe.skipIf(!available.ok)(`local chains ${available.reason}`, () => {
  let chains: Chains
  beforeAll(async () => {
    chains = await startChains()
  })
  afterAll(() => chains?.stop())

  test('a stock x402 facilitator accepts and settles what a stock x402 client signs', async () => {
    const { x402, wallets } = chains
    const network = `eip155:${x402.chainId}` as const
    const requirements = {
      scheme: 'exact',
      network,
      amount: '20000',
      asset: x402.asset,
      payTo: wallets.payTo.address,
      maxTimeoutSeconds: 60,
      extra: { name: 'USDC', version: '2' },
    }
    const facilitator = createStockFacilitator(x402, wallets.gas)
    const made = await new ExactEvmScheme(
      privateKeyToAccount(wallets.payer.privateKey),
    ).createPaymentPayload(2, requirements)
    const payment = { ...made, accepted: requirements } as Parameters<typeof facilitator.verify>[0]
    const before = await x402.balanceOf(wallets.payTo.address)
    expect(await facilitator.verify(payment, requirements)).toMatchObject({ isValid: true })
    expect(await facilitator.settle(payment, requirements)).toMatchObject({ success: true })
    expect((await x402.balanceOf(wallets.payTo.address)) - before).toBe(20_000n)
  })

  test('a stock MPP client pays a stock MPP server', async () => {
    const { mpp, wallets } = chains
    const getClient = () =>
      createClient({ chain: tempoChain, transport: http(mpp.rpcUrl), pollingInterval: 25 })
    const seller = Mppx.create({
      secretKey: 'a secret of the test, thirty-two bytes or longer',
      realm: 'test.local',
      methods: [tempo.charge({ currency: mpp.asset, recipient: wallets.payTo.address, getClient })],
    })
    const server = createServer(async (incoming, response) => {
      const charged = await Mppx.toNodeListener(seller.charge({ amount: '0.03' }))(
        incoming,
        response,
      )
      if (charged.status === 200) response.end('sold')
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const payer = MppxClient.create({
      polyfill: false,
      methods: [payTempo({ account: privateKeyToAccount(wallets.payer.privateKey), getClient })],
    })
    const before = await mpp.balanceOf(wallets.payTo.address)
    const port = portOf(server)
    const response = await payer.fetch(`http://127.0.0.1:${port}/`)
    expect([response.status, await response.text()]).toEqual([200, 'sold'])
    expect((await mpp.balanceOf(wallets.payTo.address)) - before).toBe(30_000n)
    server.close()
  })

  test('the nodes end with the process that started them, even when it is killed', async () => {
    const script = `
      const { startChains } = await import(${JSON.stringify(new URL('./chains.ts', import.meta.url).href)})
      const { x402, mpp } = await startChains()
      console.log(x402.rpcUrl + ' ' + mpp.rpcUrl)
      setInterval(() => {}, 1_000)`
    const child = spawn(process.execPath, ['--input-type=module', '-e', script])
    const [said] = (await once(child.stdout, 'data')) as [Buffer]
    child.kill('SIGKILL')
    const answers = async (url: string) =>
      fetch(url).then(
        () => true,
        () => false,
      )
    for (const url of String(said).trim().split(' ')) {
      let alive = true
      for (let tries = 0; alive && tries < 200; tries += 1) {
        await delay(25)
        alive = await answers(url)
      }
      expect(alive).toBe(false)
    }
  })

  test('a fault proxy can lose a reply, refuse a request and be unreachable', async () => {
    const door = await chains.x402.proxy()
    const ask = async (method: string) => {
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: [] })
      const response = await fetch(door.rpcUrl, { method: 'POST', body })
      return (await response.json()) as { result?: string; error?: { message: string } }
    }
    expect((await ask('eth_chainId')).result).toBe('0x14a34')
    const height = await chains.x402.rpc('eth_blockNumber')
    door.dropReply('evm_mine')
    await expect(ask('evm_mine')).rejects.toThrow()
    expect(await chains.x402.rpc('eth_blockNumber')).not.toBe(height)
    door.refuse(/^eth_/)
    expect((await ask('eth_chainId')).error?.message).toBe('refused by the test')
    door.down()
    await expect(ask('eth_chainId')).rejects.toThrow()
    door.up()
    expect((await ask('eth_chainId')).result).toBe('0x14a34')
    expect(door.seen).toEqual(['eth_chainId', 'evm_mine', 'eth_chainId', 'eth_chainId'])
  })
})
