// A client of Tollway gateways for every runtime with the standards of the web: Node, Deno, Bun, browsers.
import { type Answer, readAnswer } from './answers.ts'
import type { Actions } from './catalog/actions.ts'
import type { Routes } from './catalog/routes.ts'
import { type Chat, openChat } from './chat.ts'
import { type Files, openFiles } from './files.ts'
import { newIdempotencyKey } from './idempotency.ts'
import { isJobHandle, type Job, openJob, type WaitOptions } from './jobs.ts'
import { type IsPaged, readPages } from './pages.ts'
import { type ListName, openRoutes, type RouteName, type RowOf, type SentTo } from './routes.ts'
import { openSession, type Session } from './sessions.ts'
import { createTransport, type Fetch, type RetryPolicy, type Transport } from './transport.ts'

export type { Answer } from './answers.ts'
export type { Actions } from './catalog/actions.ts'
export type { Routes } from './catalog/routes.ts'
export type {
  Chat,
  ChatAnswer,
  ChatChunk,
  ChatMessage,
  ChatOptions,
  ChatRequest,
} from './chat.ts'
export { type ErrorCode, TollwayError } from './errors.ts'
export type { FileRecord, Files, UploadOptions } from './files.ts'
export { newIdempotencyKey } from './idempotency.ts'
export type { Job, Progress, WaitOptions } from './jobs.ts'
export type {
  CommandOptions,
  CommandResult,
  Program,
  Session,
  SessionState,
} from './sessions.ts'
export { savedName, shownName } from './shown-name.ts'
export type { Fetch, RetryPolicy } from './transport.ts'

/** What is known of an action. */
interface ActionType {
  readonly input: object
  readonly output: unknown
  readonly job?: true
  readonly needsMaxCost?: true
}

/** Actions by their names. Private actions of a gateway are typed by `createTollway<Actions & Private>`. */
type ActionTypes<Catalog> = Readonly<Record<keyof Catalog, ActionType>>

type Name<Catalog> = keyof Catalog & string
type JobName<Catalog extends ActionTypes<Catalog>> = {
  [Action in Name<Catalog>]: Catalog[Action] extends { job: true } ? Action : never
}[Name<Catalog>]
type PagedName<Catalog extends ActionTypes<Catalog>> = {
  [Action in Name<Catalog>]: IsPaged<Catalog[Action]> extends never ? never : Action
}[Name<Catalog>]
type SessionName<Catalog extends ActionTypes<Catalog>> = {
  [Action in Name<Catalog>]: Catalog[Action]['output'] extends { session_id: string }
    ? Action
    : never
}[Name<Catalog>]

export interface TollwayOptions {
  /** The address of the gateway: `http://127.0.0.1:4020`. */
  readonly baseUrl: string
  /** An API key or an OAuth token. Without one, calls are free ones or paid by a wallet. */
  readonly key?: string
  /** Default: the runtime's own. The `fetch` of `@x402/fetch` or `mppx` pays each call from a wallet. */
  readonly fetch?: Fetch
  readonly retry?: RetryPolicy
  /** The namespace of the gateway's own actions. Default `tollway`. */
  readonly ownNamespace?: string
}

export interface CallOptions {
  /** Your ceiling in whole cents. A call that could cost more is refused before it runs. */
  readonly maxCostCents?: number
  /**
   * Default: a random one for each call, kept when the call is repeated. Pass your own, stored before the call, to
   * repeat it after your program was restarted.
   */
  readonly idempotencyKey?: string
  readonly signal?: AbortSignal
}

export interface RunOptions extends CallOptions {
  /** For jobs: called with each change that is seen, about every two seconds. */
  readonly onProgress?: WaitOptions['onProgress']
}

/** Purchases need a ceiling, the others take one. */
type OptionsFor<Action, Options> = Action extends { needsMaxCost: true }
  ? [options: Options & { readonly maxCostCents: number }]
  : [options?: Options]

export interface Quote {
  readonly price: {
    /** `cap`: the call costs at most this. */
    readonly kind: 'exact' | 'cap'
    /** What would be held. */
    readonly cents: number
    readonly usd: string
    readonly min_cents: number
    readonly max_cents: number
    readonly text: string
  }
  /** The call needs `maxCostCents`. */
  readonly max_cost_required?: true
  /** Whether this account could make the call now. Absent without an account. */
  readonly allowed?: boolean
  readonly refusal?: { readonly error: string; readonly message: string }
  /** The transaction whose stored answer the call would get. */
  readonly replays?: string
}

export interface Tollway<Catalog extends ActionTypes<Catalog> = Actions> {
  /**
   * Runs an action. Jobs are waited for; aborting `signal` then asks the gateway to cancel the job. Throws
   * TollwayError, or the reason of `signal`.
   */
  run<Action extends Name<Catalog>>(
    action: Action,
    input: Catalog[Action]['input'],
    ...options: OptionsFor<Catalog[Action], RunOptions>
  ): Promise<Answer<Catalog[Action]['output']>>
  /** Starts a job without waiting for it. */
  start<Action extends JobName<Catalog>>(
    action: Action,
    input: Catalog[Action]['input'],
    ...options: OptionsFor<Catalog[Action], CallOptions>
  ): Promise<Job<Catalog[Action]['output']>>
  /** A job that was started before: by its id, and for the job of a wallet by its status address. */
  job<Result = unknown>(id: string, statusUrl?: string): Job<Result>
  /** The pages of a list, one call for each page. The ceiling is that of each call. Leave the loop to read no more. */
  pages<Action extends PagedName<Catalog>>(
    action: Action,
    input: Catalog[Action]['input'],
    options?: Omit<CallOptions, 'idempotencyKey'>,
  ): AsyncIterable<Answer<Catalog[Action]['output']>>
  /** Opens a session by its create_session action. The ceiling is that of its whole time. */
  openSession<Action extends SessionName<Catalog>>(
    action: Action,
    input: Catalog[Action]['input'],
    options?: CallOptions,
  ): Promise<Session>
  /** A session that was opened before. */
  session(id: string): Session
  readonly files: Files
  /** Asks a language model. */
  readonly chat: Chat
  /** The price of a call, and whether it would be allowed. Runs and charges nothing. */
  quote<Action extends Name<Catalog>>(
    action: Action,
    input: Catalog[Action]['input'],
    options?: CallOptions,
  ): Promise<Quote>
  /** The actions that answer a question, the best first. Free, without a key too. */
  discover(
    query: string,
    options?: { readonly limit?: number; readonly signal?: AbortSignal },
  ): Promise<Actions['tollway/discover']['output']['hits']>
  /**
   * Calls a route that is not an action: `request('GET /api/v1/account')`. The parameters of the path, the query and
   * the body are typed. Those of the operator need the ADMIN_TOKEN as `key`.
   */
  request<Route extends RouteName>(
    route: Route,
    ...sent: SentTo<Route>
  ): Promise<Routes[Route]['answer']>
  /** The rows of a list, of all its pages: `list('GET /api/v1/transactions', { query: { status: 'failed' } })`. */
  list<Route extends ListName>(route: Route, ...sent: SentTo<Route>): AsyncIterable<RowOf<Route>>
}

/** Throws TypeError if `baseUrl` is not a web address. */
export function createTollway<Catalog extends ActionTypes<Catalog> = Actions>(
  options: TollwayOptions,
): Tollway<Catalog> {
  const { baseUrl, key, fetch = globalThis.fetch.bind(globalThis), retry = {} } = options
  const { ownNamespace = 'tollway' } = options
  if (!/^https?:$/.test(new URL(baseUrl).protocol))
    throw new TypeError('baseUrl must be an http or https address.')
  const transport = createTransport({ baseUrl, key, fetch, retry })
  // The types of each call are checked where it is made; in here a name is a name.
  return createCalls({ transport, ownNamespace }) as unknown as Tollway<Catalog>
}

function createCalls(dependencies: { transport: Transport; ownNamespace: string }) {
  const { transport, ownNamespace } = dependencies
  const post = (action: string, input: object, options: CallOptions = {}, query = '') => {
    const { maxCostCents, idempotencyKey, signal } = options
    const json = maxCostCents === undefined ? input : { ...input, max_cost_cents: maxCostCents }
    const repeatable = query !== ''
    return transport.send(
      {
        method: 'POST',
        at: `/api/run/${action}${query}`,
        json,
        idempotencyKey,
        repeatable,
        signal,
      },
      readAnswer<unknown>,
    )
  }
  const pay = (action: string, input: object, options: CallOptions = {}) =>
    post(action, input, {
      ...options,
      idempotencyKey: options.idempotencyKey ?? newIdempotencyKey(),
    })

  async function run(action: string, input: object, options: RunOptions = {}) {
    const answer = await pay(action, input, options)
    if (!isJobHandle(answer.data)) return answer
    return await waitOrCancel(openJob(dependencies, answer.data), options)
  }

  return {
    run,
    async start(action: string, input: object, options?: CallOptions) {
      const answer = await pay(action, input, options)
      return isJobHandle(answer.data) ? openJob(dependencies, answer.data) : endedJob(answer)
    },
    pages: (action: string, input: object, options?: CallOptions) =>
      readPages(input, (asked) => pay(action, asked, options)),
    async openSession(action: string, input: object, options?: CallOptions) {
      const { data } = await pay(action, input, options)
      return openSession(transport, (data as { session_id: string }).session_id)
    },
    session: (id: string) => openSession(transport, id),
    ...openRoutes(transport),
    files: openFiles({ transport, pay }),
    chat: openChat(transport),
    job: (id: string, statusUrl?: string) =>
      openJob(dependencies, {
        job_id: id,
        ...(statusUrl === undefined ? {} : { status_url: statusUrl }),
      }),
    quote: async (action: string, input: object, options?: CallOptions) =>
      (await post(action, input, options, '?quote=true')).data,
    async discover(query: string, options: { limit?: number; signal?: AbortSignal } = {}) {
      const { signal, ...limit } = options
      const { data } = await transport.send(
        {
          method: 'POST',
          at: `/api/run/${ownNamespace}/discover`,
          json: { query, ...limit },
          repeatable: true,
          signal,
        },
        readAnswer<Actions['tollway/discover']['output']>,
      )
      return data.hits
    },
  }
}

/** Only `run` knows this job, so a caller who leaves it wants it ended. */
async function waitOrCancel(job: Job<unknown>, options: WaitOptions): Promise<Answer<unknown>> {
  try {
    return await job.result(options)
  } catch (error) {
    // A job that cannot be cancelled goes on; the caller still learns why the waiting ended.
    if (options.signal?.aborted) await job.cancel().catch(() => undefined)
    throw error
  }
}

/** The action answered at once. */
const endedJob = (answer: Answer<unknown>): Job<unknown> => ({
  id: answer.transactionId ?? '',
  result: async () => answer,
  cancel: async () => 'ended',
})
