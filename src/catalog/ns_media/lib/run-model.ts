// Runs one model of the vendor to its end: within the request, or as a job that waits without occupying a worker.
import type { JobContext, JobProgress } from '#core/action.ts'
import { fail } from '#core/errors.ts'
import type { MediaModel, MediaParameters } from '#core/media-model.ts'
import { createQueue, type GenerationQueue, type State, type Submitted } from './queue.ts'

type Context = Pick<
  JobContext<unknown>,
  'http' | 'clock' | 'signal' | 'jobId' | 'checkpoints' | 'save' | 'report' | 'later' | 'wakeUrl'
>

/** The longest wait within a request. It is shorter than the action's deadline, which leaves time to cancel. */
const inlineWaitMsMax = 240_000
const inlinePollIntervalMs = 500
/** For a job, from its submission. Shorter than the life of the job's hold. */
const jobWaitMsMax = 20 * 60_000
const jobPollIntervalMsMin = 2_000
const jobPollIntervalMsMax = 15_000
/** Of a job that the vendor wakes: in case that its notice is lost. */
const wokenPollIntervalMs = 60_000
/** A job is asked about after this part of its age. */
const jobPollShare = 0.1
const saveTriesMax = 5
const saveRetryIntervalMs = 1_000
/** Queued, generating, done. */
const steps = 3

const tooSlow = (ms: number) =>
  fail('upstream_error', {
    message: `The vendor did not finish within ${ms / 60_000} minutes, so the generation was cancelled. Nothing was charged; try again, or use another model.`,
    data: { reason: 'timeout' },
  })
const uncertain = () =>
  fail('upstream_error', {
    message:
      'The gateway stopped while it sent this generation, so it is uncertain whether the vendor has it. It is not sent again. Nothing was charged; try again.',
  })

/** Asked for only when a generation is sent. */
type Parameters = () => Promise<MediaParameters>

/** Resolves to the vendor's reply. Throws the failure of the generation. A job sends it at most once. */
export async function runModel(
  context: Context,
  model: Pick<MediaModel, 'endpoint'>,
  parameters: Parameters,
): Promise<unknown> {
  const queue = createQueue(context.http, model)
  return context.jobId === ''
    ? await runInline(context, queue, parameters)
    : await continueJob(context, queue, parameters)
}

async function runInline(
  { clock, signal }: Context,
  queue: GenerationQueue,
  parameters: Parameters,
) {
  const submitted = await queue.submit(await parameters(), 'inline')
  if (submitted.kind === 'done') return submitted.reply
  const { requestId } = submitted
  const until = clock.now() + inlineWaitMsMax
  while (!signal.aborted) {
    const state = await queue.ask(requestId)
    if (state.kind === 'done') return state.reply
    if (state.kind === 'failed') throw state.error
    if (clock.now() >= until) return await giveUp(queue, requestId, inlineWaitMsMax)
    await clock.sleep(inlinePollIntervalMs, signal).catch(() => {})
  }
  await queue.cancel(requestId).catch(() => {})
  throw signal.reason
}

async function giveUp(queue: GenerationQueue, requestId: string, waitedMs: number): Promise<never> {
  await queue.cancel(requestId).catch(() => {})
  throw tooSlow(waitedMs)
}

interface SentRequest {
  readonly requestId: string
  readonly sentAtMs: number
}

async function continueJob(context: Context, queue: GenerationQueue, parameters: Parameters) {
  const { checkpoints, clock, save, report, later } = context
  if (checkpoints.has('reply')) return checkpoints.get('reply')
  const sent = checkpoints.get('request') as SentRequest | undefined
  if (sent === undefined) {
    const submitted = await submitOnce(context, queue, parameters)
    if (submitted.kind === 'done') return submitted.reply
    return later(context.wakeUrl === undefined ? jobPollIntervalMsMin : wokenPollIntervalMs)
  }
  const { requestId, sentAtMs } = sent
  const state = await queue.ask(requestId)
  if (state.kind === 'failed') throw state.error
  if (state.kind === 'done') {
    await save('reply', state.reply)
    return state.reply
  }
  const ageMs = clock.now() - sentAtMs
  if (ageMs >= jobWaitMsMax) return await giveUp(queue, requestId, jobWaitMsMax)
  if (state.kind !== 'unknown') await report(progressOf(state))
  if (context.wakeUrl !== undefined) return later(wokenPollIntervalMs)
  return later(Math.min(Math.max(ageMs * jobPollShare, jobPollIntervalMsMin), jobPollIntervalMsMax))
}

function progressOf(state: Extract<State, { kind: 'queued' | 'running' }>): JobProgress {
  if (state.kind === 'running') return { phase: 'generating', done: 2, total: steps }
  return { phase: state.ahead ? `queued behind ${state.ahead}` : 'queued', done: 1, total: steps }
}

/** The vendor's id is saved before anything else happens, because it is all that leads to what was bought. */
async function submitOnce(
  { checkpoints, save, clock, wakeUrl }: Context,
  queue: GenerationQueue,
  parameters: Parameters,
): Promise<Submitted> {
  if (checkpoints.has('sending')) throw uncertain()
  const sent = await parameters()
  await save('sending', true)
  const submitted = await queue.submit(sent, 'job', wakeUrl)
  const saved =
    submitted.kind === 'done'
      ? ['reply', submitted.reply]
      : ['request', { requestId: submitted.requestId, sentAtMs: clock.now() }]
  for (let tries = 1; ; tries += 1) {
    try {
      await save(String(saved[0]), saved[1])
      return submitted
    } catch (error) {
      if (tries === saveTriesMax) throw error
      await clock.sleep(saveRetryIntervalMs)
    }
  }
}
