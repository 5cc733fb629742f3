// What the operator sees of rails: the gas that is left, and payments that are stuck.
import { describe, expect, test } from 'vitest'
import { adminToken } from '#test/harness.ts'
import { until } from '#test/until.ts'
import { payments, shareChains, sharePaidGateway } from './paid-gateway.ts'
import { buy } from './payers.ts'

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
