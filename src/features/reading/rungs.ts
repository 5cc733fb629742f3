// A rung is one way of getting at a page. The ladder climbs them in order and cannot tell ours from a vendor's.
import type { EgressFetcher } from '#platform/egress/fetcher.ts'
import { fetchPage } from './fetch.ts'
import type { Renderer } from './render.ts'
import type { PageFormat } from './shape.ts'

/** What the body of a reply is. `other` is no page: a picture, an archive. */
export type PageKind = 'html' | 'markdown' | 'text' | 'json' | 'xml' | 'other'

export interface RungReply {
  readonly kind: PageKind
  readonly body: string
  /** Its scripts have run. */
  readonly rendered?: boolean
  readonly finalUrl: string
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** For bodies that do not contain it. */
  readonly title?: string | null
  /** What the call cost; nothing where this machine made it. */
  readonly chargedCents?: number
}

export interface RungRequest {
  readonly url: string
  readonly format: PageFormat
  readonly mainContent: boolean
  readonly signal: AbortSignal
}

export type Availability = { readonly ok: true } | { readonly ok: false; readonly reason: string }

export interface Rung {
  /** 1 no JavaScript, 2 rendered, 3 cheap anti-bot; 4 to 6 belong to the deep tier. */
  readonly position: number
  readonly provider: string
  readonly action: string
  availability(): Availability | Promise<Availability>
  /** Throws when there was no reply; the ladder then goes on. CallErrors end the call. */
  read(request: RungRequest): Promise<RungReply>
}

/** A provider's place on the ladder, kept whether or not the operator has set it up. */
export interface VendorSlot {
  readonly position: number
  readonly provider: string
  readonly action: string
}

const vendorSlots: readonly VendorSlot[] = [
  { position: 1, provider: 'ns_semantic', action: 'contents' },
  { position: 2, provider: 'ns_render_a', action: 'scrape' },
  { position: 2, provider: 'ns_render_b', action: 'scrape' },
  { position: 3, provider: 'ns_resi', action: 'scrape' },
  { position: 4, provider: 'unblock', action: 'scrape' },
  { position: 5, provider: 'ns_resi', action: 'scrape_residential' },
  { position: 6, provider: 'ns_render_b', action: 'scrape_stealth' },
]

/** What a page costs on the deep tier, by the rung that read it. Source: spec, "Rung order". */
const centsByPosition: Readonly<Record<number, number>> = { 1: 1, 2: 1, 3: 1, 4: 2, 5: 4, 6: 1 }
const lastCheapPosition = 3

export function rungCents({ position }: Rung): number {
  const cents = centsByPosition[position]
  if (cents === undefined) throw new RangeError(`The ladder has no rung ${position}.`)
  return cents
}

export function isDeep({ position }: Rung): boolean {
  return position > lastCheapPosition
}

/** Every rung, in order. At each position this machine goes first: it costs the operator nothing. */
export function createRungs(options: {
  readonly fetcher: EgressFetcher
  readonly renderer: Renderer
  /** Vendor rungs that are set up; they take the place of the slot of the same name. */
  readonly slots: readonly Rung[]
}): readonly Rung[] {
  const { fetcher, renderer, slots } = options
  const vendors = vendorSlots.map(
    (slot) =>
      slots.find(({ provider, action }) => provider === slot.provider && action === slot.action) ??
      emptySlot(slot),
  )
  return [fetchRung(fetcher), chromiumRung(renderer), ...vendors].sort(
    (one, other) => one.position - other.position,
  )
}

function fetchRung(fetcher: EgressFetcher): Rung {
  return {
    position: 1,
    provider: 'fetch',
    action: 'get',
    availability: () => ({ ok: true }),
    read: ({ url, signal }) => fetchPage(fetcher, url, signal),
  }
}

function chromiumRung(renderer: Renderer): Rung {
  return {
    position: 2,
    provider: 'chromium',
    action: 'render',
    availability: () => renderer.availability(),
    async read({ url, signal }) {
      const { html, ...page } = await renderer.render(url, signal)
      return { kind: 'html', body: html, rendered: true, ...page }
    },
  }
}

function emptySlot(slot: VendorSlot): Rung {
  return {
    ...slot,
    availability: () => ({ ok: false, reason: 'not_configured' }),
    read: () => Promise.reject(new Error(`${slot.provider} is not configured.`)),
  }
}
