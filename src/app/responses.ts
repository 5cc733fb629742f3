// Responses of language models that are kept, and those that are made in the background.
import type { CatalogEntry } from '#core/catalog.ts'
import { fail } from '#core/errors.ts'
import { modelActions } from '#core/model-router.ts'
import { defineProvider } from '#core/provider.ts'
import type { Chat } from '#features/models/llm/chat.ts'
import { createHostedTools, type InnerActions } from '#features/models/llm/hosted/hosted-tools.ts'
import { createMessages, type Messages } from '#features/models/llm/hosted/messages.ts'
import { createBackgroundAction } from '#features/models/llm/responses/background.ts'
import { createKeptResponses } from '#features/models/llm/responses/kept-responses.ts'
import { createReadRequest } from '#features/models/llm/responses/read-request.ts'
import { createResponses, type Responses } from '#features/models/llm/responses/responses.ts'
import { createService } from '#platform/http/service.ts'
import type { Executor } from '#runner/execute/execute.ts'
import type { Calls } from '#runner/history/calls.ts'
import { createCancelOpenJob } from '#runner/jobs/cancel.ts'
import type { AppContext } from './context.ts'
import type { Money } from './money.ts'
import type { ReadingRoom } from './reading.ts'
import type { Store } from './store.ts'

export type ResponsesRoom = ReturnType<typeof openResponses>

export function openResponses(
  { config, clock, log, requestLog, userAgent }: AppContext,
  {
    store,
    reading,
    calls,
    money,
  }: { store: Store; reading: ReadingRoom; calls: Calls; money: Money },
) {
  const { database } = store
  const kept = createKeptResponses({ database, clock })
  // The runner is opened later: what it runs inside calls is known when the first of them comes.
  let running: InnerActions | undefined
  const inner: InnerActions = {
    quote: async (...call) => await running?.quote(...call),
    run(call) {
      if (running === undefined) throw new Error('A response came before the runner was open.')
      return running.run(call)
    },
  }
  const hosted = createHostedTools({ inner, ownNamespace: config.OWN_NS })
  const readRequest = createReadRequest({ kept, hosted })
  const action = createBackgroundAction({
    kept,
    readRequest,
    hosted,
    createChat: reading.llm.createChat,
    clock,
  })
  const service = createService(
    defineProvider({ id: 'llm', title: 'Language models', actions: [action] }),
    { variables: new Map(), userAgent, clock, log },
  )
  /** It is not for sale by itself: only POST /responses submits it. */
  const job: CatalogEntry = { id: modelActions.responses, action, service, mode: service.mode }
  const cancelOpenJob = createCancelOpenJob({ database, ledger: money.ledger })

  return {
    job,
    forgetOld: kept.forgetOld,
    /** For the tools that the gateway runs while a model answers. */
    runInside(actions: InnerActions) {
      running = actions
    },
    openMessages: (chat: Chat): Messages => createMessages({ chat, hosted }),
    open: (chat: Chat): Responses =>
      createResponses({
        chat,
        kept,
        readRequest,
        hosted,
        mayKeep: ({ storesResponses }) =>
          config.RESPONSES_KEPT === 'on' && storesResponses !== false,
        async findJob(owner, callId) {
          const call = await calls.find(owner, callId)
          return call && { ...call, hasBegun: call.progress !== null }
        },
        async cancelJob(owner, callId) {
          const call = await calls.find(owner, callId)
          if (call === undefined) throw fail('not_found')
          if (call.state !== 'held') return
          const { accountId } = owner
          await cancelOpenJob({ id: callId, accountId }, { stopsEarly: true })
        },
        clock,
        log: requestLog,
      }),
  }
}

/** Runs the job although it is not in the catalog. */
export function withJob(executor: Executor, job: CatalogEntry): Executor {
  return {
    ...executor,
    resolve: (service, action, terms) =>
      `${service}/${action}` === job.id ? job : executor.resolve(service, action, terms),
    catalogPrice: (entry) => (entry === job ? job.action.price : executor.catalogPrice(entry)),
  }
}
