// Stand-ins for the vendors of proxies: they read a page through the operator's own proxies. A caller cannot choose a
// country, since this machine does not know where the proxies are.
import type { RunContext } from '#core/action.ts'
import type { StandIn, StandIns } from '#core/catalog.ts'
import { fail } from '#core/errors.ts'
import { membersOf } from '#core/input/members.ts'
import type { EgressGuard } from '#platform/egress/guard.ts'
import type { ProxiedRungs } from '../ladder/own-rungs.ts'
import type { PageReader, PageWish } from './page.ts'
import { admitTo, provider, refuseForeign } from './refusals.ts'

interface ResiInput {
  readonly url: string
  readonly browser: boolean
  readonly timeout?: number | undefined
  readonly return_page_source?: boolean | undefined
}
interface GeoInput {
  readonly url: string
  readonly render?: 'html' | undefined
}

const vendorsAlone = {
  ns_resi: ['wait_for_selector', 'js_snippet', 'proxy_country', 'cookies'],
  ns_geo: ['geo_location'],
} as const

type Way = keyof ProxiedRungs

export function createProxiedStandIns(dependencies: {
  readonly reader: PageReader
  readonly guard: EgressGuard
  /** The kinds of proxies that the operator has. */
  readonly ways: readonly Way[]
}): StandIns {
  const { reader, guard, ways } = dependencies
  const admit = admitTo(guard)

  const checkFor = (namespace: keyof typeof vendorsAlone) => (input: GeoInput & object) => {
    admit(input)
    const sent = membersOf(input)
    refuseForeign(
      vendorsAlone[namespace].filter((name) => sent[name] !== undefined),
      namespace,
    )
  }

  function readResi(through: Way, formats: PageWish['formats'], context: RunContext<ResiInput>) {
    const { url, browser, return_page_source: source, timeout } = context.input
    // The caller wants the reply as the server sent it, which needs no browser.
    const scripts = browser && !source ? 'always' : 'never'
    return within(timeout, context, (signal) =>
      reader.read({ url, formats, mainContent: false, scripts, through }, { ...context, signal }),
    )
  }

  const scrape =
    (through: Way): StandIn['run'] =>
    async (context: RunContext<ResiInput>) => {
      const { page } = await readResi(through, ['rawHtml'], context)
      return { raw: page.rawHtml, status_code: page.metadata.statusCode, provider }
    }

  const markdown: StandIn['run'] = async (context: RunContext<ResiInput>) => {
    const { page } = await readResi('datacenter', ['markdown'], context)
    return { url: page.metadata.sourceURL, markdown: page.markdown, provider }
  }

  const geoScrape =
    (through: Way): StandIn['run'] =>
    async (context: RunContext<GeoInput>) => {
      const { url, render } = context.input
      const scripts = render === 'html' ? 'always' : 'never'
      const wish = { url, formats: ['rawHtml'], mainContent: false, scripts, through } as const
      const { page } = await reader.read(wish, context)
      const { statusCode, sourceURL } = page.metadata
      return { content: page.rawHtml, status_code: statusCode, url: sourceURL, provider }
    }

  const resi = (run: StandIn['run']): StandIn => ({ run, check: checkFor('ns_resi') })
  // Either kind reads a page from elsewhere. Residential proxies are refused less often and cost more.
  const [way] = ways
  return new Map<string, StandIn>([
    ...(ways.includes('datacenter')
      ? ([
          ['ns_resi/scrape', resi(scrape('datacenter'))],
          ['ns_resi/markdown', resi(markdown)],
        ] as const)
      : []),
    ...(ways.includes('residential')
      ? ([['ns_resi/scrape_residential', resi(scrape('residential'))]] as const)
      : []),
    ...(way === undefined
      ? []
      : ([['ns_geo/scrape', { run: geoScrape(way), check: checkFor('ns_geo') }]] as const)),
  ])
}

/** Throws CallError `all_blocked` when the caller's own limit has passed. */
async function within<Value>(
  seconds: number | undefined,
  { signal }: Pick<RunContext<unknown>, 'signal'>,
  work: (signal: AbortSignal) => Promise<Value>,
): Promise<Value> {
  if (seconds === undefined) return await work(signal)
  const limit = AbortSignal.timeout(seconds * 1_000)
  try {
    return await work(AbortSignal.any([signal, limit]))
  } catch (thrown) {
    if (!limit.aborted || signal.aborted) throw thrown
    throw fail('all_blocked', {
      message: `The page did not come within ${seconds} seconds. Nothing was charged; allow it more by timeout.`,
      cause: thrown,
    })
  }
}
