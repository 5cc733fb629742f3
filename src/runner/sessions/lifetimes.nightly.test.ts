import { expect, test } from 'vitest'
import { openAccount } from '#test/ledger.ts'
import { openSessionGateway, oracle } from '#test/sessions/session-gateway.ts'

test('charges of 200 random lifetimes are exact to the micro-dollar', async () => {
  const gateway = await openSessionGateway()
  const { database, ledger, clock, sessions } = gateway
  const account = await openAccount(database, ledger, 1_000_000_000)
  const random = (below: number) => Math.floor(Math.random() * below)
  const lifetimes = []
  for (let count = 0; count < 200; count += 1) {
    const perSecond = { vcpu: 1 + random(4), gigabyte: random(3) }
    const id = await gateway.create(account, perSecond)
    lifetimes.push({ id, perSecond, ms: random(100_000_000) })
  }
  lifetimes.sort((one, other) => one.ms - other.ms)
  const startedAtMs = clock.now()
  for (const { id, ms } of lifetimes) {
    const stepMs = 600_000
    while (clock.now() - startedAtMs < ms) {
      clock.advance(Math.min(stepMs, startedAtMs + ms - clock.now()))
      await sessions.keepUp()
    }
    await sessions.close(account, id)
  }
  for (const { id, perSecond, ms } of lifetimes) {
    expect(await gateway.charged(id)).toBe(oracle(perSecond, Math.floor(ms / 1_000)))
  }
  const spent = lifetimes.reduce(
    (sum, { perSecond, ms }) => sum + oracle(perSecond, Math.floor(ms / 1_000)),
    0,
  )
  expect(await account.balance()).toEqual({ available: 1_000_000_000 - spent, held: 0 })
  expect(gateway.machine.boxes.size).toBe(0)
  expect(await ledger.verify()).toMatchObject({ ok: true })
})
