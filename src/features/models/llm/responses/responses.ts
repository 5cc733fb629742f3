// The Responses API: answers that may be kept, continued, read again, and made in the background.
import { type AccountCaller, type Owner, ownerOf } from '#core/caller.ts'
import { fail } from '#core/errors.ts'
import { membersOf } from '#core/input/members.ts'
import type { Clock, Log } from '#core/ports.ts'
import type { Chat } from '../chat.ts'
import { type ChatFields, invalid } from '../conversation/fields.ts'
import type { ChatCall, ChatReply } from '../held-chat.ts'
import { openCallTools } from '../hosted/hosted-rounds.ts'
import type { HostedTools } from '../hosted/hosted-tools.ts'
import type { ResponsesRequest } from '../surface/responses/request.ts'
import { callIdOf, responseIdOf } from '../surface/responses/response-object.ts'
import { showItem } from '../surface/responses/shown-items.ts'
import { openResponsesSurface, type ResponsesSurface } from '../surface/responses/surface.ts'
import { failureCode } from '../surface/responses/writer.ts'
import { type BackgroundInput, describeQueued } from './background.ts'
import { inputItemsOf } from './history.ts'
import { roundsOf } from './hosted-answer.ts'
import type { KeptResponse, KeptResponses } from './kept-responses.ts'
import type { ReadResponsesCall } from './read-request.ts'

/** How long a cancellation waits for the worker that makes the response. */
const cancelWaitMs = 5_000
const cancelPollMs = 100

export interface Responses {
  /** Throws a CallError if there is no answer. Nothing is charged then. */
  respond(call: ResponsesCall): Promise<ChatReply>
  /** The response as its caller reads it later. Throws `not_found`. */
  read(caller: AccountCaller, id: string, include?: ReadonlySet<string>): Promise<ChatFields>
  /** The items of its request. Throws `not_found`. */
  readItems(caller: AccountCaller, id: string): Promise<readonly ChatFields[]>
  /** Throws `not_found`, and `bad_request` for one that is being made. */
  remove(caller: AccountCaller, id: string): Promise<void>
  /** Ends a response in the background. Throws `not_found`, and `bad_request` for another one. */
  cancel(caller: AccountCaller, id: string): Promise<ChatFields>
}

export type ResponsesCall = Omit<ChatCall, 'surface' | 'keep' | 'tools'>
/** Of an account. What a wallet asks is not kept. */
type KeptCall = Omit<ChatCall, 'surface' | 'keep'> & { readonly caller: AccountCaller }

/** What became of the job of a response in the background. */
export interface BackgroundJob {
  readonly state: 'held' | 'settled' | 'voided'
  /** A worker has taken it up. */
  readonly hasBegun: boolean
  readonly error: string | null
  readonly message: string | null
}

export interface ResponsesDependencies {
  readonly chat: Chat
  readonly kept: KeptResponses
  readonly readRequest: ReadResponsesCall
  readonly hosted: HostedTools
  /** Whether the operator and the caller's key let responses be kept. */
  readonly mayKeep: (caller: AccountCaller) => boolean
  readonly findJob: (owner: Owner, callId: string) => Promise<BackgroundJob | undefined>
  readonly cancelJob: (owner: Owner, callId: string) => Promise<void>
  readonly clock: Clock
  readonly log: Log
}

export function createResponses(dependencies: ResponsesDependencies): Responses {
  const { chat, kept, readRequest, hosted, mayKeep, findJob, cancelJob, clock } = dependencies

  async function find(caller: AccountCaller, id: string): Promise<KeptResponse> {
    const callId = callIdOf(id)
    const found = callId === undefined ? undefined : await kept.find(ownerOf(caller), callId)
    if (found === undefined) throw noResponse(id)
    return found
  }
  async function read(caller: AccountCaller, id: string, include: ReadonlySet<string> = new Set()) {
    const found = await find(caller, id)
    const { background, response } = found
    if (background === undefined) return show(response, include)
    const job = await findJob(ownerOf(caller), found.id)
    return job?.state === 'settled' ? show(response, include) : statusOf(background, job)
  }

  /** The worker that makes a response learns within a second that it was cancelled. */
  async function readEnded(caller: AccountCaller, id: string): Promise<ChatFields> {
    const until = clock.now() + cancelWaitMs
    for (;;) {
      const response = await read(caller, id)
      const isOpen = response.status === 'in_progress' || response.status === 'queued'
      if (!isOpen || clock.now() >= until) return response
      await clock.sleep(cancelPollMs)
    }
  }

  return {
    async respond(call) {
      const asked = await readRequest(call)
      const { caller } = call
      const store = asked.store && caller !== undefined && mayKeep(caller)
      if (asked.background && !store)
        throw invalid(
          'background',
          'A response in the background is kept: leave store out, and use an API key that lets responses be kept.',
        )
      if (store) await kept.requireRoom(caller.accountId)
      if (store && asked.background)
        return await submit(dependencies, { ...call, caller }, asked, (id) => read(caller, id))
      const surface = openResponsesSurface(asked, { store, clock })
      const tools = caller && (await openCallTools(hosted, roundsOf(asked, surface), caller))
      if (!store) return await chat.run({ ...call, surface, tools })
      return await runKept(dependencies, { ...call, caller, tools }, { asked, surface })
    },
    read,
    async readItems(caller, id) {
      return inputItemsOf(await find(caller, id))
    },
    async remove(caller, id) {
      const found = await find(caller, id)
      const owner = ownerOf(caller)
      const job = found.background === undefined ? undefined : await findJob(owner, found.id)
      if (job?.state === 'held')
        throw fail('bad_request', {
          message: `This response is being made. Cancel it first, at POST /api/llm/v1/responses/${id}/cancel.`,
        })
      await kept.remove(owner, found.id)
    },
    async cancel(caller, id) {
      const found = await find(caller, id)
      if (found.background === undefined)
        throw fail('bad_request', {
          message: 'Only a response in the background can be cancelled.',
        })
      await cancelJob(ownerOf(caller), found.id)
      return await readEnded(caller, id)
    },
  }
}

/** A response is kept before it is charged, shown once it is, and not kept if it cannot be charged. */
async function runKept(
  { chat, kept, log }: ResponsesDependencies,
  call: KeptCall,
  { asked, surface }: { readonly asked: ResponsesRequest; readonly surface: ResponsesSurface },
): Promise<ChatReply> {
  const { accountId, keyId } = call.caller
  let keptId: string | undefined
  async function forget() {
    if (keptId === undefined) return
    await kept
      .remove({ accountId }, keptId)
      .catch((error) =>
        log.warn({ err: error, response: keptId }, 'A response stays that was not charged.'),
      )
  }
  try {
    const reply = await chat.run({
      ...call,
      surface,
      async keep({ callId }) {
        await kept.add({
          id: callId,
          accountId,
          keyId,
          previous: previousOf(asked),
          items: asked.items,
          response: surface.answered(),
        })
        keptId = callId
      },
    })
    if (surface.hasFailed()) await forget()
    else if (keptId !== undefined) await kept.charged(keptId)
    return reply
  } catch (thrown) {
    await forget()
    throw thrown
  }
}

/** Queues the response with its hold. The caller is told its id at once, and how it stands if it is asked again. */
async function submit(
  { chat, kept, hosted, clock }: ResponsesDependencies,
  call: KeptCall,
  asked: ResponsesRequest,
  read: (id: string) => Promise<ChatFields>,
): Promise<ChatReply> {
  const { accountId, keyId } = call.caller
  const surface = openResponsesSurface(asked, { store: true, clock })
  const createdAt = Math.floor(clock.now() / 1_000)
  const job: BackgroundInput = { body: membersOf(call.body), created_at: createdAt }
  const tools = await openCallTools(hosted, roundsOf(asked, surface), call.caller)
  const { callId, isRepeated } = await chat.submit({ ...call, surface, tools }, job)
  const background = describeQueued(asked, callId, createdAt)
  const { items } = asked
  await kept.add({ id: callId, accountId, keyId, previous: previousOf(asked), items, background })
  const replayed = isRepeated ? { 'idempotency-replayed': 'true' } : {}
  return {
    kind: 'json',
    body: JSON.stringify(isRepeated ? await read(responseIdOf(callId)) : background),
    headers: { 'x-transaction-id': callId, ...replayed },
  }
}

function previousOf({ previousResponseId: id }: ResponsesRequest): string | undefined {
  return id === undefined ? undefined : callIdOf(id)
}

/** A response in the background that was not charged, or not yet. */
function statusOf(background: ChatFields, job: BackgroundJob | undefined): ChatFields {
  if (job?.state === 'held')
    return { ...background, status: job.hasBegun ? 'in_progress' : 'queued' }
  if (job?.error === 'cancelled') return { ...background, status: 'cancelled' }
  const message = job?.message ?? 'The response failed. Nothing was charged; ask again.'
  const code = failureCode(job?.error ?? 'upstream_error')
  return { ...background, status: 'failed', error: { code, message } }
}

const show = (response: ChatFields | undefined, include: ReadonlySet<string>): ChatFields => ({
  ...response,
  output: response?.output.map((item: ChatFields) => showItem(item, include)),
})

const noResponse = (id: string) =>
  fail('not_found', {
    message: `There is no response ${id.slice(0, 100)} here. Responses are kept for 30 days, unless they are deleted or store is false.`,
  })
