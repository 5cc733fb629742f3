import { describe, expect, test } from 'vitest'
import { systemClock } from '#platform/clock.ts'
import { openAccount } from '#test/ledger.ts'
import {
  codeOf,
  openSessionGateway,
  oracle,
  type SessionGateway,
  shareSessionGateway,
} from '#test/sessions/session-gateway.ts'
import { until } from '#test/until.ts'
import { createCommandJobReader } from './command-jobs.ts'

const shell = { command: 'true', timeoutMs: 1_000 }

const shared = shareSessionGateway()

/** A gateway that its test stops or that has settings of its own, with an account. */
async function openOwn(options: Parameters<typeof openSessionGateway>[0] = {}) {
  const gateway = await openSessionGateway(options)
  return { gateway, account: await openAccount(gateway.database, gateway.ledger, 1_000_000) }
}

/** The next gateway after the death of this one: it finds its database, its clock and its machine. */
async function succeed(
  dead: SessionGateway,
  options: Parameters<typeof openSessionGateway>[0] = {},
): Promise<SessionGateway> {
  await dead.sessions.stop(false)
  await dead.ledger.close()
  return await openBeside(dead, options)
}

function openBeside(
  { connectionString, clock, machine }: SessionGateway,
  options: Parameters<typeof openSessionGateway>[0] = {},
): Promise<SessionGateway> {
  return openSessionGateway({ ...options, connectionString, clock, machine })
}

describe('money', () => {
  test('a session ends in the last second that its balance can pay', async () => {
    const gateway = shared()
    const account = await openAccount(gateway.database, gateway.ledger, 70_000)
    const id = await gateway.create(account)
    await gateway.pass(5_039, 60)
    expect(await gateway.rows.get(id)).toMatchObject({ state: 'open' })
    await gateway.pass(1)
    expect(await gateway.rows.get(id)).toMatchObject({ state: 'closed', closeReason: 'balance' })
    expect(await gateway.charged(id)).toBe(70_000)
    expect(await account.balance()).toEqual({ available: 0, held: 0 })
    expect(gateway.machine.boxes.size).toBe(0)
  })

  test('use that a late round finds is charged as far as the account can pay', async () => {
    const gateway = shared()
    const account = await openAccount(gateway.database, gateway.ledger, 60_000)
    const id = await gateway.create(account)
    await gateway.pass(1_000_000, 1_000_000)
    expect(await gateway.charged(id)).toBe(60_000)
    expect(await account.balance()).toEqual({ available: 0, held: 0 })
  })

  test('a ceiling ends the session although the balance could pay more', async () => {
    const gateway = shared()
    const account = await openAccount(gateway.database, gateway.ledger, 1_000_000)
    const id = await gateway.create(account, { vcpu: 2 }, 12)
    await gateway.pass(10_000, 60)
    expect(await gateway.charged(id)).toBe(120_000)
    expect(await account.balance()).toEqual({ available: 880_000, held: 0 })
  })

  test('a top-up before the end keeps the session open', async () => {
    const gateway = shared()
    const { ledger, sessions } = gateway
    const account = await openAccount(gateway.database, ledger, 50_000)
    const id = await gateway.create(account)
    await gateway.pass(3_500, 60)
    await ledger.credit(account.accountId, 100_000, 'test')
    await gateway.pass(1_000, 60)
    expect(await gateway.rows.get(id)).toMatchObject({ state: 'open' })
    await sessions.close(account, id)
    expect(await gateway.charged(id)).toBe(oracle({ vcpu: 1 }, 4_500))
  })

  test.each([
    [
      'a revoked key',
      (keyId: string) => ['update api_key set revoked_at = now() where id = $1', keyId],
    ],
    [
      'a frozen account',
      (_: string, id: string) => ['update account set frozen_at = now() where id = $1', id],
    ],
  ] as const)(
    'the session of %s is closed at once, charged for what it used',
    async (_who, stop) => {
      const gateway = shared()
      const account = await openAccount(gateway.database, gateway.ledger, 1_000_000)
      const id = await gateway.create(account)
      await gateway.pass(60)
      const [statement = '', value] = stop(account.keyId, account.accountId)
      await gateway.database.query(statement, [value])
      await until(async () => (await gateway.rows.get(id))?.state === 'closed')
      expect(await gateway.rows.get(id)).toMatchObject({ closeReason: 'key_ended' })
      const charged = oracle({ vcpu: 1 }, 60)
      expect(await gateway.charged(id)).toBe(charged)
      expect(await account.balance()).toEqual({ available: 1_000_000 - charged, held: 0 })
    },
  )

  test('a day settles the call and opens the next one', async () => {
    const gateway = shared()
    const { database, ledger, sessions } = gateway
    const account = await openAccount(database, ledger, 100_000_000)
    const id = await gateway.create(account)
    await gateway.pass(3 * 86_400 + 1_234, 1_800)
    await sessions.close(account, id)
    const calls = await database.query(
      `select charged from call where account_id = $1 and state = 'settled' and charged > 0`,
      [account.accountId],
    )
    expect(calls.length).toBe(4)
    expect(await gateway.charged(id)).toBe(oracle({ vcpu: 1 }, 3 * 86_400 + 1_234))
    expect(await ledger.verify()).toMatchObject({ ok: true })
  })

  test('a resource that measures itself is charged what it measured', async () => {
    const { gateway, account } = await openOwn()
    const { machine, sessions } = gateway
    const id = await gateway.create(account, { vcpu: 4 })
    await gateway.pass(60)
    await sessions.stop()
    const box = machine.boxes.get(id)
    if (box !== undefined) box.measured = { vcpu: 30 }
    await gateway.ledger.close()
    const next = await openBeside(gateway)
    await next.pass(60)
    await next.sessions.close(account, id)
    // The first minute by the clock, the second by its own meter.
    expect(await next.charged(id)).toBe(oracle({ vcpu: 1 }, 4 * 60 + 30))
  })
})

describe('lives', () => {
  test('closing twice, and at once, charges once', async () => {
    const gateway = shared()
    const { sessions } = gateway
    const account = await openAccount(gateway.database, gateway.ledger, 1_000_000)
    const id = await gateway.create(account)
    await gateway.pass(720)
    const closed = await Promise.all([1, 2, 3].map(() => sessions.close(account, id)))
    await gateway.pass(720)
    expect(await sessions.close(account, id)).toMatchObject({ state: 'closed', settled: 10_000 })
    expect(closed.map(({ settled }) => settled)).toEqual([10_000, 10_000, 10_000])
    expect(await account.balance()).toEqual({ available: 990_000, held: 0 })
  })

  test('a resource that cannot be opened costs nothing and leaves nothing', async () => {
    const gateway = shared()
    const account = await openAccount(gateway.database, gateway.ledger, 1_000_000)
    gateway.machine.refusesToOpen = true
    expect(await gateway.create(account).catch(codeOf)).toBe('upstream_error')
    expect(await account.balance()).toEqual({ available: 1_000_000, held: 0 })
    expect(gateway.machine.boxes.size).toBe(0)
  })

  test('a resource that opens too late is removed', async () => {
    const { gateway, account } = await openOwn({ timeoutMs: 20 })
    const { machine, sessions } = gateway
    const opening = Promise.withResolvers<void>()
    machine.opening = opening.promise
    const created = gateway.create(account).catch(codeOf)
    const newest = async () => (await gateway.rows.list({}, { limit: 1 }))[0]
    await expect.poll(newest).toMatchObject({ state: 'closing', callId: null })
    const row = await newest()
    expect(await account.balance()).toEqual({ available: 1_000_000, held: 0 })
    opening.resolve()
    expect(await created).toBe('upstream_error')
    await sessions.keepUp()
    expect(machine.boxes.size).toBe(0)
    expect(await gateway.rows.get(row?.id ?? '')).toMatchObject({ state: 'closed', settled: 0 })
  })

  test('a session shows since when its files cannot be saved, until they are', async () => {
    const gateway = shared()
    const { machine, sessions, rows } = gateway
    const account = await openAccount(gateway.database, gateway.ledger, 1_000_000)
    const id = await gateway.create(account)
    for (const sinceMs of [1_700_000_000_000, undefined]) {
      machine.unsavedSinceMs = sinceMs
      await sessions.keepUp()
      const row = await rows.get(id)
      expect(row?.unsavedSince?.getTime()).toBe(sinceMs)
    }
    await sessions.close(account, id)
  })

  test('a resource that does not close is not metered on, and removed later', async () => {
    const gateway = shared()
    const { machine, sessions } = gateway
    const account = await openAccount(gateway.database, gateway.ledger, 1_000_000)
    const id = await gateway.create(account)
    machine.refusesToClose = true
    await gateway.pass(720)
    expect(await sessions.close(account, id)).toMatchObject({ state: 'closing', settled: 10_000 })
    await gateway.pass(720)
    machine.refusesToClose = false
    await gateway.pass(10)
    expect(await gateway.rows.get(id)).toMatchObject({ state: 'closed', settled: 10_000 })
    expect(machine.boxes.size).toBe(0)
  })

  test('a command that runs while its session is closed reads session_closed', async () => {
    const gateway = shared()
    const { sessions } = gateway
    const account = await openAccount(gateway.database, gateway.ledger, 1_000_000)
    const id = await gateway.create(account)
    const running = sessions.run(account, id, { ...shell, command: 'wait' }).catch(codeOf)
    await sessions.close(account, id)
    expect(await running).toBe('session_closed')
    expect(await sessions.run(account, id, shell).catch(codeOf)).toBe('session_closed')
  })

  test('a resource that ended by itself ends its session', async () => {
    const gateway = shared()
    const account = await openAccount(gateway.database, gateway.ledger, 1_000_000)
    const id = await gateway.create(account)
    const box = gateway.machine.boxes.get(id)
    if (box !== undefined) box.isAlive = false
    expect(await gateway.sessions.run(account, id, shell).catch(codeOf)).toBe('session_closed')
    // A round may have seen it first. It answers before the resource is removed.
    const row = () => gateway.rows.get(id)
    await expect.poll(row).toMatchObject({ closeReason: 'lost', state: 'closed' })
  })

  test('a session ends after its longest lifetime', async () => {
    const { gateway, account } = await openOwn({ policy: { lifetimeMsMax: 18_000_000 } })
    const id = await gateway.create(account)
    await gateway.pass(20_000, 600)
    expect(await gateway.rows.get(id)).toMatchObject({ closeReason: 'lifetime' })
    expect(await gateway.charged(id)).toBe(oracle({ vcpu: 1 }, 18_000))
  })

  test('the session of another account does not exist', async () => {
    const gateway = shared()
    const [owner, other] = [
      await openAccount(gateway.database, gateway.ledger, 1_000_000),
      await openAccount(gateway.database, gateway.ledger, 1_000_000),
    ] as const
    const id = await gateway.create(owner)
    expect(await gateway.sessions.run(other, id, shell).catch(codeOf)).toBe('not_found')
    expect(await gateway.sessions.close(other, id).catch(codeOf)).toBe('not_found')
    expect(await gateway.rows.get(id)).toMatchObject({ state: 'open' })
  })
})

describe('sessions that are suspended after five minutes without use', () => {
  const suspending = shareSessionGateway({
    policy: { idle: { afterMs: 300_000, outcome: 'suspend', waitingMsMax: 3_600_000 } },
    atOnceMax: { perAccount: 2, perMachine: 3 },
  })

  test('a command that comes while its session is suspended resumes it', async () => {
    const gateway = suspending()
    const { machine, sessions, clock } = gateway
    const account = await openAccount(gateway.database, gateway.ledger, 1_000_000)
    const id = await gateway.create(account)
    const suspended = Promise.withResolvers<void>()
    machine.suspending = suspended.promise
    clock.advance(300_000)
    const round = sessions.keepUp()
    await expect.poll(() => machine.boxes.get(id)?.suspended).toBe(true)
    const answer = sessions.run(account, id, shell)
    suspended.resolve()
    expect(await answer).toMatchObject({ stdout: id })
    await round
    expect(await gateway.rows.get(id)).toMatchObject({ state: 'open' })
  })

  test('suspended sessions count against the limit of their account', async () => {
    const gateway = suspending()
    const account = await openAccount(gateway.database, gateway.ledger, 1_000_000)
    const ids = [await gateway.create(account), await gateway.create(account)]
    await gateway.pass(300)
    for (const id of ids) expect(await gateway.rows.get(id)).toMatchObject({ state: 'suspended' })
    expect(await gateway.create(account).catch(codeOf)).toBe('too_many_inflight')
    expect(await account.balance()).toMatchObject({ held: 0 })
  })

  test('an idle session is suspended, holds and costs nothing, and continues with the next command', async () => {
    const gateway = suspending()
    const { sessions } = gateway
    const account = await openAccount(gateway.database, gateway.ledger, 1_000_000)
    const id = await gateway.create(account)
    await gateway.pass(300, 60)
    expect(await gateway.rows.get(id)).toMatchObject({ state: 'suspended', callId: null })
    expect(await account.balance()).toMatchObject({ held: 0 })
    await gateway.pass(86_400, 3_600)
    const answers = await Promise.all([1, 2, 3].map(() => sessions.run(account, id, shell)))
    expect(answers.map(({ stdout }) => stdout)).toEqual([id, id, id])
    await gateway.pass(60)
    await sessions.close(account, id)
    expect(await gateway.charged(id)).toBe(oracle({ vcpu: 1 }, 360))
    expect(await account.balance()).toMatchObject({ held: 0 })
    expect(gateway.machine.boxes.size).toBe(0)
  })

  test('programs in the background keep a session awake while they work, and for an hour of waiting', async () => {
    const gateway = suspending()
    const { clock, machine } = gateway
    const account = await openAccount(gateway.database, gateway.ledger, 10_000_000)
    const id = await gateway.create(account)
    const state = async () => (await gateway.rows.get(id))?.state
    for (let round = 0; round < 12; round++) {
      machine.background = { programs: 1, workedAtMs: clock.now() }
      await gateway.pass(600)
    }
    expect(await state()).toBe('open')
    await gateway.pass(2_400)
    expect(await state()).toBe('open')
    await gateway.pass(600)
    expect(await state()).toBe('suspended')
    await gateway.sessions.run(account, id, shell)
    machine.background = { programs: 0, workedAtMs: clock.now() }
    await gateway.pass(300)
    expect(await state()).toBe('suspended')
  })

  test('a suspended session without a balance stays, and continues after a top-up', async () => {
    const gateway = suspending()
    const account = await openAccount(gateway.database, gateway.ledger, 50_000)
    const id = await gateway.create(account)
    await gateway.pass(300)
    expect(await gateway.sessions.run(account, id, shell).catch(codeOf)).toBe(
      'insufficient_balance',
    )
    await gateway.ledger.credit(account.accountId, 50_000, 'test')
    expect(await gateway.sessions.run(account, id, shell)).toMatchObject({ exitCode: 0 })
  })

  test('an account and a machine have a limited number of sessions', async () => {
    const gateway = suspending()
    const [one, other] = [
      await openAccount(gateway.database, gateway.ledger, 1_000_000),
      await openAccount(gateway.database, gateway.ledger, 1_000_000),
    ] as const
    const id = await gateway.create(one)
    await gateway.create(one)
    const refused = gateway.create(one)
    await expect(refused).rejects.toMatchObject({ code: 'too_many_inflight' })
    await expect(refused).rejects.toThrow('has 2 sessions of this kind, open or suspended')
    await gateway.create(other)
    expect(await gateway.create(other).catch(codeOf)).toBe('unavailable')
    await gateway.sessions.close(one, id)
    await gateway.create(other)
  })
})

describe('gateways', () => {
  test('a resource that cannot be reached after a death is tried again for a minute', async () => {
    const { gateway: one, account } = await openOwn()
    const { machine } = one
    const [id, lost] = [await one.create(account), await one.create(account)]
    await one.pass(720)
    machine.refusesToAdopt = true
    const next = await succeed(one)
    await next.pass(50, 10)
    await expect(next.sessions.run(account, id, shell)).rejects.toMatchObject({
      code: 'session_elsewhere',
      message: expect.stringMatching(/^This session is being opened or continued, or /),
    })
    machine.refusesToAdopt = false
    machine.boxes.delete(lost)
    await next.pass(5)
    expect(await next.sessions.run(account, id, shell)).toMatchObject({ stdout: id })
    expect(await next.rows.get(lost)).toMatchObject({ state: 'closed', closeReason: 'gateway' })
    await next.pass(715)
    await next.sessions.close(account, id)
    expect(await next.charged(id)).toBe(oracle({ vcpu: 1 }, 1_435))
    expect(await next.charged(lost)).toBe(10_000)
  })

  test('a resource that is never reached again is settled by its last written use', async () => {
    const { gateway: one, account } = await openOwn()
    const { machine } = one
    const id = await one.create(account)
    await one.pass(720)
    machine.refusesToAdopt = true
    const next = await succeed(one)
    await next.pass(70, 10)
    expect(await next.rows.get(id)).toMatchObject({ state: 'closed', settled: 10_000 })
    expect(machine.boxes.size).toBe(0)
  })

  test('a suspended session of another machine is not continued here', async () => {
    const policy = { idle: { afterMs: 60_000, outcome: 'suspend' as const } }
    const { gateway: one, account } = await openOwn({ policy })
    const id = await one.create(account)
    await one.pass(60)
    const other = await openBeside(one, { policy, machineName: 'two' })
    expect(await other.sessions.run(account, id, shell).catch(codeOf)).toBe('session_elsewhere')
    expect(await one.sessions.run(account, id, shell)).toMatchObject({ stdout: id })
  })

  test('sessions of a gateway that died twice are continued or settled, and nothing is left', async () => {
    const { gateway: first, account } = await openOwn()
    let gateway = first
    const { clock, machine } = gateway
    const ids = []
    for (let count = 0; count < 10; count += 1) ids.push(await gateway.create(account))
    for (const [kill, survivors] of [ids.slice(0, 5), ids.slice(0, 2)].entries()) {
      await gateway.pass(600, 60)
      // This use was never written: it is not charged.
      clock.advance(30_000)
      machine.survives = (id) => survivors.includes(id)
      gateway = await succeed(gateway)
      clock.advance(100_000)
      await gateway.sessions.keepUp()
      expect(new Set(machine.boxes.keys())).toEqual(new Set(survivors))
      for (const id of ids.slice(survivors.length, kill === 0 ? 10 : 5))
        expect(await gateway.charged(id)).toBe(oracle({ vcpu: 1 }, 600 * (kill + 1)))
    }
    await gateway.pass(120)
    for (const id of ids.slice(0, 2)) {
      expect(await gateway.sessions.run(account, id, shell)).toMatchObject({ stdout: id })
      await gateway.sessions.close(account, id)
      expect(await gateway.charged(id)).toBe(oracle({ vcpu: 1 }, 1_320))
    }
    expect(machine.boxes.size).toBe(0)
    expect(await account.balance()).toMatchObject({ held: 0 })
    expect(await gateway.ledger.verify()).toMatchObject({ ok: true })
  })

  test('one of two gateways owns a session; the other one can close it', async () => {
    const one = shared()
    const { machine } = one
    const other = await openBeside(one)
    const account = await openAccount(one.database, one.ledger, 1_000_000)
    const id = await one.create(account)
    await other.sessions.keepUp()
    expect(await other.sessions.run(account, id, shell).catch(codeOf)).toBe('session_elsewhere')
    await other.sessions.keepUp()
    await one.pass(720)
    await other.sessions.close(account, id)
    expect(await account.balance()).toEqual({ available: 990_000, held: 0 })
    await one.sessions.keepUp()
    expect(await one.rows.get(id)).toMatchObject({ state: 'closed', settled: 10_000 })
    expect(machine.boxes.size).toBe(0)
    expect(one.sessions.count()).toBe(0)
  })

  test('a session of a dead machine is settled, and its resource removed when the machine is back', async () => {
    const { gateway: one, account } = await openOwn({ machineName: 'one' })
    const { machine } = one
    const id = await one.create(account)
    await one.pass(720)
    const other = await succeed(one, { machineName: 'two' })
    await other.pass(50)
    expect(await other.rows.get(id)).toMatchObject({ state: 'open' })
    await other.pass(20)
    expect(await account.balance()).toEqual({ available: 990_000, held: 0 })
    expect(machine.boxes.size).toBe(1)
    const back = await openBeside(one, { machineName: 'one' })
    await back.sessions.keepUp()
    expect(machine.boxes.size).toBe(0)
    expect(await back.rows.get(id)).toMatchObject({ state: 'closed', closeReason: 'gateway' })
  })

  test('a resource that every gateway reaches takes commands at all of them', async () => {
    const policy = { idle: { afterMs: 300_000, outcome: 'close' as const } }
    const { gateway: one, account } = await openOwn({ reach: 'anywhere', policy })
    const other = await openBeside(one, { policy, reach: 'anywhere', machineName: 'two' })
    const id = await one.create(account)
    // A round of the other gateway between a jump of the clock and the next round of the first would take it for dead.
    await other.sessions.keepUp()
    await one.pass(240)
    expect(await other.sessions.run(account, id, shell)).toMatchObject({ stdout: id })
    await other.sessions.keepUp()
    // It counts as used, so it is not idle.
    await one.pass(240, 60)
    expect(await one.rows.get(id)).toMatchObject({ state: 'open' })
    await one.sessions.close(account, id)
    expect(await other.sessions.run(account, id, shell).catch(codeOf)).toBe('session_closed')
    expect(await one.charged(id)).toBe(oracle({ vcpu: 1 }, 480))
  })
})

describe('a command with an Idempotency-Key', () => {
  const keyed = async () => {
    const gateway = shared()
    const account = await openAccount(gateway.database, gateway.ledger, 1_000_000)
    return { gateway, account, id: await gateway.create(account) }
  }

  test('runs once and is answered again', async () => {
    const { gateway, account, id } = await keyed()
    const { sessions, machine } = gateway
    const waiting = { ...shell, command: 'wait' }
    const first = sessions.run(account, id, waiting, 'key')
    await expect.poll(() => machine.commands).toBe(1)
    expect(await sessions.run(account, id, waiting, 'key').catch(codeOf)).toBe(
      'idempotency_in_progress',
    )
    machine.gate.resolve()
    expect(await first).toEqual({ stdout: id, stderr: '', exitCode: 0, timedOut: false })
    expect(await sessions.run(account, id, waiting, 'key')).toEqual({
      ...(await first),
      replayed: true,
    })
    expect(machine.commands).toBe(1)
    expect(await sessions.run(account, id, shell, 'key').catch(codeOf)).toBe(
      'idempotency_key_reused',
    )
  })

  test('is known to have run when its answer is not kept any more', async () => {
    const { gateway, account, id } = await keyed()
    const { sessions, machine } = gateway
    for (let count = 0; count <= 100; count += 1)
      await sessions.run(account, id, shell, `key-${count}`)
    expect(await sessions.run(account, id, shell, 'key-0').catch(codeOf)).toBe(
      'idempotency_key_reused',
    )
    expect(await sessions.run(account, id, shell, 'key-1')).toMatchObject({ replayed: true })
    expect(machine.commands).toBe(101)
  })

  test('that failed may run again', async () => {
    const { gateway, account, id } = await keyed()
    const box = gateway.machine.boxes.get(id)
    if (box !== undefined) box.suspended = true
    await expect(gateway.sessions.run(account, id, shell, 'key')).rejects.toThrow()
    if (box !== undefined) box.suspended = false
    expect(await gateway.sessions.run(account, id, shell, 'key')).toMatchObject({ exitCode: 0 })
  })

  test('that ran when its gateway died is not run again', async () => {
    const { gateway, account } = await openOwn()
    const { machine } = gateway
    const id = await gateway.create(account)
    const lost = gateway.sessions.run(account, id, { ...shell, command: 'wait' }, 'key')
    await expect.poll(() => machine.commands).toBe(1)
    const next = await succeed(gateway)
    await next.sessions.keepUp()
    const again = next.sessions.run(account, id, { ...shell, command: 'wait' }, 'key')
    expect(await again.catch(codeOf)).toBe('idempotency_key_reused')
    expect(machine.commands).toBe(1)
    machine.gate.resolve()
    await lost.catch(() => {})
  })
})

test('a job whose gateway stops has failed, and its session stays', async () => {
  const { gateway, account } = await openOwn()
  const id = await gateway.create(account)
  const { jobId } = await gateway.sessions.begin(account, id, {
    command: 'wait',
    timeoutMs: 60_000,
  })
  const findJob = createCommandJobReader(gateway.database)
  expect(await findJob(account, jobId)).toMatchObject({ state: 'running' })
  await gateway.sessions.stop()
  await expect
    .poll(() => findJob(account, jobId))
    .toMatchObject({ state: 'failed', failure: { code: 'unavailable' } })
  expect(await gateway.rows.get(id)).toMatchObject({ state: 'open' })
  const stranger = await openAccount(gateway.database, gateway.ledger, 1)
  expect(await findJob(stranger, jobId)).toBeUndefined()
})

describe('jobs', () => {
  const one = shareSessionGateway({ clock: { ...systemClock, advance() {} } })

  test.each([
    ['at the gateway that runs it', true],
    ['at another gateway', false],
  ])('a job is cancelled %s: its command is stopped, and its session stays', async (_, isOwn) => {
    const { machine, database } = one()
    const other = await openBeside(one())
    const account = await openAccount(database, one().ledger, 100_000)
    const id = await one().create(account)
    const begin = async () =>
      (await one().sessions.begin(account, id, { command: 'wait', timeoutMs: 60_000 })).jobId
    const [jobId, kept] = [await begin(), await begin()]
    await until(async () => machine.commands === 2)
    const { cancel } = (isOwn ? one() : other).commandJobs
    const stranger = await openAccount(database, one().ledger, 1)
    expect(await cancel(stranger, jobId)).toBeUndefined()
    expect(await cancel(account, jobId)).toBe('cancelled')
    const findJob = createCommandJobReader(database)
    expect(await findJob(account, jobId)).toMatchObject({
      state: 'failed',
      failure: { code: 'cancelled' },
    })
    await until(async () => machine.stopped === 1)
    expect(await cancel(account, jobId)).toBe('ended')
    expect(await one().rows.get(id)).toMatchObject({ state: 'open' })
    expect(await findJob(account, kept)).toMatchObject({ state: 'running' })
    machine.gate.resolve()
    await until(async () => (await findJob(account, kept))?.state === 'succeeded')
    expect(await findJob(account, jobId)).toMatchObject({ failure: { code: 'cancelled' } })
    expect(await cancel(account, kept)).toBe('ended')
  })
})
