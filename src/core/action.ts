// An action is one small file: inert data and one function. Keep the properties in the order below; TypeScript infers
// the callbacks of `price` and `run` only after it has seen both schemas.
import { z } from 'zod'
import type { Caller } from './caller.ts'
import type { ActionText } from './calls/action-text.ts'
import type { FileNeed } from './calls/file-need.ts'
import type { KeepAnswer } from './calls/keep-answer.ts'
import type { SoldPage } from './calls/sold-page.ts'
import type { ToolFacts } from './calls/tool-facts.ts'
import type { EffectKind, RecordEffect } from './effects/effect.ts'
import type { CallError, ErrorCode } from './errors.ts'
import type { CallerFiles } from './files.ts'
import type { Intakes } from './identifier.ts'
import type { Micros } from './money.ts'
import type { Clock, ProviderHttp } from './ports.ts'
import type { AnyPrice, MeteredPrice, Price, Quote } from './price.ts'
import type { UntypedJson } from './replies/untyped-json.ts'
import type { SessionKind } from './session.ts'
import './input/issues.ts'

export { z }

/** One provider call that was made or skipped on the way to an answer. Part of the transaction's timeline. */
export interface Hop {
  readonly provider: string
  readonly action: string
  readonly ok: boolean
  readonly charged_cents: number
  readonly latency_ms: number
  /** Why the call was not made; absent when it was. */
  readonly skipped?: string
}

/** An id that a vendor issues when it accepts work: of a crawl, a task, a search. It belongs to the caller who paid. */
export interface VendorHandle {
  /** What the id names, in a word. Ids are kept apart by namespace and kind. */
  readonly kind: string
  readonly id: string
  /**
   * It names a thing that is paid once and kept until an action `ends` it. Others are forgotten 30 days after they were
   * issued.
   */
  readonly isKept?: true
}

export interface RunContext<Input> {
  readonly input: Input
  /** The provider's client. It throws for a provider without `upstream`. */
  readonly http: ProviderHttp
  readonly caller: Caller
  /** The caller's files. */
  readonly files: CallerFiles
  /** Aborted at the action's deadline. */
  readonly signal: AbortSignal
  /** The id of the paid call, as its receipt states it. Absent where nothing is paid. */
  readonly transactionId?: string | undefined
  readonly clock: Clock
  /** The most that this call can cost its caller. */
  readonly maxCents: number
  /** Adds a hop to the transaction's timeline. */
  readonly record: (hop: Hop) => void
  /** Tells the transaction's timeline which model has answered, and how. */
  readonly recordInference?: (inference: object) => void
  /** Tells a waiting caller how far the work is. */
  readonly report?: (progress: JobProgress) => Promise<void>
  /** Adds to what the call has cost the operator: for work whose cost no answer reports, as of a language model. */
  readonly spend: (micros: Micros) => void
  /**
   * Runs another action, `service/action`, inside this paid call: its price is part of this one's, its hop is recorded.
   * Resolves to its data. Throws its CallError. In a job, `step` names this part of the work: the answer is saved as
   * the checkpoint of that name and not asked for again, and an inner job saves its checkpoints below it and may
   * postpone the work. `signal` ends the inner call before this one ends.
   */
  readonly call: (
    id: string,
    input: unknown,
    step?: string,
    signal?: AbortSignal,
  ) => Promise<UntypedJson>
  /**
   * The first half of `call`: reads the input, checks the caller's right to it and quotes it. Throws as `call` does,
   * and leaves no trace.
   */
  readonly prepare: (id: string, input: unknown, step?: string) => Promise<PreparedCall>
  readonly keepAnswer: KeepAnswer
  /** Whether this gateway can run the action; `vendor`: by a provider other than this machine. */
  readonly available: (id: string, by?: 'vendor') => boolean
  /** The ids of this kind that this namespace issued to the caller, newest first. For actions that list. */
  readonly issued: (kind: string) => Promise<readonly string[]>
  /**
   * Buys something that cannot be returned. `buy` sends the order; `reference`, a UUID of this call, is the idempotency
   * key for vendors that accept one. The order is sent at most once per call. If the outcome is uncertain, the call
   * fails with `outcome_unknown` and keeps its hold until the operator resolves it.
   */
  readonly purchase: <Result>(buy: (reference: string) => Promise<Result>) => Promise<Result>
  /** Records what the call makes. The action declares its kind in `makes`. */
  readonly effect: RecordEffect
}

/** A call that a caller orders through another one. */
export interface OrderedCall {
  /** Of its action. */
  readonly id: string
  /** What refusals of it begin with: `Step "find"`. */
  readonly name: string
  /** Absent: not all of it is known before other orders have been answered. */
  readonly body?: unknown
  /** It is a part of what the operator sells: the right to the whole is the right to it. */
  readonly included?: true
}

/** How far a job is. */
export interface JobProgress {
  /** The current step, in a word or two. */
  readonly phase: string
  readonly done: number
  readonly total: number
}

/** A call inside a paid call that was accepted and has not run. */
export interface PreparedCall {
  /** What it may cost: exactly that of an earlier try, if the step is done. */
  readonly quote: Quote
  /** Runs it, once. Throws its CallError. `charged` is its exact part of the price. */
  readonly run: (
    signal?: AbortSignal,
  ) => Promise<{ readonly data: UntypedJson; readonly charged: Micros }>
}

/** Why a job should end before it has done all its work. `given_up`: its tries failed too often. */
export type StopReason = 'cancelled' | 'given_up'

/** The context of a job. Another worker may run the job again from its start, until it has ended once. */
export interface JobContext<Input> extends RunContext<Input> {
  readonly report: (progress: JobProgress) => Promise<void>
  /**
   * Asks whether the job should stop, for an action that `stopsEarly`. It then starts nothing more and returns what it
   * has delivered. One that is given up does not finish what is under way either: that may be why its tries failed.
   */
  readonly stopReason: () => Promise<StopReason | undefined>
  /** The parts that earlier tries have saved, by name. */
  readonly checkpoints: ReadonlyMap<string, unknown>
  /** Saves a finished part as JSON. A part of the same name is replaced. */
  readonly save: (name: string, value: unknown) => Promise<void>
  /** A POST by a vendor takes the postponed job up at once. Undefined where vendors cannot reach this gateway. */
  readonly wakeUrl?: string | undefined
  /** The id that the caller polls with: a handle of kind `job`, which the caller owns before the job is queued. */
  readonly jobId: string
  /**
   * Records a vendor's id as the caller's while the job runs; `issues` does so when it ends. It stays when the job
   * fails, so that the caller can read what became of it.
   */
  readonly issue: (handle: VendorHandle) => Promise<void>
  /**
   * Ends this try. The job starts again after `delayMs` with its checkpoints and occupies no worker until then. For
   * waiting on a vendor's work. Never returns.
   */
  readonly later: (delayMs: number) => never
}

/** An action that a call depends on; `vendor`: run by a provider other than this machine. */
export type Need = string | { readonly id: string; readonly by: 'vendor' }

interface ActionTerms {
  /** The only payment rails that a wallet may pay by. Absent: every rail that can express the price. */
  readonly pay?: readonly string[]
  /**
   * `job`: the response holds a handle, and the caller polls for the answer, unless the action `answersInline`. Absent:
   * the response holds the answer. `session`: the response holds the id of a resource that stays open and is charged by
   * its use.
   */
  readonly mode?: 'job' | 'session'
  /** The answer says only that the provider has accepted work to poll for. Its status is 202. */
  readonly accepted?: true
  /** Open jobs of this action per account. Default 10. */
  readonly jobsAtOnceMax?: number
  /**
   * A job that asks for its `stopReason`. Others cannot be cancelled once they have begun, and deliver nothing when
   * given up.
   */
  readonly stopsEarly?: true
  /** Open sessions of this action per account, and on one machine. Default 10 and 100. */
  readonly sessionsAtOnceMax?: { readonly perAccount: number; readonly perMachine: number }
  /** Free, and the same for every caller: it is answered without a credential. */
  readonly open?: true
  /** It may buy something that cannot be returned, by `purchase`. A wallet pays before it runs. */
  readonly irrevocable?: true
  /** What a call of it makes that stays after the call, as rows that it records by `effect`. */
  readonly makes?: readonly EffectKind[]
  /** What the calls inside it open is closed when it ends, if it can be. Only for the mode `job`. */
  readonly closes?: true
  /** It removes the thing that `owned` names. Its id is listed no more, and forgotten after 30 days. */
  readonly ends?: true
  /** The longest that a call may run. Default 60 000. */
  readonly timeoutMs?: number
  /** Its own refusals and failures, beside those that its other terms imply. */
  readonly errors?: readonly ErrorCode[]
  /** An account needs a paid top-up first: credit from the operator does not count. Wallets pay for each call. */
  readonly paidTopUpRequired?: true
  /** What it removes or ends, in the words of people. Discover names it only to those who say one of them. */
  readonly removes?: readonly string[]
  /** It answers with people, without those who have opted out. */
  readonly people?: true
  /** It runs a language model: it counts against the daily inference cap of its account. */
  readonly inference?: true
  /** It takes enough of this machine's processor that its failed calls `spend` that time. */
  readonly spendsProcessor?: true
  /** How long an answer may be reused for any caller with the same input. It says `cached: true` and costs the same. */
  readonly cacheSeconds?: number
  /** The canary of its provider never calls it, although it may do no harm. */
  readonly canary?: false
  /** Works without the credential or the wallet that the provider's other actions need. */
  readonly keyless?: true
  /** Why it is unavailable although its provider is not, and what the operator can do. */
  readonly unavailable?: string
  /** It is not sold any more, as `unavailable` says. Its callers read why, and no one else is led to it. */
  readonly ended?: true
  /** How many calls each account has free on a day of UTC. Their price is waived. A failed call is none of them. */
  readonly freeCallsPerDay?: number
  /**
   * `endpoint`: it passes a request on to an endpoint of the operator, and has an address for plain HTTP too. `tool`:
   * it passes a call on to a tool of an MCP server, and clients of MCP read the tool's own answer.
   */
  readonly soldAs?: 'endpoint' | 'tool'
  /** What the MCP server of a sold tool says of it. */
  readonly toolFacts?: ToolFacts
  /** It is a saved plan, whose steps call these actions, by `service/action`. */
  readonly planOf?: readonly string[]
  /** An action on its way out: answered with Deprecation, Sunset and Link headers. */
  readonly retiring?: {
    /** ISO date after which it is gone, at least 90 days after the announcement. */
    readonly sunset: string
    /** `service/action` that replaces it. */
    readonly successor: string
  }
}

/** What a purchase would cost, in cents, as the seller quotes it before the order. */
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
  /** Throws a CallError for what a schema cannot express. It runs before the price is quoted, so a refusal is free. */
  readonly check?: (input: z.output<Input>) => void
  /** Whether a job with this input is quick: its response holds the answer, and its context cannot postpone it. */
  readonly answersInline?: (input: z.output<Input>) => boolean
  /** The actions that this call depends on. The call is refused for free if one of them cannot run here. */
  readonly needs?: (input: z.output<Input>) => readonly Need[]
  /**
   * The calls that the caller orders through this one. The caller must have the right to each of them, and language
   * models among them count as they do by themselves.
   */
  readonly orders?: (input: z.output<Input>) => readonly OrderedCall[]
  /** What its caller sees as the input later, where the schema adds to what was sent. */
  readonly sentOf?: (input: z.output<Input>) => unknown
  /**
   * Whether a call with this input may run a language model, for actions that seldom do. Such a call counts as
   * `inference` does.
   */
  readonly mayInfer?: (input: z.output<Input>) => boolean
  readonly price: Price<z.output<Input>, z.output<Output>>
  /**
   * What the calls inside one call can cost together, at the prices of the catalog, where its own flat price includes
   * them.
   */
  readonly spendsUpToCents?: number
  /** Asks the seller for its price, free and without ordering. Undefined if the seller does not quote one. */
  readonly estimate?: (
    context: Pick<RunContext<z.output<Input>>, 'input' | 'http'>,
  ) => Promise<Estimate | undefined>
  /** A call that works, shown to callers and replayed by the tests. `cents` is its quote. */
  readonly example: { readonly input: z.input<Input>; readonly cents: number }
  /** The identifiers that its fields accept. Discover finds the action by them and fills the example in. */
  readonly takes?: Intakes<z.input<Input>>
  /** What the call cost the operator, in dollars, if the provider reports it. */
  readonly costUsd?: (output: z.output<Output>, input: z.output<Input>) => number | undefined
  /** The operator has declared this cost of a delivered call with the action. A reported cost wins. */
  readonly declaredCostUsd?: number
  /** Finds the page in the answer of an action that sells one. A challenge page or wall fails it with `all_blocked`. */
  readonly page?: (output: z.output<Output>, input: z.output<Input>) => SoldPage | undefined
  /** The id that the caller polls with. It is recorded as the caller's before the answer is sent. */
  readonly issues?: (output: z.output<Output>, input: z.output<Input>) => VendorHandle | undefined
  /** The id that the call asks about. An id of another caller is `not_found`, before anything is held or sent. */
  readonly owned?: (input: z.output<Input>) => VendorHandle | undefined
  /** Throws `not_found` for what the caller does not have, before anything is held. */
  readonly admits?: (
    input: z.output<Input>,
    caller: Caller,
    files: Pick<CallerFiles, 'find'>,
  ) => Promise<void>
  /**
   * The caller's files that it reads. A call that names another file, or one of another type, is a `bad_request` before
   * anything is held.
   */
  readonly reads?: (input: z.output<Input>) => readonly FileNeed[]
  /** Asks the provider. Its result must fit `output`. */
  readonly run: (context: RunContext<z.output<Input>>) => unknown
}

/**
 * An action as its readers see it, without the types of its schemas. The functions are methods: TypeScript then lets
 * them take `unknown`, and the runner passes only values that the schemas have accepted.
 */
export interface Action extends ActionText, ActionTerms {
  readonly name: string
  readonly input: z.ZodType
  readonly output: z.ZodType
  check?(input: unknown): void
  answersInline?(input: unknown): boolean
  needs?(input: unknown): readonly Need[]
  orders?(input: unknown): readonly OrderedCall[]
  sentOf?(input: unknown): unknown
  mayInfer?(input: unknown): boolean
  readonly price: AnyPrice
  readonly spendsUpToCents?: number
  estimate?(context: Pick<RunContext<unknown>, 'input' | 'http'>): Promise<Estimate | undefined>
  readonly example: { readonly input: unknown; readonly cents: number }
  readonly takes?: Intakes
  /** How the sessions that it creates are kept. Only for the mode `session`. */
  readonly session?: SessionKind<unknown>
  /** What a call of this account would be refused for now, because it or this machine has no room. A quote tells it. */
  readonly fullFor?: (accountId: string) => CallError | undefined
  costUsd?(output: unknown, input: unknown): number | undefined
  readonly declaredCostUsd?: number
  /** The runner gives jobs a JobContext. */
  run(context: RunContext<unknown>): unknown
  page?(output: unknown, input: unknown): SoldPage | undefined
  issues?(output: unknown, input: unknown): VendorHandle | undefined
  owned?(input: unknown): VendorHandle | undefined
  admits?(input: unknown, caller: Caller, files: Pick<CallerFiles, 'find'>): Promise<void>
  reads?(input: unknown): readonly FileNeed[]
}

/** Declares the action that `POST /api/run/{provider}/{name}` sells. */
export function defineAction<Input extends z.ZodType, Output extends z.ZodType>(
  name: string,
  definition: ActionDefinition<Input, Output>,
): Action {
  return { name, ...definition }
}

/** Declares an action that outlives its request. It is queued, and any gateway may run it. */
export function defineJob<Input extends z.ZodType, Output extends z.ZodType>(
  name: string,
  definition: Omit<ActionDefinition<Input, Output>, 'run' | 'mode'> & {
    readonly run: (context: JobContext<z.output<Input>>) => Promise<unknown>
  },
): Action {
  return { name, ...definition, mode: 'job' }
}

/**
 * Declares an action that creates a session: a resource that stays open between calls and is charged by its use, to the
 * second. The session engine opens the resource; the answer is `{ session_id }`.
 */
export function defineSession<Input extends z.ZodType>(
  name: string,
  definition: Omit<
    ActionDefinition<Input, typeof sessionCreated>,
    'run' | 'mode' | 'output' | 'price' | 'makes'
  > & {
    readonly price: MeteredPrice
    /** At the vendor. Absent: only this machine keeps such sessions. */
    readonly session?: SessionKind<z.output<Input>>
  },
): Action {
  const terms = { mode: 'session', makes: ['session'] } as const
  return { name, ...definition, ...terms, output: sessionCreated, run: runBySessions }
}

/** The `run` of an action that creates sessions. The session engine opens them instead. */
export const runBySessions: Action['run'] = () => {
  throw new Error('A session is opened by the session engine.')
}

const sessionCreated = z.object({
  session_id: z.string().describe('Send it to the session’s run and close addresses.'),
})

/** The named properties of `source`: the fields that have the same name at the vendor. */
export function pick<Source extends object, Key extends keyof Source>(
  source: Source,
  ...keys: readonly Key[]
): Pick<Source, Key> {
  return Object.fromEntries(keys.map((key) => [key, source[key]])) as Pick<Source, Key>
}
