// The day of `npm run bench day`: when callers come, who they are, and what they ask. The same seed makes the same day.

export interface Arrival {
  /** Milliseconds since the begin of the compressed day. */
  readonly atMs: number
  /** The place of the account: the first is the most active. */
  readonly account: number
  readonly kind: 'action' | 'chat' | 'job' | 'session' | 'wallet'
  /** The place of the action, for calls of actions and wallets. */
  readonly action: number
  /** Present: the call has an idempotency key. A caller repeats it at once if `repeats`. */
  readonly key: string | undefined
  readonly repeats: boolean
}

export const vendorCount = 8
export const actionCount = 40
/** Out of a hundred arrivals. The rest are calls of actions. */
const shares = { chat: 15, job: 6, session: 3, wallet: 4 } as const
const keyedShare = 0.3
const repeatedShare = 0.1
/** Nights have about a seventh of the calls of the afternoon. */
const nightShare = 0.15
const busiestPartOfDay = 0.62

export function planDay(options: {
  readonly seed: number
  readonly durationMs: number
  /** Arrivals per second at the busiest time. */
  readonly peak: number
  readonly accounts: number
}): Arrival[] {
  const random = createRandom(options.seed)
  const accountOf = zipf(options.accounts, random)
  const actionOf = zipf(actionCount, random)
  const arrivals: Arrival[] = []
  let atMs = 0
  for (;;) {
    atMs -= (Math.log(1 - random()) / options.peak) * 1_000
    if (atMs >= options.durationMs) return arrivals
    // A Poisson process whose rate follows the day: arrivals at the peak's rate, thinned.
    if (random() >= shareOfPeak(atMs / options.durationMs)) continue
    const key = random() < keyedShare ? `day-${options.seed}-${arrivals.length}` : undefined
    arrivals.push({
      atMs,
      account: accountOf(),
      kind: kindOf(random() * 100),
      action: actionOf(),
      key,
      repeats: key !== undefined && random() < repeatedShare,
    })
  }
}

function shareOfPeak(partOfDay: number): number {
  const height = (1 + Math.cos(2 * Math.PI * (partOfDay - busiestPartOfDay))) / 2
  return nightShare + (1 - nightShare) * height
}

function kindOf(point: number): Arrival['kind'] {
  let until = 0
  for (const [kind, share] of Object.entries(shares) as [keyof typeof shares, number][]) {
    until += share
    if (point < until) return kind
  }
  return 'action'
}

/** Draws places from zero on: the place k with a weight of 1 / (k + 1). */
function zipf(size: number, random: () => number): () => number {
  const sums = new Float64Array(size)
  let sum = 0
  for (let place = 0; place < size; place += 1) {
    sum += 1 / (place + 1)
    sums[place] = sum
  }
  return () => {
    const point = random() * sum
    let [low, high] = [0, size - 1]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((sums[middle] ?? 0) < point) low = middle + 1
      else high = middle
    }
    return low
  }
}

/** Mulberry32: small, fast, and the same everywhere. */
function createRandom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}
