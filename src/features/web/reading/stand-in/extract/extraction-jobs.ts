// Extractions that are launched and asked for their status. Their pages are read after the call was answered.
import type { RunContext } from '#core/action.ts'
import { toCallError } from '#core/errors.ts'
import { uuidv7 } from '#core/id.ts'
import type { Clock, Log } from '#core/ports.ts'
import { type FieldExtractor, requireWhole } from '../../extraction/extractor.ts'
import { createBackgroundJobs } from '../background.ts'
import type { PageReader, ReadContext } from '../page.ts'
import { provider } from '../refusals.ts'
import { eachInTurn, readSource } from './sources.ts'
import type { ExtractionJob, ExtractionStore, StoredExtraction } from './store.ts'

/** An extraction in the background then ends with the results it has. */
const backgroundMs = 10 * 60_000

export function createExtractionJobs(dependencies: {
  readonly reader: PageReader
  readonly extractor: FieldExtractor
  /** What the models of one page may cost. */
  readonly microsPerPage: (job: ExtractionJob) => number
  readonly store: ExtractionStore
  readonly clock: Clock
  readonly log: Log
}) {
  const { reader, extractor, microsPerPage, store, clock, log } = dependencies
  const jobs = createBackgroundJobs({
    subject: ['An', 'extraction'],
    timeoutMs: backgroundMs,
    store,
    resume,
    log,
  })

  /** Pages that have a result are not read again. */
  async function resume(id: string, context: ReadContext): Promise<void> {
    const job = await store.find(id)
    if (job === undefined) return
    await eachInTurn(placesLeft(job), async (place) => {
      const result = await extractPage(job.wish, job.wish.urls[place] ?? '', context)
      if (!jobs.stopping) await store.save(id, place, result)
    })
    if (jobs.stopping) return
    const results = (await store.find(id))?.results ?? []
    await store.end(id, results.some(isCompleted) ? 'completed' : 'failed')
  }

  async function extractPage(job: ExtractionJob, url: string, context: ReadContext) {
    try {
      const page = await readSource(reader, { url, isPatient: true }, context)
      const found = requireWhole(await extractor.extract(job, [page], microsPerPage(job), context))
      const { data, basis, model, tokensUsed, truncated } = found
      const told = { model, tokensUsed, truncated }
      return { url, status: 'completed', data, ...told, ...(job.basis && { basis }) }
    } catch (thrown) {
      return { url, status: 'failed', error: toCallError(thrown).message }
    }
  }

  return {
    async launch(context: RunContext<ExtractionJob>) {
      const id = uuidv7(clock.now())
      const { urls, prompt, schema, basis } = context.input
      await store.create(id, { urls, prompt, schema, basis })
      jobs.start(id, context)
      return { id, status: 'processing', urls: urls.length, provider }
    },

    async status(context: RunContext<{ id: string }>) {
      const { id } = context.input
      const job = await jobs.find(id, context)
      const results = job.results.map(({ result }) => result)
      const expiresAt = job.expiresAt.toISOString()
      return { id, status: job.state, results, expiresAt, provider }
    },

    close: jobs.close,
  }
}

function placesLeft({ wish, results }: StoredExtraction): readonly number[] {
  const done = new Set(results.map(({ place }) => place))
  return [...wish.urls.keys()].filter((place) => !done.has(place))
}

const isCompleted = ({ result }: StoredExtraction['results'][number]) =>
  'status' in result && result.status === 'completed'
