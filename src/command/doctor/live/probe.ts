// The cheapest harmless call of a provider: it buys nothing, begins nothing that goes on, and removes nothing.
import type { Action } from '#core/action.ts'
import { centsToMicros } from '#core/money.ts'
import { quotePrice } from '#core/price.ts'
import type { Provider } from '#core/provider.ts'

export interface Probe {
  /** `service/action`. It is called with its example. */
  readonly id: string
  readonly action: Action
  /** The price of the call, which bounds what the vendor takes for it. */
  readonly cents: number
}

/** A dearer call is chosen only where nothing cheaper shows that the key is accepted. */
const cheapCentsMax = 10

/** Undefined for a provider that only sells, opens or begins something. */
export function chooseProbe(provider: Provider): Probe | undefined {
  const probes = provider.actions
    .filter(isHarmless)
    .map((action) => ({
      id: `${provider.id}/${action.name}`,
      action,
      cents: centsOf(action),
    }))
    .toSorted((one, other) => one.cents - other.cents)
  const reading = probes.filter(({ action }) => action.owned === undefined)
  const withKey = reading.filter(({ action }) => !action.keyless)
  // Asking for a thing that does not exist shows at least whether the key is accepted.
  const [asking] = probes.filter(({ action }) => action.owned !== undefined)
  return withKey.find(({ cents }) => cents <= cheapCentsMax) ?? asking ?? withKey[0] ?? reading[0]
}

const isHarmless = (action: Action) =>
  action.unavailable === undefined &&
  action.mode === undefined &&
  action.makes === undefined &&
  action.reads === undefined &&
  action.issues === undefined &&
  !action.irrevocable &&
  !action.ends

function centsOf({ price, input, example }: Action): number {
  const ceiling = centsToMicros(example.cents)
  return quotePrice(price, input.parse(example.input), ceiling).micros / centsToMicros(1)
}
