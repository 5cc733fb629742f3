import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { systemClock } from '#platform/clock.ts'
import { openDatabase } from '#platform/database/database.ts'
import { createLocalCounters } from '#platform/replicas/local-counters.ts'
import { type Chains, chainsAvailable, startChains } from '#test/chains/chains.ts'
import { createTestDatabase } from '#test/database.ts'
import { silentLog } from '#test/silent-log.ts'
import type { MoneySettings } from '../settings.ts'
import type { MppSettings } from './mpp/settings.ts'
import { openRails } from './open-rails.ts'
import { paymentRails } from './rails.ts'
import type { X402Settings } from './x402/settings.ts'

type RailSettings = MoneySettings & MppSettings & X402Settings

const available = chainsAvailable()

describe.skipIf(!available.ok)(`payment rails ${available.reason}`, () => {
  let chains: Chains
  beforeAll(async () => {
    chains = await startChains()
  })
  afterAll(() => chains?.stop())

  async function open(changes: Partial<RailSettings> = {}) {
    const { x402, mpp, wallets } = chains
    const database = openDatabase({ connectionString: await createTestDatabase(), log: silentLog })
    const rails = await openRails({
      rails: paymentRails,
      settings: {
        X402_NETWORK: `eip155:${x402.chainId}`,
        X402_RPC_URL: x402.rpcUrl,
        X402_PAY_TO: wallets.payTo.address,
        X402_GAS_KEY: wallets.gas.privateKey,
        X402_REFUND_KEY: wallets.refund.privateKey,
        X402_ASSET_VERSION: '2',
        MPP_RPC_URL: mpp.rpcUrl,
        MPP_CHAIN_ID: mpp.chainId,
        MPP_CURRENCY: mpp.asset,
        MPP_RECIPIENT: wallets.payTo.address,
        MPP_REFUND_KEY: wallets.refund.privateKey,
        MPP_CHALLENGE_TTL: 300,
        MPP_SESSION_DEPOSIT: 100,
        MPP_SESSION_IDLE: 3_600,
        CONFIRMATIONS: 1,
        ...changes,
      },
      database,
      clock: systemClock,
      log: silentLog,
      baseUrl: () => 'http://gateway.example',
      secret: async () => 'a secret of the test, thirty-two bytes or longer',
      counters: createLocalCounters({ clock: systemClock }),
    })
    onTestFinished(async () => {
      await rails.close()
      await database.close()
    })
    return rails
  }

  test('are open when their chains match the settings', async () => {
    const rails = await open()
    expect([...rails.open.keys()].toSorted()).toEqual(['mpp', 'x402'])
    expect(rails.closed.size).toBe(0)
  })

  test.each<[string, Partial<RailSettings>, RegExp]>([
    ['the network', { X402_NETWORK: 'eip155:8453' }, /serves chain 84532, not 8453/],
    ['the name of the token', { X402_ASSET_NAME: 'USD Coin' }, /does not sign as "USD Coin"/],
    [
      'the facilitator',
      { X402_FACILITATOR_URL: 'http://127.0.0.1:1' },
      /facilitator gave no answer/,
    ],
  ])('are off when %s is wrong, and the other rail works', async (_name, changes, reason) => {
    const rails = await open(changes)
    expect([...rails.open.keys()]).toEqual(['mpp'])
    expect(rails.closed.get('x402')?.join()).toMatch(reason)
  })

  test('are off while the gas wallet is empty, and payments in progress continue', async () => {
    const gas = await chains.createPayer(0n)
    const fill = (balance: string) => chains.x402.rpc('anvil_setBalance', [gas.address, balance])
    await fill('0xde0b6b3a7640000')
    const rails = await open({ X402_GAS_KEY: gas.privateKey })
    expect(rails.open.has('x402')).toBe(true)
    await fill('0x0')
    await rails.recheck()
    expect(rails.open.has('x402')).toBe(false)
    expect(rails.closed.get('x402')?.join()).toMatch(/gas wallet .* cannot pay/)
    expect(rails.known.has('x402')).toBe(true)
    await fill('0xde0b6b3a7640000')
    await rails.recheck()
    expect([rails.open.has('x402'), rails.closed.size]).toEqual([true, 0])
  })

  test('stay open when their node is unreachable for a moment', async () => {
    const node = await chains.mpp.proxy()
    const rails = await open({ MPP_RPC_URL: node.rpcUrl })
    node.down()
    await rails.recheck()
    expect([...rails.open.keys()].toSorted()).toEqual(['mpp', 'x402'])
  })

  test('are off, without ending the gateway, when a node answers nonsense', async () => {
    const nonsense = createServer((_request, response) => {
      const replies = [0, 1, 2].map((id) => ({ jsonrpc: '2.0', id, result: null }))
      response.end(JSON.stringify(replies))
    })
    await new Promise<void>((resolve) => nonsense.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void nonsense.close())
    const { port } = nonsense.address() as AddressInfo
    const rails = await open({ MPP_RPC_URL: `http://127.0.0.1:${port}` })
    expect([...rails.open.keys()]).toEqual(['x402'])
    expect(rails.closed.get('mpp')?.join()).toMatch(/makes no sense/)
  })
})
