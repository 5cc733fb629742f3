// A metered session is a resource that stays open between calls: a sandbox, a devbox. Its price is its use, to the
// second.
import type { Caller, Owner } from './caller.ts'
import type { RecordEffect } from './effects/effect.ts'
import type { Micros } from './money.ts'
import type { Clock, ProviderHttp } from './ports.ts'

/** Amounts by meter. A meter counts seconds: `{ vcpu: 120 }` is two virtual CPUs for a minute. */
export type Usage = Readonly<Record<string, number>>

type CodeLanguage = 'python' | 'javascript' | 'bash'

/** What a caller runs in a session: a shell command, or code. */
export type SessionCommand =
  | { readonly command: string; readonly timeoutMs: number }
  | {
      readonly code: string
      readonly language: CodeLanguage
      readonly timeoutMs: number
    }

/** What a caller sends. The resource says which language code has that names none. */
export type SessionProgram =
  | Extract<SessionCommand, { readonly command: string }>
  | (Omit<Extract<SessionCommand, { readonly code: string }>, 'language'> & {
      readonly language?: CodeLanguage | undefined
    })

/**
 * A part of what a command has written to one of its streams, as soon as it is there. Parts of characters may come
 * apart.
 */
export type OnOutput = (stream: 'stdout' | 'stderr', part: Uint8Array) => void

export interface SessionResult {
  readonly stdout: string
  readonly stderr: string
  /** Null when the command was ended by a signal or by its timeout. */
  readonly exitCode: number | null
  readonly timedOut: boolean
  /** Whether the limit on output has cut stdout or stderr. */
  readonly truncated?: true
}

/**
 * Files in the folder in which commands run. Paths are relative to it. A refusal of the box is a `bad_request` that
 * names the path and the reason: no such file, a folder, a full disk.
 */
export interface SessionFiles {
  /** Replaces the file, as a whole or not at all, and makes the folders above it. */
  write(path: string, content: AsyncIterable<Uint8Array>, signal: AbortSignal): Promise<void>
  /** The content of a regular file. Throws before its first bytes when it has more than `bytesMax`. */
  read(path: string, bytesMax: number, signal: AbortSignal): AsyncIterable<Uint8Array>
}

/** The resource of one session, in the gateway that owns it. */
export interface SessionResource {
  /** JSON by which another gateway, or this one after a restart, adopts or discards the resource. Stored encrypted. */
  readonly state: unknown
  /**
   * What one second of the wall clock adds to each meter: `{ vcpu: 2 }`. With `measure`, the most that it can add. The
   * engine extends the hold, and plans the forced close, by these numbers.
   */
  readonly perSecond: Usage
  /**
   * What was used since this object was made, in seconds. Absent: `perSecond` times the wall clock. A figure that is
   * not answered in time, or that is smaller than the last one, leaves the last one standing.
   */
  readonly measure?: () => Promise<Usage>
  /** The language of code that names none. Absent: Python. */
  readonly codeLanguage?: CodeLanguage
  /**
   * Runs side by side with other commands. Rejects with the signal's reason when it is aborted. A resource that cannot
   * tell what a command writes meanwhile never calls `onOutput`: the result has all of it.
   */
  readonly run: (
    command: SessionCommand,
    signal: AbortSignal,
    onOutput?: OnOutput,
  ) => Promise<SessionResult>
  /** Absent: it takes no files. Rejects as `run` does. */
  readonly files?: SessionFiles
  /** False when the resource has ended by itself. One that does not answer in time, or rejects, counts as alive. */
  readonly alive: () => Promise<boolean>
  /** Since when its files could not be saved. Undefined: the last copy has succeeded. Absent: it keeps none. */
  readonly unsavedSinceMs?: () => number | undefined
  /**
   * Stops it so that it costs nothing and `adopt` can continue it. Resolves to its new state. A gateway that dies
   * meanwhile leaves the earlier state, which `adopt` and `discard` must understand too.
   */
  readonly suspend?: () => Promise<unknown>
  /**
   * Of one that has ended by itself: leaves what was saved last, which `adopt` can continue. Resolves to its state.
   * Rejects when nothing was saved. Absent: nothing is left of it.
   */
  readonly salvage?: () => Promise<unknown>
  /**
   * What commands have left running in it, which a suspension would end. `workedAtMs`: when that last used a processor,
   * as far as it was seen. Absent: nothing.
   */
  readonly background?: () => Promise<{ readonly programs: number; readonly workedAtMs: number }>
  /** Ends it and leaves nothing behind. Repeating it changes nothing. */
  readonly close: () => Promise<void>
}

/** What a resource is opened, adopted and discarded with. */
export interface SessionContext {
  /** A UUID. Resources are named after it, so that one without a row can be found and removed. */
  readonly sessionId: string
  /** Whose session it is. */
  readonly accountId: string
  readonly http: ProviderHttp
  readonly signal: AbortSignal
  readonly clock: Clock
}

export interface SessionPolicy {
  /** The longest that a session stays open by the wall clock. Absent: no limit. */
  readonly lifetimeMsMax?: number
  /** What happens after a time without a command. Absent: nothing. `suspend` needs a resource that can. */
  readonly idle?: {
    readonly afterMs: number
    readonly outcome: 'close' | 'suspend'
    /** For how long programs in its background may wait without using a processor. Absent: they do not count. */
    readonly waitingMsMax?: number
  }
}

/** How the sessions of one `create_session` are kept. */
export interface SessionKind<Input> {
  /** `machine`: only gateways of the same machine reach the resource. `anywhere`: every gateway does. */
  readonly reach: 'machine' | 'anywhere'
  readonly policy: SessionPolicy
  open(context: SessionContext & { readonly input: Input }): Promise<SessionResource>
  /**
   * Continues a resource that a stopped gateway left or that was suspended. Undefined when it is gone, which ends the
   * session. It rejects when that cannot be known now: then it is tried again.
   */
  readonly adopt: (context: SessionContext, state: unknown) => Promise<SessionResource | undefined>
  /**
   * Removes what may be left of a resource. `state` is undefined when its gateway died while it opened. Repeating it,
   * or removing what does not exist, changes nothing.
   */
  readonly discard: (context: SessionContext, state: unknown) => Promise<void>
}

/** A prepaid session is paid for in minutes, ahead of its use. */
export type PaidStatus = 'active' | 'released' | 'expired'

export interface PaidSession {
  readonly id: string
  readonly status: PaidStatus
  /** All minutes that were paid for it. */
  readonly paidMinutes: number
  /** What is left of them. 0 when it is over. */
  readonly remainingMs: number
  /** ISO time. */
  readonly expiresAt: string
}

/** A call of a fixed price. */
export interface PayingCall {
  readonly caller: Caller
  readonly clock: Clock
  /** Its price. */
  readonly maxCents: number
  readonly effect: RecordEffect
}

/** A session that the vendor is about to open. */
export interface SessionBeginning {
  /** By which the vendor finds it before its id is known. */
  readonly name: string
  /** The vendor has opened it: its minutes begin now. Throws `session_closed` when its call has ended meanwhile. */
  start(id: string): Promise<PaidSession>
}

/** Counts the minutes of a vendor's sessions. The gateway has the vendor release them when their minutes are over. */
export interface PaidMinutes {
  /**
   * Before the vendor is asked for the session. The action makes `browser`. Throws `too_many_inflight` when the caller
   * has as many sessions as it may.
   */
  begin(call: PayingCall, minutes: number): Promise<SessionBeginning>
  /** Throws `session_closed`, and `bad_request` beyond the longest life of a session. */
  extend(call: PayingCall, id: string, minutes: number): Promise<PaidSession>
  /** Undefined for a session that is not counted. */
  find(id: string): Promise<PaidSession | undefined>
  /** `lost`: the vendor has ended it. Repeating it changes nothing. */
  release(id: string, reason: 'closed' | 'lost'): Promise<PaidSession | undefined>
}

/** The longest life of a rented browser. Source: the vendor's limit on `timeout`. */
export const browserMinutesMax = 360

/**
 * Names what calls pay a vendor for in advance. The gateway has the vendor end a resource that is not charged, or that
 * a plan has opened which is over.
 */
export interface PrepaidResources {
  /**
   * Resolves to a new name for the resource of this call, before the vendor of `service` is asked for it. The action
   * makes `prepaid_resource`.
   */
  begin(
    service: string,
    call: { readonly transactionId?: string | undefined; readonly effect: RecordEffect },
  ): Promise<string>
}

/**
 * Why a session of any kind ended. `key_ended`: its key was revoked, or its account frozen. `gateway`: its gateway
 * stopped, and no other could continue it. `lost`: the resource ended by itself. `plan`: the plan that opened it is
 * over.
 */
export type CloseReason =
  | 'closed'
  | 'key_ended'
  | 'balance'
  | 'lifetime'
  | 'idle'
  | 'lost'
  | 'gateway'
  | 'operator'
  | 'plan'
  | 'failed'

/** A session of any kind, as its owner reads it. */
export interface SessionSummary {
  readonly id: string
  /** A UUID that sorts by time. Sessions of all kinds are listed by it, the newest first. */
  readonly cursor: string
  /** The action that created it. */
  readonly action: string
  readonly status: 'opening' | 'open' | 'suspended' | 'closed'
  readonly closeReason: CloseReason | null
  /** What it has cost so far, and what of that has been charged. */
  readonly cost: Micros
  readonly charged: Micros
  readonly held: Micros
  readonly used: Usage
  readonly createdAt: Date
  /** Null where uses are not seen one by one. */
  readonly lastUsedAt: Date | null
  readonly endedAt: Date | null
  /** Since when its files could not be saved: a stop of its machine would lose what has changed. Null: they are. */
  readonly unsavedSince: Date | null
}

export interface SessionPage {
  /** The cursor of the last session of the page before. */
  readonly after?: string | undefined
  readonly limit: number
  /** Without those that are closed. */
  readonly live: boolean
}

/** The sessions that are paid in one way: by their use, or by minutes ahead of it. */
export interface SessionMeter {
  /** Tells a caller why its sessions run no commands, and what to do instead. Absent: they do. */
  readonly noCommands?: string
  list(owner: Owner, page: SessionPage): Promise<readonly SessionSummary[]>
  find(owner: Owner, id: string): Promise<SessionSummary | undefined>
  /** Undefined: the owner has no such session. Repeating it changes nothing. */
  close(owner: Owner, id: string): Promise<SessionSummary | undefined>
}
