// Batches: a file of requests, answered line by line while its caller does something else.
import type { OpenAccess } from '#core/access/open-access.ts'
import { type AccountCaller, ownerOf } from '#core/caller.ts'
import { fail } from '#core/errors.ts'
import type { OpenCallerFiles } from '#core/files.ts'
import { uuidv7 } from '#core/id.ts'
import type { Clock, Log } from '#core/ports.ts'
import type { Database } from '#platform/database/database.ts'
import { runEvery } from '#platform/recurring.ts'
import { invalid, isObject } from '../llm/conversation/fields.ts'
import { type BatchRow, createBatchRows } from './batch-rows.ts'
import { type LimitsOf, type RunLine, runBatch } from './run-batch.ts'

const windowMs = 24 * 60 * 60_000
const keptMs = 30 * 24 * 60 * 60_000
const forgetIntervalMs = 60 * 60_000
const openPerAccountMax = 10
const batchesAtOnceMax = 4
const lookIntervalMs = 1_000
const retryAfterFailureMs = 5_000
const metadataMax = 16
const metadataCharactersMax = 512

export interface Batches {
  /** Throws `bad_request`, `not_found`. */
  create(
    caller: AccountCaller,
    body: unknown,
    idempotencyKey: string | undefined,
  ): Promise<BatchRow>
  find(caller: AccountCaller, id: string): Promise<BatchRow>
  list(
    caller: AccountCaller,
    page: { readonly after: string | undefined; readonly limit: number },
  ): Promise<readonly BatchRow[]>
  /** Lines under way end; no other is begun. */
  cancel(caller: AccountCaller, id: string): Promise<BatchRow>
  close(): Promise<void>
}

export function createBatches(dependencies: {
  readonly database: Database
  readonly filesOf: OpenCallerFiles
  readonly endpoints: ReadonlyMap<string, RunLine>
  readonly limitsOf: LimitsOf
  readonly access: Pick<OpenAccess, 'whyEnded'>
  readonly gatewayNumber: number
  readonly clock: Clock
  readonly log: Log
}): Batches {
  const { database, filesOf, endpoints, clock } = dependencies
  const rows = createBatchRows(database)
  const worker = startWorker({ ...dependencies, rows })
  const forgetting = runEvery(
    forgetIntervalMs,
    () => rows.forget(new Date(clock.now() - keptMs)),
    (err) => dependencies.log.warn({ err }, 'Old batches of models will be removed later.'),
  )
  return {
    async create(caller, body, idempotencyKey) {
      const { endpoint, inputFile, metadata } = readBatch(body, endpoints)
      const { accountId, keyId, isLimited: keyLimited } = caller
      const findEarlier = async () => {
        const earlier = idempotencyKey && (await rows.findOnce(accountId, idempotencyKey))
        if (!earlier) return undefined
        const isSame =
          earlier.endpoint === endpoint &&
          earlier.inputFile === inputFile &&
          earlier.metadata === metadata
        if (!isSame) throw fail('idempotency_key_reused')
        return await rows.find(ownerOf(caller), earlier.id)
      }
      const earlier = await findEarlier()
      if (earlier !== undefined) return earlier
      await filesOf(caller, undefined).find(inputFile)
      const now = clock.now()
      const id = uuidv7(now)
      const made = await rows.create(
        { id, accountId, keyId, keyLimited, endpoint, inputFile, metadata, idempotencyKey },
        {
          openMax: openPerAccountMax,
          createdAt: new Date(now),
          expiresAt: new Date(now + windowMs),
        },
      )
      if (!made) {
        const meanwhile = await findEarlier()
        if (meanwhile !== undefined) return meanwhile
        throw fail('rate_limited', {
          message: `You have ${openPerAccountMax} open batches. Wait for one of them to end, or cancel it.`,
        })
      }
      worker.look()
      return await rows.find(ownerOf(caller), id)
    },
    find: (caller, id) => rows.find(ownerOf(caller), id),
    list: (caller, page) => rows.list(ownerOf(caller), page),
    async cancel(caller, id) {
      await rows.find(ownerOf(caller), id)
      await rows.cancel(ownerOf(caller), id, new Date(clock.now()))
      return await rows.find(ownerOf(caller), id)
    },
    async close() {
      await forgetting.close()
      await worker.close()
    },
  }
}

function readBatch(body: unknown, endpoints: ReadonlyMap<string, RunLine>) {
  if (!isObject(body)) throw invalid('', 'The body must be a JSON object.')
  const { input_file_id: inputFile, endpoint, completion_window: window, metadata } = body
  if (typeof inputFile !== 'string')
    throw invalid('input_file_id', 'input_file_id must be the id of a file with purpose batch.')
  const path = typeof endpoint === 'string' ? endpoint.replace(/^\/v1/, '') : ''
  if (!endpoints.has(path)) {
    const known = [...endpoints.keys()].map((each) => `/v1${each}`)
    throw invalid('endpoint', `endpoint must be one of ${known.join(', ')}.`)
  }
  if (window !== '24h') throw invalid('completion_window', 'completion_window must be 24h.')
  return { endpoint: path, inputFile, metadata: readMetadata(metadata) }
}

function readMetadata(metadata: unknown): string | null {
  if (metadata == null) return null
  const values = isObject(metadata) ? Object.values(metadata) : [undefined]
  const fits = (value: unknown) =>
    typeof value === 'string' && value.length <= metadataCharactersMax
  if (values.length > metadataMax || !values.every(fits))
    throw invalid('metadata', `metadata must be an object of up to ${metadataMax} texts.`)
  return JSON.stringify(metadata)
}

/** Works on the batches that no living gateway works on. */
function startWorker(work: Parameters<typeof runBatch>[0] & { readonly log: Log }): {
  look(): void
  close(): Promise<void>
} {
  const { rows, gatewayNumber, clock, log } = work
  const stopping = new AbortController()
  const running = new Set<Promise<void>>()
  let looking = false

  async function look() {
    if (looking || stopping.signal.aborted) return
    looking = true
    try {
      while (running.size < batchesAtOnceMax && !stopping.signal.aborted) {
        const id = await rows.take(gatewayNumber)
        if (id === undefined) return
        const done = runOne(id).finally(() => running.delete(done))
        running.add(done)
      }
    } catch (err) {
      log.warn({ err }, 'Batches of models will be looked for again.')
    } finally {
      looking = false
    }
  }
  async function runOne(id: string) {
    try {
      await runBatch(work, id, stopping.signal)
    } catch (err) {
      if (!stopping.signal.aborted) {
        log.error({ err, batch: id }, 'A batch of models failed and will be taken up again.')
        await clock.sleep(retryAfterFailureMs, stopping.signal).catch(() => {})
      }
      await rows.release(id, gatewayNumber).catch(() => {})
    }
  }
  const timer = setInterval(() => void look(), lookIntervalMs).unref()
  void look()
  return {
    look: () => void look(),
    async close() {
      clearInterval(timer)
      stopping.abort(new Error('The gateway is stopping.'))
      await Promise.all(running)
    },
  }
}
