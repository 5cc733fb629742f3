// Checks of the providers behind this gateway: vendors, and what the operator sells of their own.
import { shippedFormOf } from '#catalog/lib/shipped-form.ts'
import { checkProvider } from '#core/canaries/check.ts'
import { fixtureOf } from '#core/canaries/fixture.ts'
import { secretsOf } from '#core/canaries/mask.ts'
import { chooseProbe } from '#core/canaries/probe.ts'
import type { Service } from '#core/catalog.ts'
import { probeTermsOf } from '#features/selling/canary.ts'
import type { CostPerCall } from '#money/costs/costs.ts'
import { type CanaryTarget, createCanaries } from '#runner/providers/canaries/canaries.ts'
import { createCanaryChecks } from '#runner/providers/canaries/canary-checks.ts'
import type { AppContext } from '../context.ts'
import type { Money } from '../money.ts'
import type { Store } from '../store.ts'
import type { Selling } from './selling.ts'

export function openCanaries(
  { config, clock, log, onClose }: AppContext,
  {
    store: { database },
    money: { ledger },
    selling,
    followOffers,
  }: {
    readonly store: Pick<Store, 'database'>
    readonly money: Pick<Money, 'ledger'>
    readonly selling: Selling
    readonly followOffers: () => Promise<void>
  },
) {
  const checks = createCanaryChecks({ database, clock, gatewayNumber: ledger.gatewayNumber })
  const { keys, budgets } = selling.providers
  const providers = () => selling.services().map(({ provider }) => provider)
  const secrets = () => [...secretsOf(config.providerVariables), ...keys.current().values()]
  const canaries = createCanaries({
    checks,
    budgets,
    followOffers,
    async targets() {
      const costOf = await selling.readDeclared()
      return selling.services().flatMap((service) => targetOf(service, selling, costOf) ?? [])
    },
    examine: (probe, options) =>
      checkProvider(probe, {
        ...options,
        clock,
        providers: providers(),
        open: ({ id }, onReply) => selling.openApart(id, onReply),
        secrets: secrets(),
      }),
    fixtureOf: (probe, { state, says, exchanges, startedAt }) =>
      fixtureOf(
        probe,
        { state: state ?? 'unclear', says: says ?? '', exchanges: exchanges ?? [], startedAt },
        { clock, providers: providers() },
      ),
    formOfFixture: shippedFormOf,
    intervalHours: config.CANARY_INTERVAL_HOURS,
    scheduled: config.CANARY_PROVIDERS,
    log,
  })
  onClose(canaries.close)
  return { canaries, forgetOld: checks.forgetOld }
}

/** Undefined for a provider without a vendor, and for one that is not configured. */
function targetOf(
  { provider, mode, buys }: Service,
  selling: Selling,
  costOf: (id: string) => CostPerCall | undefined,
): CanaryTarget | undefined {
  const sold = selling.soldApis.current().find((each) => each.sold.name === provider.id)?.sold
  if (provider.upstream === undefined && sold === undefined) return undefined
  const probe = chooseProbe(provider, sold && probeTermsOf(sold, costOf))
  if (mode === 'unavailable' && (sold !== undefined || !probe?.action.keyless)) return undefined
  const target = { provider, mode }
  if (buys)
    return { ...target, probe: undefined, reason: 'It sells by payment, and a check buys nothing.' }
  if (probe !== undefined) return { ...target, probe }
  const reason =
    sold === undefined
      ? 'It only sells, opens or begins something.'
      : 'None of its operations is known to read only: it has no GET, or no tool that says so. Mark one by "canary": true in its price rule.'
  return { ...target, probe, reason }
}
