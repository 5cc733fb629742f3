// The browsers of this machine: headless-shell, the whole Chromium, the whole Chromium driven so that it is hard to
// tell from a person's, and one that loads pictures. They share one way out and one number of pages that may be open at
// once.

import { availableParallelism } from 'node:os'
import type { BrowserType } from 'playwright-core'
import type { Clock, Log } from '#core/ports.ts'
import { sweepBrowserFolders } from '#platform/chromium/browser-folder.ts'
import { findChromium, findWholeChromium } from '#platform/chromium/chromium.ts'
import type { Dial } from '#platform/egress/dial.ts'
import type { EgressGuard } from '#platform/egress/guard.ts'
import { createEgressProxy, type EgressProxy } from '#platform/egress/proxy.ts'
import { once } from '#platform/once.ts'
import { createFairPlaces, tooManyWaiting } from '#platform/threads/fair-places.ts'
import { createRenderer, type Renderer } from './render.ts'

export interface Renderers {
  readonly shell: Renderer
  readonly whole: Renderer
  readonly stealth: Renderer
  /** Takes pictures of pages: the whole Chromium, which meets fewer walls, or else headless-shell. */
  readonly camera: Renderer
  /** What the operator must do before pages can be rendered; undefined where a Chromium is installed. */
  missing(): Promise<string | undefined>
  /** The way out that they share. */
  readonly proxy: () => Promise<EgressProxy>
  close(): Promise<void>
}

export interface RenderersOptions {
  readonly guard: EgressGuard
  readonly log: Log
  readonly clock: Clock
  /** The Chromium of the first renderer; by default the first found in the usual places, headless-shell before all. */
  readonly chromiumPath?: string | undefined
  /** The Chromium of the others; by default the first whole one in the usual places, unless `chromiumPath` is set. */
  readonly wholeChromiumPath?: string | undefined
  /** Default true. False is the operator's explicit word that pages may run unsandboxed. */
  readonly chromiumSandbox?: boolean
  /** How the stealthy one reaches pages, if not directly. */
  readonly stealthDial?: Dial | undefined
  readonly tabsMax?: number
  /** Pages after which a browser is replaced by a fresh one. */
  readonly pagesPerBrowserMax?: number
  readonly renderTimeoutMs?: number
}

const tabsPerCore = 2
const coresPerBrowser = 2
const waitingPerOwnerMax = 64
/** A page costs the whole Chromium twice the memory, at least. */
const placesOfWhole = 2
const settling = {
  usual: { quietMs: 500, leastMs: 0, mostMs: 12_000 },
  /** Challenges take some seconds to be content with a browser, and then load the page. */
  patient: { quietMs: 1_500, leastMs: 4_000, mostMs: 20_000 },
} as const
/** The whole Chromium holds twice the memory, and is needed seldom. */
const idleMs = { shell: 60_000, whole: 15_000 } as const
const pagesPerBrowserDefault = 200
const renderTimeoutDefaultMs = 18_000
const patientRenderTimeoutMs = 40_000
/** Pictures and styles take time to arrive. */
const pictureTimeoutMs = 30_000

/** Another owner can begin at once. */
const tabsPerOwner = (tabsMax: number) => Math.min(tabsMax, Math.max(placesOfWhole, tabsMax - 1))

const tooManyPages = () =>
  tooManyWaiting('pages waiting for the browser of this machine', {
    waitingMax: waitingPerOwnerMax,
    done: 'read',
    retryAfterSeconds: 5,
  })

/** Removes what earlier processes left in the temporary folder, and starts the proxy of all browsers. */
async function startProxy(guard: EgressGuard, log: Log): Promise<EgressProxy> {
  await sweepBrowserFolders().catch((error) =>
    log.warn({ err: error }, 'Old folders of browsers could not be removed.'),
  )
  return createEgressProxy({ guard })
}

/** The programs, each looked for once; undefined where it is not installed. */
function findPrograms({ chromiumPath, wholeChromiumPath }: RenderersOptions) {
  const shellPath = once(() => findChromium(chromiumPath))
  const wholePath = once(async () =>
    chromiumPath !== undefined && wholeChromiumPath === undefined
      ? undefined
      : findWholeChromium(wholeChromiumPath),
  )
  return { shellPath, wholePath }
}

export function createRenderers(options: RenderersOptions): Renderers {
  const { guard, log, clock, chromiumPath } = options
  const { chromiumSandbox: sandbox = true, pagesPerBrowserMax = pagesPerBrowserDefault } = options
  const cores = availableParallelism()
  const tabsMax = options.tabsMax ?? cores * tabsPerCore
  const tabsOfWhole = Math.max(1, Math.floor(tabsMax / placesOfWhole))
  const tabs = createFairPlaces({
    places: tabsMax,
    placesPerOwner: tabsPerOwner(tabsMax),
    waitingPerOwnerMax,
    refusal: tooManyPages,
  })
  let started: Promise<EgressProxy> | undefined
  const proxy = () => (started ??= startProxy(guard, log))
  const { renderTimeoutMs = renderTimeoutDefaultMs } = options
  const usual = { driver: playwright, settling: settling.usual, renderTimeoutMs }
  const places = { tabs, proxy, sandbox, pagesPerBrowserMax }
  const shared = { guard, log, clock, ...places, ...usual }

  const { shellPath, wholePath } = findPrograms(options)
  const shell = createRenderer({
    ...shared,
    executable: async () => (await shellPath()) ?? refuse(notInstalled(chromiumPath)),
    places: 1,
    browsersMax: Math.max(1, Math.ceil(cores / coresPerBrowser)),
    idleMs: idleMs.shell,
    tabsPerBrowser: Math.min(tabsMax, coresPerBrowser * tabsPerCore),
  })
  const wholeOne = {
    places: placesOfWhole,
    browsersMax: 1,
    tabsPerBrowser: tabsOfWhole,
    idleMs: idleMs.whole,
  }
  const whole = createRenderer({
    ...shared,
    ...wholeOne,
    async executable() {
      const found = (await wholePath()) ?? refuse(noWhole)
      return found === (await shellPath()) ? refuse(onlyWhole) : found
    },
  })
  const stealth = createRenderer({
    ...shared,
    ...wholeOne,
    executable: async () => (await wholePath()) ?? refuse(noWhole),
    driver: patchright,
    settling: settling.patient,
    renderTimeoutMs: patientRenderTimeoutMs,
    dial: options.stealthDial,
    isStealthy: true,
  })
  const camera = createRenderer({
    ...shared,
    ...wholeOne,
    executable: async () =>
      (await wholePath()) ?? (await shellPath()) ?? refuse(notInstalled(chromiumPath)),
    renderTimeoutMs: pictureTimeoutMs,
    hasPictures: true,
  })
  return {
    shell,
    whole,
    stealth,
    camera,
    missing: async () => ((await shellPath()) ? undefined : notInstalled(chromiumPath)),
    proxy,
    async close() {
      await Promise.all([shell, whole, stealth, camera].map((renderer) => renderer.close()))
      await (await started)?.close()
    },
  }
}

const playwright = async (): Promise<BrowserType> => (await import('playwright-core')).chromium
/** The same library without the traces that it leaves in a page. Its types are a copy of the other's. */
const patchright = async () =>
  (await import('patchright-core')).chromium as unknown as Promise<BrowserType>

function notInstalled(chromiumPath: string | undefined): string {
  return chromiumPath === undefined
    ? 'Chromium is not installed: install the package chromium-headless-shell or chromium, or set CHROMIUM_PATH.'
    : `Chromium is not installed: there is no program at ${chromiumPath}.`
}
const noWhole =
  'The whole Chromium is not installed: install the package chromium, or set CHROMIUM_WHOLE_PATH.'
const onlyWhole =
  'There is one Chromium only: with the package chromium-headless-shell there would be two renderers.'

function refuse(message: string): never {
  throw new Error(message)
}
