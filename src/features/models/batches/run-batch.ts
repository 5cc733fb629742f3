// One batch from its file to its answers. Each line is a call of its own, with an idempotency key that names the line:
// when a gateway dies, another one asks again, and a line that was paid for is answered without a second charge.
import { type OpenAccess, requireAccess } from '#core/access/open-access.ts'
import type { AccountCaller } from '#core/caller.ts'
import { CallError, toCallError } from '#core/errors.ts'
import type { OpenCallerFiles } from '#core/files.ts'
import type { Clock } from '#core/ports.ts'
import { chatErrorBody } from '../llm/surface/chat/error-body.ts'
import type { SurfaceCall } from '../surfaces/request.ts'
import type { BatchLine, BatchRow, BatchRows, EndedLine } from './batch-rows.ts'
import { readLines } from './read-lines.ts'

const linesAtOnceMax = 8
const linesPerPage = 200
/** Refusals that a later call may not meet: its line waits. */
const passing: ReadonlySet<string> = new Set([
  'rate_limited',
  'unavailable',
  'idempotency_in_progress',
  'upstream_busy',
])
/** How often a line may meet an upstream that fails. */
const upstreamFailuresMax = 4
const pauseMs = { least: 500, most: 30_000 } as const

/** Answers one request of a surface. Throws a CallError. */
export type RunLine = (body: unknown, call: SurfaceCall) => Promise<LineAnswer>

export interface LineAnswer {
  readonly callId: string
  /** JSON. */
  readonly body: string
}

export interface BatchWork {
  readonly rows: BatchRows
  readonly filesOf: OpenCallerFiles
  /** By the address that lines name. */
  readonly endpoints: ReadonlyMap<string, RunLine>
  readonly limitsOf: LimitsOf
  readonly access: Pick<OpenAccess, 'whyEnded'>
  readonly gatewayNumber: number
  readonly clock: Clock
}

/** The limits that a key has now and that are not checked where the price is held. */
export type LimitsOf = (
  accountId: string,
  keyId: string,
) => Promise<Pick<AccountCaller, 'models' | 'requestsPerMinute' | 'tokensPerMinute'>>

/** Works on a batch until it ends. Throws the signal's reason when the gateway stops. */
export async function runBatch(work: BatchWork, id: string, stopping: AbortSignal): Promise<void> {
  const { rows, gatewayNumber, clock } = work
  const now = () => new Date(clock.now())
  const batch = await rows.taken(id, gatewayNumber)
  if (batch === undefined) return
  if (batch.status === 'validating') {
    const read = await readInput(work, batch)
    if (read.errors !== undefined) {
      const errors = JSON.stringify(read.errors)
      return await rows.end(id, { status: 'failed', errors, now: now() })
    }
    await rows.begin(id, read.lines, now())
  }
  await runLines(work, batch, stopping)
  const status = await rows.statusOf(id, gatewayNumber)
  if (status === undefined) return
  const isCancelled = status === 'cancelling'
  if (!isCancelled) await rows.setStatus(id, 'finalizing')
  const outputFile = await writeAnswers(work, batch, 'succeeded')
  const errorFile = await writeAnswers(work, batch, 'failed')
  const isExpired = (await rows.waiting(id, 0, 1)).length > 0
  await rows.end(id, {
    status: isCancelled ? 'cancelled' : isExpired ? 'expired' : 'completed',
    outputFile,
    errorFile,
    now: now(),
  })
}

async function readInput({ filesOf }: BatchWork, batch: BatchRow) {
  try {
    const content = await filesOf(callerOf(batch), undefined).open(batch.inputFile)
    return await readLines(content, `/v1${batch.endpoint}`)
  } catch (thrown) {
    const { code, message, status } = toCallError(thrown)
    if (status >= 500) throw thrown
    return { errors: [{ code, message, param: 'input_file_id', line: null }] }
  }
}

const callerOf = ({
  accountId,
  keyId,
  keyLimited,
}: Pick<BatchRow, 'accountId' | 'keyId' | 'keyLimited'>): AccountCaller => ({
  kind: 'account',
  accountId,
  keyId,
  isLimited: keyLimited,
})

/** Runs the lines that wait, several at once, until none does, the batch is cancelled, or its time is up. */
async function runLines(work: BatchWork, batch: BatchRow, stopping: AbortSignal): Promise<void> {
  const { rows, clock, gatewayNumber } = work
  const goesOn = async () =>
    clock.now() < batch.expiresAt.getTime() &&
    (await rows.statusOf(batch.id, gatewayNumber)) === 'in_progress'
  const lines = waitingLines(rows, batch.id)
  async function runSome() {
    for (;;) {
      stopping.throwIfAborted()
      if (!(await goesOn())) return
      const { value: line, done } = await lines.next()
      if (done) return
      await runLine(work, batch, line, { goesOn, stopping })
    }
  }
  await Promise.all(Array.from({ length: linesAtOnceMax }, runSome))
}

async function* waitingLines(rows: BatchRows, id: string): AsyncGenerator<BatchLine> {
  let after = 0
  for (;;) {
    const page = await rows.waiting(id, after, linesPerPage)
    if (page.length === 0) return
    yield* page
    after = page.at(-1)?.place ?? after
  }
}

async function runLine(
  { rows, endpoints, limitsOf, access, clock }: BatchWork,
  batch: BatchRow,
  line: BatchLine,
  { goesOn, stopping }: { goesOn: () => Promise<boolean>; stopping: AbortSignal },
): Promise<void> {
  const run = endpoints.get(batch.endpoint)
  if (run === undefined) throw new Error(`There is no endpoint ${batch.endpoint}.`)
  const idempotencyKey = `batch-${batch.id}-${line.place}`
  let upstreamFailures = 0
  for (let tries = 1; ; tries += 1) {
    try {
      const limits = await limitsOf(batch.accountId, batch.keyId)
      const caller = { ...callerOf(batch), ...limits }
      // A call on a spend lease is held without a look at its key, and no hold looks whether the account is frozen.
      await requireAccess(access, caller)
      const call = { caller, idempotencyKey, gone: stopping }
      const { callId, body } = await run(JSON.parse(line.body), call)
      return await rows.endLine(batch.id, succeeded(line, callId, body))
    } catch (thrown) {
      stopping.throwIfAborted()
      // Nothing is known about this call: the batch is taken up again later.
      if (!(thrown instanceof CallError)) throw thrown
      if (thrown.code === 'upstream_error') upstreamFailures += 1
      const mayPass =
        passing.has(thrown.code) ||
        (thrown.code === 'upstream_error' && upstreamFailures < upstreamFailuresMax)
      if (!mayPass) return await rows.endLine(batch.id, failed(line, thrown))
      const askedMs = (thrown.retryAfterSeconds ?? 0) * 1_000
      const backOffMs = Math.max(pauseMs.least * 2 ** Math.min(tries, 6), askedMs)
      await clock.sleep(Math.min(pauseMs.most, backOffMs), stopping)
      if (!(await goesOn())) return
    }
  }
}

function succeeded({ place, customId }: BatchLine, callId: string, body: string): EndedLine {
  const id = JSON.stringify(`batch_req_${callId}`)
  const response = `{"status_code":200,"request_id":${JSON.stringify(callId)},"body":${body}}`
  const answer = `{"id":${id},"custom_id":${JSON.stringify(customId)},"response":${response},"error":null}`
  return { place, state: 'succeeded', answer }
}

function failed({ place, customId }: BatchLine, refusal: CallError): EndedLine {
  const { status, transactionId } = refusal
  return {
    place,
    state: 'failed',
    answer: JSON.stringify({
      id: `batch_req_${transactionId ?? place}`,
      custom_id: customId,
      response: {
        status_code: status,
        request_id: transactionId ?? null,
        body: chatErrorBody(refusal),
      },
      error: null,
    }),
  }
}

/** Stores a file with the answers. Undefined if there are none. A second try finds the file of the first one. */
async function writeAnswers(
  { rows, filesOf }: BatchWork,
  batch: BatchRow,
  state: EndedLine['state'],
): Promise<string | undefined> {
  if ((await rows.ended(batch.id, state, 0, 1)).length === 0) return undefined
  const name = state === 'succeeded' ? 'output' : 'errors'
  const file = await filesOf(callerOf(batch), batch.id).save({
    name,
    filename: `batch_${batch.id}_${name}.jsonl`,
    mediaType: 'application/jsonl',
    content: answersOf(rows, batch.id, state),
  })
  return file.fileId
}

async function* answersOf(
  rows: BatchRows,
  id: string,
  state: EndedLine['state'],
): AsyncGenerator<Uint8Array> {
  let after = 0
  for (;;) {
    const page = await rows.ended(id, state, after, linesPerPage)
    if (page.length === 0) return
    for (const { answer } of page) yield Buffer.from(`${answer}\n`)
    after = page.at(-1)?.place ?? after
  }
}
