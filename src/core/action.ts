// An action is one small file: inert data and one function. Keep the properties in the order below; TypeScript infers
// the callbacks of `price` and `run` only after it has seen both schemas.
import { z } from 'zod'
import type { Caller } from './caller.ts'
import type { Intakes } from './identifier.ts'
import type { Clock, ProviderHttp } from './ports.ts'
import type { AnyPrice, Price } from './price.ts'

export { z }

/** One provider call made, or skipped, on the way to an answer. Part of the transaction's timeline. */
export interface Hop {
  readonly provider: string
  readonly action: string
  readonly ok: boolean
  readonly charged_cents: number
  readonly latency_ms: number
  /** Why the call was not made; absent when it was. */
  readonly skipped?: string
}

/** What a vendor names when it takes on work: the id of a crawl, a task, a search. It belongs to whoever paid for it. */
export interface VendorHandle {
  /** What it is the id of, in a word. Together with the namespace it says which ids must not be mixed up. */
  readonly kind: string
  readonly id: string
}

export interface RunContext<Input> {
  readonly input: Input
  /** The provider's client. Embedded providers have none to offer: using it then throws. */
  readonly http: ProviderHttp
  readonly caller: Caller
  /** Aborted at the action's deadline. */
  readonly signal: AbortSignal
  readonly clock: Clock
  /** The most that this call can cost its caller. */
  readonly maxCents: number
  /** Adds a hop to the transaction's timeline. */
  readonly record: (hop: Hop) => void
  /**
   * Runs another action, `service/action`, inside this paid call: its price is part of this one's, its hop is recorded.
   * Resolves to its data. Throws its CallError.
   */
  // biome-ignore lint/suspicious/noExplicitAny: what the other action's output schema has accepted.
  readonly call: (id: string, input: unknown) => Promise<any>
  /** Whether there is such an action and this gateway has a provider for it; `vendor`: one other than this machine. */
  readonly available: (id: string, by?: 'vendor') => boolean
  /** The vendor's ids of this kind that the caller was issued by this namespace, newest first: for actions that list. */
  readonly issued: (kind: string) => Promise<readonly string[]>
  /**
   * Buys something that cannot be given back: `buy` sends the order, with `reference`, a UUID that is the call's own, as the
   * vendor's idempotency key where it takes one. It is sent at most once in a call. When it is not certain whether the vendor
   * took the order, the call fails with `outcome_unknown` and keeps its hold until the operator has looked.
   */
  readonly purchase: <Result>(buy: (reference: string) => Promise<Result>) => Promise<Result>
}

/** How far a job is, for those who wait. */
export interface JobProgress {
  /** What it is doing, in a word or two. */
  readonly phase: string
  readonly done: number
  readonly total: number
}

/** What a job is given besides. It may be run again from the start by another worker, until it ends once. */
export interface JobContext<Input> extends RunContext<Input> {
  readonly report: (progress: JobProgress) => Promise<void>
  /** What an earlier worker has finished and saved, by name. */
  readonly checkpoints: ReadonlyMap<string, unknown>
  /** Saves a finished part, as JSON. Saving it again replaces it. */
  readonly save: (name: string, value: unknown) => Promise<void>
  /** The id that the caller polls with. The caller owns it as a handle of kind `job`, from before the job is queued. */
  readonly jobId: string
  /** Remembers a vendor's id as the caller's while the job runs; `issues` does so when it ends. */
  readonly issue: (handle: VendorHandle) => Promise<void>
  /**
   * Ends this try: the job is taken up again after `delayMs`, with its checkpoints, and keeps no worker busy until then.
   * For waiting on somebody else's work. Never returns.
   */
  readonly later: (delayMs: number) => never
}

/** An action that a call cannot do without; `vendor`: done by somebody else than this machine. */
export type Need = string | { readonly id: string; readonly by: 'vendor' }

/** A page that an action answers with, as the runner judges it: a wall instead of the page is not sold. */
export interface SoldPage {
  /** HTML or text. */
  readonly body: string
  /** What the page's own server answered, where that is known. */
  readonly status?: number | null | undefined
  readonly url: string
}

interface ActionText {
  /** One sentence, capitalised, with a full stop: what the caller gets. */
  readonly summary: string
  /** When to use it and when to use something else; what surprises people. */
  readonly notes?: string
  /** Words that people use for this, for search. */
  readonly synonyms?: readonly string[]
  /** What people ask when this is the answer, in their own words: `who raised money last week?`. */
  readonly questions?: readonly string[]
  /** What its `endpoint` may be, where each has a price and parameters of its own. */
  readonly endpoints?: readonly {
    readonly endpoint: string
    readonly summary: string
    readonly price_cents: number
    /** The parameters that it must be sent, besides `endpoint`. */
    readonly required: readonly string[]
    /** A body that works, `endpoint` included. */
    readonly example: object
    /** Why nobody answers it on this gateway. */
    readonly unavailable?: string
  }[]
}

interface ActionTerms {
  /** The only payment rails that a wallet may pay by. Absent: every rail that can express the price. */
  readonly pay?: readonly string[]
  /** Absent: the answer is in the response. `job`: a handle is, and the answer is polled for. */
  readonly mode?: 'job'
  /** The answer only says that the provider has taken on work, to be polled for: it comes with status 202. */
  readonly accepted?: true
  /** Jobs of this action that one account may have open. Default 10. */
  readonly jobsAtOnceMax?: number
  /** Free, and the same for everybody: it is answered without a credential. */
  readonly open?: true
  /** It may buy something that cannot be given back, by `purchase`. A wallet pays for it before it runs. */
  readonly irrevocable?: true
  /** Longest that a call may run. Default 60 000. */
  readonly timeoutMs?: number
  /** It runs a language model: it counts against the daily inference cap of its account. */
  readonly inference?: true
  /** An answer may be given again, to anybody who asks the same, for so long. It says `cached: true` and costs the same. */
  readonly cacheSeconds?: number
  /** Works without the credential or the wallet that the provider's other actions need. */
  readonly keyless?: true
  /** Why nobody answers it although its provider is there, and what the operator can do. */
  readonly unavailable?: string
  /** An action on its way out: answered with Deprecation, Sunset and Link headers. */
  readonly retiring?: {
    /** ISO date after which it is gone, at least 90 days after the announcement. */
    readonly sunset: string
    /** `service/action` that replaces it. */
    readonly successor: string
  }
}

/** What a purchase would cost, in cents, as far as the seller says before it is ordered. */
export interface Estimate {
  readonly minCents: number
  /** Absent: the price's own `atMostCents`. */
  readonly maxCents?: number
}

export interface ActionDefinition<Input extends z.ZodType, Output extends z.ZodType>
  extends ActionText,
    ActionTerms {
  readonly input: Input
  readonly output: Output
  /** Throws a CallError for what a schema cannot say; runs before the price is quoted, so it costs nothing. */
  readonly check?: (input: z.output<Input>) => void
  /** `service/action` of those that this call cannot do without: refused, for free, where one has no provider here. */
  readonly needs?: (input: z.output<Input>) => readonly Need[]
  readonly price: Price<z.output<Input>, z.output<Output>>
  /** Asks the seller for its price, free and without ordering; undefined where the seller does not say. */
  readonly estimate?: (
    context: Pick<RunContext<z.output<Input>>, 'input' | 'http'>,
  ) => Promise<Estimate | undefined>
  /** A call that works; shown everywhere and replayed by the tests. `cents` is its quote. */
  readonly example: { readonly input: z.input<Input>; readonly cents: number }
  /** The identifiers that its fields accept, by which discover finds it. */
  readonly takes?: Intakes<z.input<Input>>
  /** What the call cost the operator, in dollars, where the provider says so. */
  readonly costUsd?: (output: z.output<Output>) => number | undefined
  /** The page in the answer, for actions that sell pages. A challenge or block page fails the call with `all_blocked`. */
  readonly page?: (output: z.output<Output>, input: z.output<Input>) => SoldPage | undefined
  /** The id that the caller is to poll with. It is remembered as the caller's before the answer leaves. */
  readonly issues?: (output: z.output<Output>, input: z.output<Input>) => VendorHandle | undefined
  /** The id that the call asks about. Any but the caller's own is `not_found`, before anything is held or asked. */
  readonly owned?: (input: z.output<Input>) => VendorHandle | undefined
  /** Asks the provider and returns what `output` must accept. */
  readonly run: (context: RunContext<z.output<Input>>) => unknown
}

/** An action as its readers see it: whatever its schemas are, they are zod schemas. */
export interface Action extends ActionText, ActionTerms {
  readonly name: string
  readonly input: z.ZodType
  readonly output: z.ZodType
  // biome-ignore lint/suspicious/noExplicitAny: the runner hands in what `input` has accepted.
  readonly check?: (input: any) => void
  // biome-ignore lint/suspicious/noExplicitAny: the runner hands in what `input` has accepted.
  readonly needs?: (input: any) => readonly Need[]
  readonly price: AnyPrice
  readonly estimate?: (
    // biome-ignore lint/suspicious/noExplicitAny: the runner hands in what `input` has accepted.
    context: Pick<RunContext<any>, 'input' | 'http'>,
  ) => Promise<Estimate | undefined>
  readonly example: { readonly input: unknown; readonly cents: number }
  readonly takes?: Intakes
  // biome-ignore lint/suspicious/noExplicitAny: the definition knew its output; readers do not.
  readonly costUsd?: (output: any) => number | undefined
  // biome-ignore lint/suspicious/noExplicitAny: the runner hands in what `input` has accepted, and a job's extras to jobs.
  readonly run: (context: JobContext<any>) => unknown
  // biome-ignore lint/suspicious/noExplicitAny: as above.
  readonly page?: (output: any, input: any) => SoldPage | undefined
  // biome-ignore lint/suspicious/noExplicitAny: as above.
  readonly issues?: (output: any, input: any) => VendorHandle | undefined
  // biome-ignore lint/suspicious/noExplicitAny: as above.
  readonly owned?: (input: any) => VendorHandle | undefined
}

/** Declares the action that `POST /api/run/{provider}/{name}` sells. */
export function defineAction<Input extends z.ZodType, Output extends z.ZodType>(
  name: string,
  definition: ActionDefinition<Input, Output>,
): Action {
  return { name, ...definition }
}

/** Declares an action that outlives its request: it is queued, and may be worked on by any gateway. */
export function defineJob<Input extends z.ZodType, Output extends z.ZodType>(
  name: string,
  definition: Omit<ActionDefinition<Input, Output>, 'run' | 'mode'> & {
    readonly run: (context: JobContext<z.output<Input>>) => Promise<unknown>
  },
): Action {
  return { name, ...definition, mode: 'job' }
}

/** The named properties of `source`, for the fields that a vendor calls as we do. */
export function pick<Source extends object, Key extends keyof Source>(
  source: Source,
  ...keys: readonly Key[]
): Pick<Source, Key> {
  return Object.fromEntries(keys.map((key) => [key, source[key]])) as Pick<Source, Key>
}
