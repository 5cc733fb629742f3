import { EventEmitter } from 'node:events'
import { expect, test } from 'vitest'
import type { Log } from '#core/ports.ts'
import { createBrowsers } from './browsers.ts'
import type { RunningChromium } from './chromium.ts'

const log: Log = { debug() {}, info() {}, warn() {}, error() {} }

function keep(limits: Partial<Parameters<typeof createBrowsers>[0]> = {}) {
  const events: string[] = []
  const started: EventEmitter[] = []
  const browsers = createBrowsers({
    log,
    browsersMax: 2,
    tabsPerBrowser: 2,
    pagesPerBrowserMax: 100,
    idleMs: 60_000,
    ...limits,
    launch: async () => {
      const number = started.length
      const browser = new EventEmitter()
      started.push(browser)
      events.push(`start ${number}`)
      const close = async () => void events.push(`close ${number}`)
      return { browser, close } as unknown as RunningChromium
    },
  })
  return { browsers, events, started }
}

test('a browser is started only when the others are full', async () => {
  const { browsers, events } = keep()
  const leases = [await browsers.lease(), await browsers.lease()]
  expect(events).toEqual(['start 0'])
  leases.push(await browsers.lease(), await browsers.lease(), await browsers.lease())
  expect(events).toEqual(['start 0', 'start 1'])
  for (const { release } of leases) release('used')
  await browsers.close()
  expect(events.toSorted()).toEqual(['close 0', 'close 1', 'start 0', 'start 1'])
})

test('a browser closes after its last page once it has reached its limit of pages', async () => {
  const { browsers, events } = keep({ pagesPerBrowserMax: 2 })
  const [first, second] = [await browsers.lease(), await browsers.lease()]
  first.release('used')
  const third = await browsers.lease()
  expect(events).toEqual(['start 0', 'start 1'])
  second.release('used')
  await Promise.resolve()
  await expect.poll(() => events).toContain('close 0')
  third.release('used')
  await browsers.close()
})

test('a broken or closed browser is not used again', async () => {
  const { browsers, started } = keep()
  const broken = await browsers.lease()
  broken.release('broken')
  const gone = await browsers.lease()
  expect(gone.browser).toBe(started[1])
  started[1]?.emit('disconnected')
  expect((await browsers.lease()).browser).toBe(started[2])
  await browsers.close()
  await expect(browsers.lease()).rejects.toThrow('closed')
})

test('only a browser without pages ends after the idle time', async () => {
  const { browsers, events } = keep({ idleMs: 20 })
  const busy = await browsers.lease()
  await new Promise((resolve) => setTimeout(resolve, 60))
  expect(events).toEqual(['start 0'])
  busy.release('used')
  await expect.poll(() => events).toContain('close 0')
  await browsers.ready()
  await expect.poll(() => events).toContain('close 1')
  await browsers.close()
})
