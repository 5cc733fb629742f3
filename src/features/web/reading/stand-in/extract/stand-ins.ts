// Stand-ins for the vendors of extraction: pages by our own reader, data by the model router.
import type { RunContext } from '#core/action.ts'
import type { StandIn, StandIns } from '#core/catalog.ts'
import { fail } from '#core/errors.ts'
import { uuidv7 } from '#core/id.ts'
import { centsToMicros } from '#core/money.ts'
import type { Clock, Log } from '#core/ports.ts'
import type { EgressGuard } from '#platform/egress/guard.ts'
import { type FieldExtractor, modelMissing, requireWhole } from '../../extraction/extractor.ts'
import type { PageReader } from '../page.ts'
import { admitTo, provider, refuseForeign } from '../refusals.ts'
import { createExtractionJobs } from './extraction-jobs.ts'
import { eachInTurn, readSource } from './sources.ts'
import type { ExtractionJob, ExtractionStore } from './store.ts'

/** The price of a call, and so the most that models may cost for all its pages together. */
const micros = { ns_render_a: centsToMicros(1), ns_render_b: centsToMicros(5) } as const
const microsPerPage = ({ urls }: ExtractionJob) => Math.floor(micros.ns_render_b / urls.length)

export interface Extractions {
  readonly standIns: StandIns
  /** Stops the extractions in the background. Another gateway takes them over. */
  close(): Promise<void>
}

interface ExtractionDependencies {
  readonly reader: PageReader
  readonly extractor: FieldExtractor
  readonly guard: EgressGuard
  readonly store: ExtractionStore
  readonly clock: Clock
  readonly log: Log
}

export function createExtractions(dependencies: ExtractionDependencies): Extractions {
  const checkFor = checkWith(dependencies)
  const jobs = createExtractionJobs({ ...dependencies, microsPerPage })
  return {
    standIns: new Map<string, StandIn>([
      [
        'ns_render_a/extract',
        {
          run: extractWith(dependencies),
          check: checkFor('ns_render_a', () => micros.ns_render_a),
        },
      ],
      ['ns_render_b/extract', { run: jobs.launch, check: checkFor('ns_render_b', microsPerPage) }],
      ['ns_render_b/extract_status', { run: jobs.status, check: () => {} }],
    ]),
    close: jobs.close,
  }
}

function checkWith({ guard, extractor }: ExtractionDependencies) {
  const admit = admitTo(guard)
  return (namespace: string, microsOf: (job: ExtractionJob) => number) => (job: ExtractionJob) => {
    for (const url of job.urls) admit({ url })
    const below = job.urls.some((url) => url.endsWith('/*'))
    refuseForeign(below ? ['addresses that end in /*'] : [], namespace)
    extractor.check(job, microsOf(job))
  }
}

/** Extracts at once from all pages that can be read. Throws what the first page threw when none can. */
function extractWith({ reader, extractor, clock }: ExtractionDependencies) {
  return async (context: RunContext<ExtractionJob>) => {
    const { input } = context
    const read = await eachInTurn(input.urls, (url) =>
      readSource(reader, { url }, context).then(
        (page) => ({ page }),
        (thrown) => ({ url, thrown }),
      ),
    )
    context.signal.throwIfAborted()
    const pages = read.flatMap((one) => ('page' in one ? one.page : []))
    const failed = read.flatMap((one) => ('page' in one ? [] : one))
    if (pages.length === 0) throw failed[0]?.thrown
    const { basis: _basis, ...found } = requireWhole(
      await extractor.extract(input, pages, micros.ns_render_a, context),
    )
    const unreadURLs = failed.map(({ url }) => url)
    return { id: uuidv7(clock.now()), status: 'completed', ...found, unreadURLs, provider }
  }
}

const lacksModel: StandIn = {
  missing: modelMissing,
  check: () => {},
  run: () => {
    throw fail('provider_not_configured')
  },
}
/** For a gateway without models. It tells the operator what to set. */
export const extractionsWithoutModel: StandIns = new Map(
  ['ns_render_a/extract', 'ns_render_b/extract', 'ns_render_b/extract_status'].map((id) => [
    id,
    lacksModel,
  ]),
)
