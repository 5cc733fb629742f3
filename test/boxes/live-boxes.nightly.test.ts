import { expect, onTestFinished, test } from 'vitest'
import { uuidv7 } from '#core/id.ts'
import { systemClock } from '#platform/clock.ts'
import { testBoxes } from './contract.ts'
import { openVendor, vendors } from './vendors/vendors.ts'

const traits: Readonly<Record<string, Parameters<typeof testBoxes>[1]>> = {
  Daytona: { keepsVariables: true },
  Runloop: { suspends: true },
  'Fly Sprites': { suspends: true, ignoresEnvs: true },
}

for (const vendor of vendors)
  testBoxes(vendor.name, traits[vendor.name] ?? {}, () => openVendor(vendor))

/** A vendor at which each command takes a minute and a half of the clock. */
async function openSlowVendor(name: string) {
  let now = Date.now()
  const vendor = vendors.find((each) => each.name === name)
  if (vendor === undefined) throw new Error(`There is no ${name}.`)
  const world = await openVendor(vendor, { ...systemClock, now: () => now })
  onTestFinished(() => world.close())
  const context = world.context(uuidv7(Date.now()))
  const box = await world.kind.open({ ...context, input: {} })
  world.stub.fail(({ path }) => {
    if (/exec/.test(path)) now += 90_500
    return undefined
  })
  const run = () => box.run({ command: 'true', timeoutMs: 600_000 }, context.signal)
  return { world, box, run, pass: (ms: number) => (now += ms) }
}

test('a sprite is charged for the time with a command under way, and for nothing else', async () => {
  const { box, run, pass } = await openSlowVendor('Fly Sprites')
  pass(3_600_000)
  expect(await box.measure?.()).toEqual({ cpu: 0, gigabyte: 0 })
  await run()
  pass(3_600_000)
  expect(await box.measure?.()).toEqual({ cpu: 720, gigabyte: 360 })
  await run()
  expect(await box.measure?.()).toEqual({ cpu: 1_448, gigabyte: 724 })
})

test('a box is charged by the processors that it has', async () => {
  const rates = await Promise.all(
    ['E2B', 'Daytona', 'Vercel Sandbox', 'Runloop'].map(async (name) => {
      const { box } = await openSlowVendor(name)
      expect(box.measure).toBeUndefined()
      return box.perSecond
    }),
  )
  expect(rates).toEqual([{ vcpu: 2 }, { vcpu: 1 }, { vcpu: 2 }, { vcpu: 2 }])
})

test('an interpreter that ends by itself loses its variables, and the next code has a new one', async () => {
  const { world, box } = await openSlowVendor('Daytona')
  world.stub.fail(undefined)
  const run = (code: string, language: 'python' | 'javascript') =>
    box.run({ code, language, timeoutMs: 30_000 }, new AbortController().signal)
  await run('x = 1', 'python')
  const ended = await run('import os; os._exit(4)', 'python')
  expect([ended.exitCode, ended.stderr]).toEqual([1, expect.stringContaining('variables are lost')])
  expect((await run('print(x)', 'python')).stderr).toContain("name 'x' is not defined")
  const awaited = await run(
    'globalThis.y = await Promise.resolve(5); console.log(y); JSON.parse("{")',
    'javascript',
  )
  expect([awaited.stdout, awaited.exitCode]).toEqual(['5\n', 1])
  expect((await run('console.log(y); setTimeout(() => {}, 1e6)', 'javascript')).stdout).toBe('5\n')
})
