// Extractions in place of the vendors: pages by our own reader, data by the model router. Launched ones go on after their
// call has been answered, as at the vendor.
import type { RunContext } from '#core/action.ts'
import type { StandIn, StandIns } from '#core/catalog.ts'
import { fail, toCallError } from '#core/errors.ts'
import { isUuid, uuidv7 } from '#core/id.ts'
import { centsToMicros } from '#core/money.ts'
import type { Clock, Log } from '#core/ports.ts'
import type { EgressGuard } from '#platform/egress/guard.ts'
import type { PageReader, ReadContext } from '../page.ts'
import { admitTo, refuseForeign } from '../refusals.ts'
import type { SourcePage } from './evidence.ts'
import type { Extractor } from './extractor.ts'
import type { ExtractionJob, ExtractionStore } from './store.ts'

const provider = 'embedded'
/** What the caller pays, and so the most that models may cost: for all pages together. */
const micros = { ns_render_a: centsToMicros(1), ns_render_b: centsToMicros(5) } as const
const pagesAtOnce = 3
/** An extraction in the background ends after so long with what it has. */
const backgroundMs = 10 * 60_000

export interface Extractions {
  readonly standIns: StandIns
  /** Stops those in the background; another gateway takes them over. */
  close(): Promise<void>
}

export function createExtractions(room: {
  readonly reader: PageReader
  readonly extractor: Extractor
  readonly guard: EgressGuard
  readonly store: ExtractionStore
  readonly clock: Clock
  readonly log: Log
}): Extractions {
  const { reader, extractor, guard, store, clock, log } = room
  const stopping = new AbortController()
  const running = new Set<Promise<void>>()
  const admit = admitTo(guard)

  const checkFor = (namespace: keyof typeof micros) => (job: ExtractionJob) => {
    for (const url of job.urls) admit({ url })
    const below = job.urls.filter((url) => url.endsWith('/*'))
    refuseForeign(below.length > 0 ? ['addresses that end in /*'] : [], namespace)
    extractor.check(job, namespace === 'ns_render_a' ? micros.ns_render_a : microsPerPage(job))
  }

  async function readPage(
    url: string,
    context: ReadContext,
    isPatient = false,
  ): Promise<SourcePage> {
    const wish = { url, formats: ['markdown'], mainContent: false, scripts: 'as needed' } as const
    const { page } = await reader.read({ ...wish, isPatient }, context)
    return { url, text: page.markdown ?? '' }
  }

  async function extractNow(context: RunContext<ExtractionJob>) {
    const { input } = context
    const read = await inTurns(input.urls, (url) =>
      readPage(url, context).then(
        (page) => ({ page }),
        (thrown) => ({ url, thrown }),
      ),
    )
    context.signal.throwIfAborted()
    const pages = read.flatMap((one) => ('page' in one ? one.page : []))
    const failed = read.flatMap((one) => ('page' in one ? [] : one))
    if (pages.length === 0) throw failed[0]?.thrown
    const { basis: _basis, ...found } = await extractor.extract(
      input,
      pages,
      micros.ns_render_a,
      context,
    )
    return {
      id: uuidv7(clock.now()),
      status: 'completed',
      ...found,
      unreadURLs: failed.map(({ url }) => url),
      provider,
    }
  }

  async function launch(context: RunContext<ExtractionJob>) {
    const id = uuidv7(clock.now())
    const { urls, prompt, schema, basis } = context.input
    await store.create(id, { urls, prompt, schema, basis })
    goOn(id, context)
    return { id, status: 'processing', urls: urls.length, provider }
  }

  async function status(context: RunContext<{ id: string }>) {
    const { id } = context.input
    if (isUuid(id) && (await store.takeOver(id))) goOn(id, context)
    const job = isUuid(id) ? await store.find(id) : undefined
    if (job === undefined) {
      throw fail('not_found', { message: 'This extraction was forgotten. Nothing was charged.' })
    }
    const results = job.results.map(({ result }) => result)
    const expiresAt = job.expiresAt.toISOString()
    return { id, status: job.state, results, expiresAt, provider }
  }

  function goOn(id: string, { caller, call, available }: ReadContext) {
    const work = async () => {
      const job = await store.find(id)
      if (job === undefined) return
      const signal = AbortSignal.any([stopping.signal, AbortSignal.timeout(backgroundMs)])
      const context = { signal, caller, call, available, record: () => {} }
      const done = new Set(job.results.map(({ place }) => place))
      const left = [...job.wish.urls.keys()].filter((place) => !done.has(place))
      await inTurns(left, async (place) => {
        const result = await extractPage(job.wish, job.wish.urls[place] ?? '', context)
        if (!stopping.signal.aborted) await store.save(id, place, result)
      })
      if (stopping.signal.aborted) return
      const results = (await store.find(id))?.results ?? []
      const some = results.some(({ result }) => (result as Result).status === 'completed')
      await store.end(id, some ? 'completed' : 'failed')
    }
    const done = work()
      .catch((error) =>
        log.warn({ err: error, id }, 'An extraction stopped; it will be taken up again.'),
      )
      .finally(() => running.delete(done))
    running.add(done)
  }

  async function extractPage(job: ExtractionJob, url: string, context: ReadContext) {
    try {
      const page = await readPage(url, context, true)
      const found = await extractor.extract(job, [page], microsPerPage(job), context)
      const { data, basis, model, tokensUsed, truncated } = found
      const told = { model, tokensUsed, truncated }
      return { url, status: 'completed', data, ...told, ...(job.basis && { basis }) }
    } catch (thrown) {
      return { url, status: 'failed', error: toCallError(thrown).message }
    }
  }

  return {
    standIns: new Map<string, StandIn>([
      ['ns_render_a/extract', { run: extractNow, check: checkFor('ns_render_a') }],
      ['ns_render_b/extract', { run: launch, check: checkFor('ns_render_b') }],
      ['ns_render_b/extract_status', { run: status, check: () => {} }],
    ]),
    async close() {
      stopping.abort(new Error('The gateway is stopping.'))
      await Promise.all(running)
    },
  }
}

const lacksModel: StandIn = {
  missing: 'Set the key of a provider of language models and restart.',
  check: () => {},
  run: () => {
    throw fail('provider_not_configured')
  },
}
/** Where no model is for sale, so that the operator reads what would help. */
export const extractionsWithoutModel: StandIns = new Map(
  ['ns_render_a/extract', 'ns_render_b/extract', 'ns_render_b/extract_status'].map((id) => [
    id,
    lacksModel,
  ]),
)

interface Result {
  readonly status: 'completed' | 'failed'
}

const microsPerPage = ({ urls }: ExtractionJob) => Math.floor(micros.ns_render_b / urls.length)

/** Some at a time; the results stand in the order of the items. */
async function inTurns<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = []
  let next = 0
  const worker = async () => {
    while (next < items.length) {
      const place = next
      next += 1
      results[place] = await work(items[place] as Item)
    }
  }
  await Promise.all(Array.from({ length: pagesAtOnce }, worker))
  return results
}
