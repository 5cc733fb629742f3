// A response in the background is a job: it is queued with its hold, any gateway answers it, and it is charged once.
import { type Action, defineAction, type JobContext, z } from '#core/action.ts'
import type { AccountCaller } from '#core/caller.ts'
import { whileWatchingStop } from '#core/calls/watch-stop.ts'
import { fail } from '#core/errors.ts'
import { centsToMicros, type Micros } from '#core/money.ts'
import type { Clock } from '#core/ports.ts'
import type { Chat } from '../chat.ts'
import type { ChatFields } from '../conversation/fields.ts'
import { openCallTools } from '../hosted/hosted-rounds.ts'
import type { HostedTools } from '../hosted/hosted-tools.ts'
import type { Meter } from '../meter.ts'
import type { ResponsesRequest } from '../surface/responses/request.ts'
import { callIdOf, describeResponse, responseIdOf } from '../surface/responses/response-object.ts'
import { openResponsesSurface } from '../surface/responses/surface.ts'
import { roundsOf } from './hosted-answer.ts'
import type { KeptResponses } from './kept-responses.ts'
import type { ReadResponsesCall } from './read-request.ts'

/** With all its attempts at models. */
const timeoutMs = 30 * 60_000
const atOnceMax = 100
const capCents = 1_000_000

const input = z.object({
  body: z.record(z.string(), z.unknown()),
  /** Unix seconds. */
  created_at: z.int(),
})
const output = z.object({ response_id: z.string(), charged_micros: z.int() })

/** What a queued response needs to be answered later. */
export type BackgroundInput = z.input<typeof input>

/** The response while it has not begun. */
export function describeQueued(
  { request, echo }: Pick<ResponsesRequest, 'request' | 'echo'>,
  callId: string,
  createdAt: number,
): ChatFields {
  const facts = { id: responseIdOf(callId), createdAt, model: request.model, store: true, echo }
  return describeResponse(facts, { status: 'queued', output: [] })
}

export function createBackgroundAction({
  kept,
  readRequest,
  hosted,
  createChat,
  clock,
}: {
  readonly kept: KeptResponses
  readonly readRequest: ReadResponsesCall
  readonly hosted: HostedTools
  readonly createChat: (meter: Meter) => Chat
  readonly clock: Clock
}): Action {
  return defineAction('responses', {
    summary: 'A response of a language model, made in the background.',
    notes: 'It is asked for at POST /api/llm/v1/responses with background: true.',
    synonyms: ['background response', 'long answer', 'slow model', 'deep thinking'],
    questions: [
      'how do I ask a model without waiting?',
      'can a model think for minutes?',
      'where is my background response?',
    ],
    mode: 'job',
    jobsAtOnceMax: atOnceMax,
    stopsEarly: true,
    inference: true,
    timeoutMs,
    input,
    output,
    // What is held was computed from the request, and what it did cost is charged.
    price: {
      sumOf: () => ({ min: 0, max: centsToMicros(capCents), isExact: false }),
      atMostCents: capCents,
      basis: 'the tokens of the model',
      settle: ({ output }) => output.charged_micros / centsToMicros(1),
    },
    example: { input: { body: {}, created_at: 0 }, cents: capCents },
    async run(context) {
      const job = context as JobContext<z.output<typeof input>>
      const caller = job.caller as AccountCaller
      const { body, created_at: createdAt } = job.input
      await job.report({ phase: 'answering', done: 0, total: 1 })
      const read = await readRequest({ body, caller })
      const previous = read.previousResponseId
      await kept.add({
        id: job.jobId,
        accountId: caller.accountId,
        keyId: caller.keyId,
        previous: previous === undefined ? undefined : callIdOf(previous),
        items: read.items,
        background: describeQueued(read, job.jobId, createdAt),
      })
      const surface = openResponsesSurface(read, { store: true, clock, createdAt })
      const { meter, charged } = meterOfJob(job)
      await whileWatchingStop(job, async (stopped) => {
        const tools = await openCallTools(hosted, roundsOf(read, surface), caller)
        const reply = await createChat(meter).run({
          surface,
          tools,
          body,
          caller,
          idempotencyKey: undefined,
          gone: AbortSignal.any([job.signal, stopped]),
          openStream: neverStreams,
          keep: ({ callId }) => kept.finish(callId, surface.answered() as ChatFields),
        })
        job.signal.throwIfAborted()
        if (reply.kind !== 'json') throw fail('cancelled')
      })
      return { response_id: responseIdOf(job.jobId), charged_micros: charged() }
    },
  })
}

/** The job holds the money already, and is charged when it ends. */
function meterOfJob(job: JobContext<unknown>): { meter: Meter; charged: () => Micros } {
  const heldMicros = Math.round(job.maxCents * centsToMicros(1))
  let charged: Micros = 0
  return {
    charged: () => charged,
    meter: {
      async open({ worstMicros }) {
        for await (const micros of worstMicros)
          if (micros <= heldMicros) return { callId: job.jobId, heldMicros: micros }
        throw fail('max_cost_exceeded', {
          message:
            'The model costs more now than was held for this response. Nothing was charged; ask again.',
        })
      },
      async close(_callId, { chargedMicros, costMicros, timeline }) {
        charged = chargedMicros
        if (costMicros !== undefined) job.spend(costMicros)
        const { hops = [], inference } = timeline as {
          hops?: Parameters<typeof job.record>[0][]
          inference?: object
        }
        for (const hop of hops) job.record(hop)
        if (inference !== undefined) job.recordInference?.(inference)
      },
    },
  }
}

function neverStreams(): never {
  throw new TypeError('A response in the background does not stream.')
}
