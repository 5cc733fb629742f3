// What would be sold: read from its address, compared with what is sold now, and nothing is changed.
import type { Action } from '#core/action.ts'
import { chooseProbe } from '#core/canaries/probe.ts'
import { fail } from '#core/errors.ts'
import { probeTermsOf } from '../canary.ts'
import type { DescribedOperation } from '../described-operation.ts'
import { endpointOperation } from '../endpoint.ts'
import { type LeftOutOperation, providerOf } from '../provider.ts'
import { ruleMisfits } from '../rules/misfits.ts'
import { hiddenRules, idleRules, type PriceRule } from '../rules/price-rules.ts'
import { digestOf, originsOf, readSoldApi, type SoldApi } from '../sold-api.ts'
import { checkOperations } from './check-operations.ts'
import { chosenRules, keptRulesWarnings } from './chosen-rules.ts'
import { comparePlanned, type PlannedAction, type SaleChange } from './compare.ts'
import { type PriceSurroundings, priceWarnings } from './plan-warnings.ts'
import { type OfferParts, readDraft } from './read-draft.ts'
import { keepOperations } from './revise.ts'
import type { SellRequest } from './sell-request.ts'

export interface SellPlan {
  readonly sold: SoldApi
  /** What is confirmed: of what is sold now and of what would be sold. */
  readonly digest: string
  readonly actions: readonly PlannedAction[]
  readonly leftOut: readonly LeftOutOperation[]
  /** Those of the sale that this one replaces. */
  readonly rulesBefore: readonly PriceRule[]
  /** Rules that match nothing. */
  readonly idleRules: readonly string[]
  /** What its canary asks, `service/action`. Undefined where nothing is known to be harmless. */
  readonly canary: string | undefined
  /** What the operator should know of the prices that change, in sentences. */
  readonly warnings: readonly string[]
}

export interface PlanParts extends OfferParts, PriceSurroundings {
  /** What the operator has declared that calls of `service/action` cost. */
  readonly declaredFor: Parameters<typeof probeTermsOf>[1]
  readonly now: () => Date
  /** Whether requests may go to this server, as far as its address tells. */
  readonly admits: (sold: SoldApi, server: string) => boolean
  /** Whether a service of the catalog has this name. */
  readonly isTaken: (name: string) => boolean
}

/** Throws `bad_request` with a sentence for the operator. */
export async function planImport(request: SellRequest, parts: PlanParts): Promise<SellPlan> {
  const draft =
    request.file === undefined
      ? await readDraft(request, parts)
      : readFile(request.file, request, parts)
  const name = request.name ?? draft.name
  if (parts.isTaken(name))
    throw fail('bad_request', {
      message: `${name} is a service of this gateway already. Choose another \`"name"\`.`,
    })
  const before = await parts.find(name)
  const rulesBefore = before?.sold.rules ?? []
  const rules = request.file === undefined ? chosenRules(request, rulesBefore) : draft.rules
  const admitted = withoutClosedServers({ ...draft, name, rules, stopped: undefined }, parts)
  const sold = keepOperations(admitted, before?.sold, parts.now())
  const earlier = actionsOf(before?.sold)
  const isOnSale = (action: string) =>
    before?.sold.stopped === undefined &&
    earlier.get(action)?.ended === undefined &&
    earlier.has(action)
  const checked = await checkOperations(withoutMisfits(sold, isOnSale))
  const planned = providerOf(checked)
  if (planned.provider.actions.length === 0)
    throw fail('bad_request', {
      message: `Nothing of this can be sold. ${explain(planned.leftOut)}`.trim(),
    })
  const actions = comparePlanned(checked, planned.provider.actions, before?.sold, earlier)
  const changes = new Map(actions.map(({ action, change }) => [action, change]))
  const terms = probeTermsOf(checked, parts.declaredFor)
  const offered = planned.provider.actions.map((action) => ({
    id: `${name}/${action.name}`,
    action,
    before: before?.sold.stopped ? undefined : earlier.get(action.name),
    costCents: terms.costCents(action),
  }))
  const matched = [
    // Those that are left out for another reason have matched too.
    ...(checked.kind === 'endpoint' ? [endpointOperation] : draft.api.operations),
    ...checked.retired.map(({ operation }) => operation),
  ]
  return {
    sold: checked,
    digest: digestOf(checked, before?.revision),
    actions,
    rulesBefore,
    canary: chooseProbe(planned.provider, terms)?.id,
    warnings: [
      ...keptRulesWarnings(request, rulesBefore),
      ...hiddenRules(checked.rules, matched).map(hiddenRuleWarning),
      ...priceWarnings(
        offered.filter(({ id }) => isOffered.has(changes.get(id))),
        parts,
      ),
    ],
    leftOut: planned.leftOut,
    idleRules: idleRules(checked.rules, matched),
  }
}

const hiddenRuleWarning = (match: string) =>
  `The price rule for ${match} is never used, because an earlier rule is for all that it matches. Move it before that one.`

/** What is sold at another price or for the first time. */
const isOffered: ReadonlySet<SaleChange | undefined> = new Set(['new', 'changed', 'price'])

/** Throws `bad_request` for a rule that is most likely a typing mistake. */
function withoutMisfits(sold: SoldApi, isOnSale: (action: string) => boolean): SoldApi {
  const { api, rules } = sold
  const misfits = new Map(
    ruleMisfits(rules, api, isOnSale).map(({ operation, why }) => [operation, why]),
  )
  const leftOut = [...misfits].map(([{ key }, why]) => ({
    where: key,
    why: `It has no price: ${why}`,
  }))
  return {
    ...sold,
    api: {
      ...api,
      operations: api.operations.filter((operation) => !misfits.has(operation)),
      leftOut: [...api.leftOut, ...leftOut],
    },
  }
}

/** By their names. */
const actionsOf = (sold: SoldApi | undefined): ReadonlyMap<string, Action> =>
  new Map(
    sold === undefined
      ? []
      : providerOf(sold).provider.actions.map((action) => [action.name, action]),
  )

/** A file may come from elsewhere, so it opens the operator's network only if the operator says so. */
function readFile(
  file: unknown,
  { private: isPrivate = false }: SellRequest,
  { admits }: PlanParts,
): SoldApi {
  const written = readSoldApi(file)
  const sold = { ...written, private: written.private && isPrivate }
  const origins = written.program === undefined ? [...originsOf(written)] : []
  const closed = origins.find((origin) => written.private && !admits(sold, origin))
  if (closed !== undefined)
    throw fail('bad_request', {
      message: `This file sells ${new URL(closed).host}, which is in a private network. If it is your own server, say so: \`"private": true\`.`,
    })
  return sold
}

const explain = (leftOut: readonly LeftOutOperation[]) =>
  leftOut
    .slice(0, 3)
    .map(({ where, line, why }) => `${where}${line === undefined ? '' : ` (line ${line})`}: ${why}`)
    .join(' ')

/** A description may name servers in the operator's network, which only the operator may open. */
function withoutClosedServers(draft: SoldApi, { admits }: PlanParts): SoldApi {
  const isReachedByAddress = draft.kind !== 'openapi' && draft.program === undefined
  if (isReachedByAddress && !admits(draft, draft.address))
    throw fail('bad_request', {
      message: `${new URL(draft.address).host} is in a private network. If it is your own server, say so: \`"private": true\`.`,
    })
  if (draft.kind !== 'openapi') return draft
  const servers = new Set(draft.api.operations.map(({ server }) => server))
  const closed = new Set([...servers].filter((server) => !admits(draft, server)))
  const isClosed = ({ server }: DescribedOperation) => closed.has(server)
  const { operations, leftOut } = draft.api
  return {
    ...draft,
    api: {
      ...draft.api,
      operations: operations.filter((operation) => !isClosed(operation)),
      leftOut: [
        ...leftOut,
        ...operations.filter(isClosed).map(({ key, server }) => ({
          where: key,
          why: `Its server ${new URL(server).host} is in a private network. Name it by \`"server"\` together with \`"private": true\`.`,
        })),
      ],
    },
  }
}
