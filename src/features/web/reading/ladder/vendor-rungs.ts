// The vendors' places on the ladder. Each calls an action of the catalog inside the paid call, so that it is priced and
// recorded like any other; where the operator has no key it is skipped with the reason.
import { splitId } from '#core/catalog.ts'
import { CallError } from '#core/errors.ts'
import type { Clock } from '#core/ports.ts'
import { createSerialRetry } from '#platform/serial-retry.ts'
import type { Rung, RungReply } from './rungs.ts'
import type { VisitSkill, VisitWish } from './visit.ts'

interface VendorRung {
  readonly position: number
  /** `service/action` of the catalog. */
  readonly id: string
  readonly ask: (url: string, visit: VisitWish) => object
  readonly skills?: readonly VisitSkill[]
  /** Undefined when the vendor has no page in its answer. */
  page(data: unknown): VendorPage | undefined
}

interface VendorPage {
  readonly kind: 'html' | 'text'
  readonly body: string
  readonly rendered?: boolean
  readonly status?: number | null | undefined
  readonly finalUrl?: string | null | undefined
  readonly title?: string | null
}

interface RenderedAnswer {
  readonly html?: string | null
  readonly rawHtml?: string | null
  readonly metadata?: {
    readonly statusCode?: number | null
    readonly sourceURL?: string | null
  } | null
}

/** HTML is asked for and shaped here, so that main_content means the same on every rung. */
const renderedPage = ({ html, rawHtml, metadata }: RenderedAnswer): VendorPage | undefined => {
  const body = rawHtml ?? html
  if (body == null) return undefined
  const { statusCode: status, sourceURL: finalUrl } = metadata ?? {}
  return { kind: 'html', rendered: true, body, status, finalUrl }
}

const rawPage = ({
  raw,
  status_code: status,
  final_url: finalUrl,
}: {
  raw: string
  status_code: number | null
  final_url?: string
}): VendorPage => ({ kind: 'html', rendered: true, body: raw, status, finalUrl })

const waitOf = ({ waitFor }: VisitWish) => (typeof waitFor === 'number' ? { waitFor } : {})
const countryOf = ({ country }: VisitWish) => (country === undefined ? {} : { country })
const formats = { formats: ['html'], onlyMainContent: false }

const vendors: readonly VendorRung[] = [
  {
    position: 1,
    id: 'ns_semantic/contents',
    ask: (url) => ({ urls: [url], text: true }),
    page: ({ results: [found] }) =>
      typeof found?.text === 'string'
        ? { kind: 'text', body: found.text, title: found.title ?? null }
        : undefined,
  },
  {
    position: 2,
    id: 'ns_render_b/scrape',
    skills: ['wait'],
    ask: (url, visit) => ({ url, ...formats, ...waitOf(visit), ...countryOf(visit) }),
    page: renderedPage,
  },
  {
    position: 2,
    id: 'ns_render_a/scrape',
    skills: ['wait'],
    ask: (url, visit) => ({ url, ...formats, ...waitOf(visit) }),
    page: renderedPage,
  },
  { position: 3, id: 'ns_resi/scrape', ask: (url) => ({ url }), page: rawPage },
  { position: 4, id: 'unblock/scrape', ask: (url) => ({ url }), page: rawPage },
  { position: 5, id: 'ns_resi/scrape_residential', ask: (url) => ({ url }), page: rawPage },
  {
    position: 6,
    id: 'ns_render_b/scrape',
    skills: ['wait'],
    ask: (url, visit) => ({
      url,
      ...formats,
      stealth: true,
      ...waitOf(visit),
      ...countryOf(visit),
    }),
    page: renderedPage,
  },
]

/** A vendor that takes one page at a time is asked again after a pause, by one page after the other. */
const attemptsMax = 4
const pauseMs = { least: 500, most: 3_000 } as const

export function createVendorRungs({ clock }: { readonly clock: Clock }): readonly Rung[] {
  const retrySerially = createSerialRetry({ clock, isBusy, attemptsMax, pauseMs })
  return vendors.map(({ position, id, ask, page, skills = [] }) => {
    const [provider, action] = splitId(id)
    return {
      position,
      provider,
      action,
      recordedByRunner: true,
      skills,
      availability: ({ available }) =>
        available(id, 'vendor') ? { ok: true } : { ok: false, reason: 'not_configured' },
      async read(request): Promise<RungReply> {
        const { url, call, signal, visit = {} } = request
        const found = page(
          await retrySerially(() => call(id, ask(url, visit)), signal).catch((thrown) => {
            // A vendor that fails is a rung that failed; the call goes on with the next.
            throw new Error(`${id} brought no page.`, { cause: thrown })
          }),
        )
        if (found === undefined) throw new Error(`${id} has no such page.`)
        const { status, finalUrl, ...reply } = found
        return { ...reply, finalUrl: finalUrl ?? url, status: status ?? 200, headers: {} }
      },
    }
  })
}

function isBusy(thrown: unknown): boolean {
  return thrown instanceof CallError && thrown.code === 'upstream_busy'
}
