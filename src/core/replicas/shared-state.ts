// What gateways of one database know together, beside the database: counts, turns, states of circuit breakers, cached
// texts. With `REDIS_URL` it is in Redis or Valkey. Without it, or while that is away, each gateway knows its own part.

/** Points that count in a window of time. A window begins with the first points in it. */
export interface WindowCount {
  readonly name: string
  readonly points: number
  /** The most points of one window. */
  readonly most: number
  readonly windowMs: number
  /** The points count even when they go beyond `most`. */
  readonly evenBeyond?: true | undefined
}

export interface CountedWindow {
  /** Tells this window from others of the same name. */
  readonly id: string
  /** Points in it, with those that were just counted. */
  readonly used: number
  readonly leftMs: number
}

export interface CountVerdict {
  /** The place of the first count that would go beyond its `most`. */
  readonly refusedBy?: number | undefined
  /** One for each count, in the same order. */
  readonly windows: readonly CountedWindow[]
}

/** Counts for all gateways together. While Redis is away, each counts what it knew last and what it lets through. */
export interface SharedCounters {
  /** Counts all of these, or none of them if one is refused. */
  take(counts: readonly WindowCount[]): Promise<CountVerdict>
  /** Adds points to a window, or takes them away, unless it is over. Without `windowId`: the current window. */
  adjust(name: string, points: number, windowId?: string): Promise<void>
}

/** How many requests may leave in each period. */
export interface TurnWindow {
  readonly requests: number
  readonly windowMs: number
}

export interface TurnRequest {
  readonly name: string
  readonly windows: readonly TurnWindow[]
  readonly waitMsMax: number
  readonly queueMax: number
}

export type SharedTurn =
  | { readonly waitMs: number; readonly giveBack: () => Promise<void> }
  | { readonly refusedForMs: number }

/** Gives requests to one vendor their turns, first come first served at all gateways. */
export interface SharedTurns {
  /** Undefined while Redis is away. */
  reserve(request: TurnRequest): Promise<SharedTurn | undefined>
}

/** Small texts that several gateways change. */
export interface SharedRecords {
  /** Undefined while Redis is away. */
  read(name: string): Promise<{ readonly text: string | undefined } | undefined>
  /** Puts `to` in the place of `from`. False if the text is another one; undefined while Redis is away. */
  swap(
    name: string,
    change: {
      readonly from: string | undefined
      readonly to: string | undefined
      readonly lifetimeMs: number
    },
  ): Promise<boolean | undefined>
}

/** Texts that are worth keeping for a while. They may be forgotten at any time. */
export interface SharedCache {
  get(name: string): Promise<string | undefined>
  /** Does not wait. */
  set(name: string, text: string, lifetimeMs: number): void
}

export interface SharedState {
  readonly counters: SharedCounters
  /** Undefined without Redis: each gateway then has its own. */
  readonly turns?: SharedTurns | undefined
  readonly records?: SharedRecords | undefined
  readonly cache?: SharedCache | undefined
}
