// The cheapest harmless call of a provider: it buys nothing, begins nothing that goes on, and removes nothing.
import type { Action } from '../action.ts'
import { leavesNothing } from '../calls/lasting.ts'
import { centsToMicros } from '../money.ts'
import { quotePrice } from '../price.ts'
import type { Provider } from '../provider.ts'

export interface Probe {
  /** `service/action`. It is called with its example. */
  readonly id: string
  readonly action: Action
  readonly provider: Provider
  /**
   * What the vendor takes for the call at most: its price bounds that. Of an import, it is what the operator has
   * declared.
   */
  readonly cents: number
  /** The operator has declared nothing, so `cents` is 0. */
  readonly isCostUnknown?: true
}

/** A dearer call is chosen only where nothing cheaper shows that the key is accepted. */
const cheapCentsMax = 10

/** What is known of the actions of an import, whose code does not say what they do. */
export interface ProbeTerms {
  readonly isHarmless: (action: Action) => boolean
  /** The lowest is asked. Of several, the cheapest. */
  readonly rank: (action: Action) => number
  /** What the vendor takes for a call, where the operator has declared it. */
  readonly costCents: (action: Action) => number | undefined
}

/** Undefined for a provider that only sells, opens or begins something. */
export function chooseProbe(provider: Provider, terms?: ProbeTerms): Probe | undefined {
  const rankOf = (action: Action) => terms?.rank(action) ?? 0
  const probes = provider.actions
    .filter((action) => isHarmless(action) && (terms?.isHarmless(action) ?? true))
    .map((action) => ({
      id: `${provider.id}/${action.name}`,
      action,
      provider,
      ...costOf(action, terms),
    }))
    .toSorted((one, other) => one.cents - other.cents)
    .toSorted((one, other) => rankOf(one.action) - rankOf(other.action))
  const reading = probes.filter(({ action }) => action.owned === undefined)
  const withKey = reading.filter(({ action }) => !action.keyless)
  // Asking for a thing that does not exist shows at least whether the key is accepted.
  const [asking] = probes.filter(({ action }) => action.owned !== undefined)
  return withKey.find(({ cents }) => cents <= cheapCentsMax) ?? asking ?? withKey[0] ?? reading[0]
}

const isHarmless = (action: Action) =>
  action.canary !== false &&
  action.unavailable === undefined &&
  action.reads === undefined &&
  leavesNothing(action)

/** The price of what the operator sells says nothing of what it costs. */
function costOf(
  action: Action,
  terms: ProbeTerms | undefined,
): Pick<Probe, 'cents' | 'isCostUnknown'> {
  if (terms === undefined) return { cents: centsOf(action) }
  const cents = terms.costCents(action)
  return cents === undefined ? { cents: 0, isCostUnknown: true } : { cents }
}

function centsOf({ price, input, example }: Action): number {
  const ceiling = centsToMicros(example.cents)
  return quotePrice(price, input.parse(example.input), ceiling).micros / centsToMicros(1)
}
