// The rungs of this machine: its own fetches and browsers, and the operator's proxies.
import type { Clock } from '#core/ports.ts'
import {
  type BrowserFetcher,
  browserProfiles,
  createBrowserFetcher,
} from '#platform/egress/browser-fetcher.ts'
import type { Dial } from '#platform/egress/dial.ts'
import { FetchFailure } from '#platform/egress/failure.ts'
import { createEgressFetcher, type EgressFetcher } from '#platform/egress/fetcher.ts'
import type { EgressGuard } from '#platform/egress/guard.ts'
import type { WaysOut } from '#platform/egress/operator-proxies.ts'
import { randomPauseMs } from '#platform/serial-retry.ts'
import type { Renderer, RenderWish } from '../browsers/render.ts'
import type { Renderers } from '../browsers/renderers.ts'
import { browserHeaders, fetchPage } from './fetch.ts'
import type { Availability, OwnPages, Rung, RungReply } from './rungs.ts'

/** An unblocker tries a page in several ways before it answers. */
const unblockTimeoutMs = 75_000
/** Before the page is requested again as another browser. */
const pauseMs = { least: 300, most: 1_200 } as const

/** The same page without and with its scripts, for readers that use no ladder. */
export interface PageRungs {
  readonly plain: Rung
  readonly rendered: Rung
}

/** The operator's proxies through which pages can be requested. */
export type ProxiedRungs = Readonly<Partial<Record<'datacenter' | 'residential', PageRungs>>>

export function createOwnRungs(dependencies: {
  readonly guard: EgressGuard
  readonly fetcher: EgressFetcher
  readonly renderers: Renderers
  readonly waysOut: WaysOut
  readonly clock: Clock
  readonly ownPages: OwnPages
}): {
  readonly rungs: readonly Rung[]
  readonly direct: PageRungs
  readonly proxied: ProxiedRungs
  close(): Promise<void>
} {
  const { guard, fetcher, renderers, waysOut, clock, ownPages } = dependencies
  const browserFetcher = (dial: Dial | undefined) =>
    createBrowserFetcher({ guard, proxy: renderers.proxy, dial })

  const unblocker =
    waysOut.unblock &&
    createEgressFetcher({
      guard,
      dial: waysOut.unblock,
      // It decrypts the TLS of the page.
      verifiesCertificates: false,
      headersTimeoutMs: unblockTimeoutMs,
    })
  const cheap = browserFetcher(waysOut.datacenter)
  const plain = fetchRung(fetcher, ownPages)
  const rendered = browserRung({ position: 2, provider: 'chromium' }, renderers.shell)
  const through = (way: keyof ProxiedRungs, position: number): ProxiedRungs => {
    const dial = waysOut[way]
    if (dial === undefined) return {}
    const fetched = { position, provider: `${way}_fetch` }
    return {
      [way]: {
        plain: profileRung(fetched, browserFetcher(dial), clock),
        rendered: browserRung({ position, provider: `${way}_chromium` }, renderers.shell, { dial }),
      },
    }
  }
  const proxied = { ...through('datacenter', 3), ...through('residential', 5) }
  return {
    rungs: [
      plain,
      rendered,
      browserRung({ position: 2, provider: 'chromium_whole' }, renderers.whole),
      cameraRung(renderers.camera),
      profileRung({ position: 3, provider: 'browser_fetch' }, cheap, clock),
      ...(unblocker ? [unblockRung(unblocker)] : []),
      ...(proxied.residential ? [proxied.residential.plain] : []),
      browserRung({ position: 6, provider: 'chromium_stealth' }, renderers.stealth),
    ],
    direct: { plain, rendered },
    proxied,
    close: async () => unblocker?.close(),
  }
}

type Place = Pick<Rung, 'position' | 'provider'>

function fetchRung(fetcher: EgressFetcher, ownPages: OwnPages): Rung {
  return {
    position: 1,
    provider: 'fetch',
    action: 'get',
    skills: ['headers', 'cookies', 'mobile'],
    availability: () => ({ ok: true }),
    async read(request) {
      const { url } = request
      const own = ownPages(url)
      if (own !== undefined)
        return { kind: 'html', body: own, finalUrl: url, status: 200, headers: {} }
      return await fetchPage(request, fetcher.fetch, { headers: browserHeaders })
    },
  }
}

function browserRung(
  place: Place,
  renderer: Renderer,
  options: Pick<RenderWish, 'dial' | 'picture'> = {},
): Rung {
  return {
    ...place,
    action: 'render',
    // A browser would send these headers to every host of the page, and after redirects too.
    skills: ['cookies', 'mobile', 'wait', 'wait_selector'],
    availability: () => renderer.availability(),
    async read({ url, caller, signal, hold, visit, endsAt }) {
      const wish = { ...options, owner: caller.accountId, signal, hold, visit, endsAt }
      const { html, isCut, ...page } = await renderer.render(url, wish)
      const truncated = isCut ? 'size' : undefined
      return { kind: 'html', body: html, rendered: true, truncated, ...page }
    },
  }
}

/** Loads pictures and fonts, which takes longer, so it reads only pages of which a picture is wanted. */
function cameraRung(camera: Renderer): Rung {
  const rung = browserRung({ position: 2, provider: 'chromium' }, camera, {
    picture: windowPicture,
  })
  const skills = [...(rung.skills ?? []), 'screenshot' as const]
  return { ...rung, action: 'screenshot', skills, onlyFor: 'screenshot' }
}

const windowPicture = { format: 'webp', isFullPage: false } as const

/** The unblocker sends headers of its own choice. */
function unblockRung(unblocker: EgressFetcher): Rung {
  return {
    position: 4,
    provider: 'unblock_proxy',
    action: 'get',
    availability: () => ({ ok: true }),
    read: (request) => fetchPage(request, unblocker.fetch, { timeoutMs: unblockTimeoutMs }),
  }
}

/** Requests the page as one browser, and once more as another if the first is refused. */
function profileRung(place: Place, fetcher: BrowserFetcher, clock: Clock): Rung {
  return {
    ...place,
    action: 'get',
    skills: ['headers', 'cookies'],
    availability: (): Promise<Availability> =>
      fetcher.ready().then(
        () => ({ ok: true }),
        () => ({ ok: false, reason: 'The library impit has no build for this machine.' }),
      ),
    async read(request) {
      const [first, second] = browserProfiles
      const readAs = (profile: (typeof browserProfiles)[number]) =>
        fetchPage(request, (ask) => fetcher.fetch(ask, profile))
      const reply = await readAs(first).catch(ignoreConnection)
      if (reply !== undefined && !isTurnedAway(reply)) return reply
      await clock.sleep(randomPauseMs(pauseMs), request.signal)
      return await readAs(second).catch((thrown) => reply ?? Promise.reject(thrown))
    },
  }
}

/** A server that refuses a handshake drops the connection. */
function ignoreConnection(thrown: unknown): undefined {
  if (thrown instanceof FetchFailure && thrown.reason === 'connection') return undefined
  throw thrown
}

function isTurnedAway({ status }: RungReply): boolean {
  return [403, 407, 429, 503].includes(status) || (status >= 520 && status <= 530)
}
