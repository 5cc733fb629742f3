// What a caller reads when a vendor fails, in each way that the vendors document.
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { uuidv7 } from '#core/id.ts'
import { systemClock } from '#platform/clock.ts'
import type { StubReply, StubRequest } from './stub-vendor.ts'
import { openVendor, vendors } from './vendors/vendors.ts'

const { signal } = new AbortController()
const command = { command: 'echo hi', timeoutMs: 5_000 }
const isCreation = ({ method, path }: StubRequest) =>
  method === 'POST' && /\/(?:v\d\/)?(?:sandbox|sandboxes|devboxes|sprites)$/.test(path)
const isRun = ({ path }: StubRequest) => /\/(?:cmd|exec|execute|Start)$/.test(path)

describe.each(vendors)('$name', (vendor) => {
  let world: Awaited<ReturnType<typeof openVendor>>
  let now = Date.now()
  const clock = { ...systemClock, now: () => now }
  beforeAll(async () => {
    world = await openVendor(vendor, clock)
  })
  afterEach(async () => {
    world.stub.fail(undefined)
    for (const box of world.stub.machines.boxes.values()) world.stub.machines.remove(box)
    expect(world.stub.strays.splice(0)).toEqual([])
  })
  afterAll(() => world.close())

  const open = async (envs = {}) => {
    const context = world.context(uuidv7(Date.now()))
    return { context, box: await world.kind.open({ ...context, input: { envs } }) }
  }
  const failWith = (when: (request: StubRequest) => boolean, reply: StubReply) =>
    world.stub.fail((request) => (when(request) ? reply : undefined))
  const refusal = (status: number, headers = {}) => {
    const reply = vendor.stub.error(status, 'secret vendor text')
    return typeof reply === 'string' ? reply : { ...reply, headers }
  }

  test.each([
    [400, 'bad_request'],
    [401, 'upstream_error'],
    [402, 'upstream_error'],
    [403, 'upstream_error'],
    [404, 'not_found'],
    [409, 'upstream_busy'],
    [429, 'rate_limited'],
    [500, 'upstream_error'],
    [503, 'upstream_error'],
  ])('a creation that is answered with %i is %s, and leaves no box', async (status, code) => {
    const fresh = await openVendor(vendor)
    fresh.stub.fail(() => refusal(status, { 'retry-after': '17' }))
    const context = fresh.context(uuidv7(Date.now()))
    const error = await fresh.kind.open({ ...context, input: {} }).catch((thrown) => thrown)
    expect(error).toMatchObject({ code })
    if (status === 429) expect(error.retryAfterSeconds).toBe(17)
    if (status > 400 && status !== 404) expect(`${error.message}`).not.toContain('secret')
    expect(await fresh.count()).toBe(0)
    await fresh.close()
  })

  test.each(['cut', { body: '{"a":' }, { body: { unexpected: true } }] as const)(
    'a box whose creation was answered with %j is found by its name and discarded',
    async (reply) => {
      const context = world.context(uuidv7(Date.now()))
      let answered = 0
      world.stub.fail((request) => {
        if (!isCreation(request)) return undefined
        answered += 1
        if (reply === 'cut') return 'cut'
        world.stub.machines.add(`tollway-${context.sessionId}`)
        return reply
      })
      const failed = await world.kind.open({ ...context, input: {} }).catch((thrown) => thrown)
      expect(failed).toMatchObject({ code: 'upstream_error' })
      // A creation is never repeated: each one could make a box that costs money.
      expect([answered, await world.count()]).toEqual([1, 1])
      world.stub.fail(undefined)
      await world.kind.discard(context, undefined)
      expect(await world.count()).toBe(0)
    },
  )

  test.each([
    ['cut off', 'cut'],
    ['empty', { body: '' }],
    ['another format', { body: '<html>' }],
    ['an outage', { status: 503, body: 'down' }],
  ] as const)(
    'the answer to a command that is %s is upstream_error, and the box goes on',
    async (_name, reply) => {
      const { box } = await open()
      failWith(isRun, reply)
      await expect(box.run(command, signal)).rejects.toMatchObject({ code: 'upstream_error' })
      world.stub.fail(undefined)
      expect(await box.alive()).toBe(true)
      expect((await box.run(command, signal)).stdout).toBe('hi\n')
    },
  )

  test('a 429 on a command says how long to wait', async () => {
    const { box } = await open()
    failWith(isRun, refusal(429, { 'retry-after': '9' }))
    await expect(box.run(command, signal)).rejects.toMatchObject({
      code: 'rate_limited',
      retryAfterSeconds: 9,
    })
  })

  test('an outage of the vendor is not the end of a box', async () => {
    const { box, context } = await open()
    now += 3_600_000
    world.stub.fail(() => refusal(503))
    await expect(box.alive()).rejects.toMatchObject({ code: 'upstream_error' })
    await expect(world.kind.adopt(context, box.state)).rejects.toMatchObject({
      code: 'upstream_error',
    })
    await expect(box.close()).rejects.toMatchObject({ code: 'upstream_error' })
    world.stub.fail(undefined)
    await box.close()
    expect(await world.count()).toBe(0)
  })

  test('boxes that end do not open the circuit of the vendor', async () => {
    for (let ended = 0; ended < 6; ended += 1) {
      const { box } = await open()
      for (const each of world.stub.machines.boxes.values()) world.stub.machines.remove(each)
      await expect(box.run(command, signal)).rejects.toThrow('The box has ended.')
    }
    const { box } = await open()
    expect((await box.run(command, signal)).stdout).toBe('hi\n')
  })

  test('a watched box is extended at the vendor; without its gateway it would end by itself', async () => {
    const { box } = await open()
    const [made] = world.stub.machines.boxes.values()
    if (vendor.name === 'Fly Sprites') return expect(made?.leaseSeconds).toBeUndefined()
    if (made?.leaseSeconds === undefined) throw new Error('There is no box.')
    const isAdding = vendor.name === 'Vercel Sandbox'
    let endsAtMs = now + 1_800_000
    for (let minute = 0; minute < 240; minute += 1) {
      // Most vendors count from the last extension; one adds to the time that is left.
      const before = made.leaseSeconds ?? 0
      if (!isAdding) made.leaseSeconds = 0
      now += 60_000
      expect(await box.alive()).toBe(true)
      if (isAdding) endsAtMs += ((made.leaseSeconds ?? 0) - before) * 1_000
      else if (made.leaseSeconds > 0) endsAtMs = now + made.leaseSeconds * 1_000
      expect(endsAtMs - now).toBeGreaterThan(800_000)
      expect(endsAtMs - now).toBeLessThanOrEqual(1_800_000)
    }
  })

  test('the state of another kind of box is not adopted, and discarding it changes nothing', async () => {
    const context = world.context(uuidv7(Date.now()))
    expect(await world.kind.adopt(context, { template: 'python' })).toBeUndefined()
    await world.kind.discard(context, { template: 'python' })
  })

  test('the state of a box does not hold the operator’s key', async () => {
    const { box } = await open({ TEA: 'green' })
    expect(JSON.stringify(box.state)).not.toContain(vendor.key)
  })
})

const dead: Readonly<Record<string, object>> = {
  Daytona: { id: 'dead', state: 'error', cpu: 1, toolboxProxyUrl: 'http://127.0.0.1:9' },
  'Vercel Sandbox': { session: { id: 'dead', status: 'failed', vcpus: 2 } },
  Runloop: { id: 'dead', status: 'failure' },
}

test.each(vendors.filter(({ name }) => name in dead))(
  'a box of $name that is over when its creation is answered is not sold',
  async (vendor) => {
    const world = await openVendor(vendor)
    world.stub.fail((request) => {
      if (isCreation(request)) return { body: dead[vendor.name] ?? {} }
      return { body: { id: 'dead', status: 'failure' } }
    })
    const opening = world.kind.open({ ...world.context(uuidv7(Date.now())), input: {} })
    await expect(opening).rejects.toMatchObject({
      code: 'upstream_error',
      message: expect.stringContaining('could not start'),
    })
    await world.close()
  },
)
