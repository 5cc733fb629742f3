// An action is one small file: inert data and one function. Keep the properties in the order below; TypeScript infers
// the callbacks of `price` and `run` only after it has seen both schemas.
import { z } from 'zod'
import type { Caller } from './caller.ts'
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

export interface RunContext<Input> {
  readonly input: Input
  /** The provider's client. Embedded providers have none to offer: using it then throws. */
  readonly http: ProviderHttp
  readonly caller: Caller
  /** Aborted at the action's deadline. */
  readonly signal: AbortSignal
  readonly clock: Clock
  /** Adds a hop to the transaction's timeline. */
  readonly record: (hop: Hop) => void
  /**
   * Runs another action, `service/action`, inside this paid call: its price is part of this one's, its hop is recorded.
   * Resolves to its data. Throws its CallError.
   */
  // biome-ignore lint/suspicious/noExplicitAny: what the other action's output schema has accepted.
  readonly call: (id: string, input: unknown) => Promise<any>
  /** Whether there is such an action and this gateway has a provider for it. */
  readonly available: (id: string) => boolean
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
}

interface ActionText {
  /** One sentence, capitalised, with a full stop: what the caller gets. */
  readonly summary: string
  /** When to use it and when to use something else; what surprises people. */
  readonly notes?: string
  /** Words that people use for this, for search. */
  readonly synonyms?: readonly string[]
}

interface ActionTerms {
  /** Absent: the answer is in the response. `job`: a handle is, and the answer is polled for. */
  readonly mode?: 'job'
  /** Jobs of this action that one account may have open. Default 10. */
  readonly jobsAtOnceMax?: number
  /** Longest that a call may run. Default 60 000. */
  readonly timeoutMs?: number
  /** An action on its way out: answered with Deprecation, Sunset and Link headers. */
  readonly retiring?: {
    /** ISO date after which it is gone, at least 90 days after the announcement. */
    readonly sunset: string
    /** `service/action` that replaces it. */
    readonly successor: string
  }
}

export interface ActionDefinition<Input extends z.ZodType, Output extends z.ZodType>
  extends ActionText,
    ActionTerms {
  readonly input: Input
  readonly output: Output
  /** Throws a CallError for what a schema cannot say; runs before the price is quoted, so it costs nothing. */
  readonly check?: (input: z.output<Input>) => void
  readonly price: Price<z.output<Input>, z.output<Output>>
  /** A call that works; shown everywhere and replayed by the tests. `cents` is its quote. */
  readonly example: { readonly input: z.input<Input>; readonly cents: number }
  /** What the call cost the operator, in dollars, where the provider says so. */
  readonly costUsd?: (output: z.output<Output>) => number | undefined
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
  readonly price: AnyPrice
  readonly example: { readonly input: unknown; readonly cents: number }
  // biome-ignore lint/suspicious/noExplicitAny: the definition knew its output; readers do not.
  readonly costUsd?: (output: any) => number | undefined
  // biome-ignore lint/suspicious/noExplicitAny: the runner hands in what `input` has accepted, and a job's extras to jobs.
  readonly run: (context: JobContext<any>) => unknown
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
