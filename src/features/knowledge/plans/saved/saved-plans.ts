// The saved plans of this gateway: in the database, and as actions of the catalog.
import type { ClientBase } from 'pg'
import type { Action } from '#core/action.ts'
import type { CatalogEntry, Service, UnlistedEntries } from '#core/catalog.ts'
import { CallError, fail } from '#core/errors.ts'
import { validateCall } from '#core/input/validate.ts'
import { centsToMicros, type Micros } from '#core/money.ts'
import { publishedService } from '#core/plan.ts'
import type { Clock, Log } from '#core/ports.ts'
import type { Database } from '#platform/database/database.ts'
import {
  createVersionedDocuments,
  type DocumentRevision,
  type StoredDocument,
} from '#platform/database/versioned-documents.ts'
import { differencesOf, type PlanDifference } from './difference.ts'
import { checkInputSchema } from './input-schema.ts'
import { leastCostOf, planAction } from './plan-action.ts'
import {
  type ExamineSaved,
  ownService,
  planId,
  plansInAllMax,
  plansPerAccountMax,
  readSavedPlan,
  retiredDays,
  retiredSentence,
  type SavedPlan,
  whyUnkept,
} from './saved-plan.ts'

export type StoredPlan = StoredDocument<SavedPlan>

/** Undefined: the operator, who publishes plans for all. */
export type PlanOwner = string | undefined

export interface SavedPlans {
  /** As this gateway knows them: those of the owner that are not retired. */
  list(owner: PlanOwner): readonly StoredPlan[]
  /** Throws `not_found`. */
  find(owner: PlanOwner, name: string): Promise<StoredPlan>
  revisions(owner: PlanOwner, name: string): Promise<readonly DocumentRevision[]>
  /** Throws `not_found`. */
  findRevision(owner: PlanOwner, name: string, revision: number): Promise<StoredPlan>
  /**
   * Checks the plan as its callers would find it. Throws `bad_request`, `not_found`, `forbidden` and the like for what
   * could not be called. Returns what is most likely a mistake, in sentences.
   */
  check(plan: SavedPlan): readonly string[]
  /** What the steps of its example cost at least, where it is sold at a fixed price below that. */
  soldBelow(plan: SavedPlan): Micros | undefined
  /**
   * In the transaction of the caller: saves a plan that was checked. `over`: the revision that it replaces; undefined:
   * none, unless it is retired; 'any'. A plan without a difference keeps its revision. Throws `stale_etag`,
   * `bad_request`, `forbidden`.
   */
  save(plan: SavedPlan, over: number | 'any' | undefined, client: ClientBase): Promise<SavedChange>
  /** What would differ. Throws what `save` would throw. */
  compare(plan: SavedPlan, over: number | 'any' | undefined): Promise<Omit<SavedChange, 'revision'>>
  /** In the transaction of the caller. Throws `not_found`. */
  retire(owner: PlanOwner, name: string, client: ClientBase): Promise<StoredPlan>
  readonly offers: SavedPlanOffers
  forgetOld(): Promise<void>
}

export interface SavedChange {
  /** `service/action`. */
  readonly id: string
  readonly revision: number
  readonly differences: readonly PlanDifference[]
}

/** What the catalog sells of them. */
export interface SavedPlanOffers {
  /** Resolves to what has changed. */
  follow(): Promise<{ readonly listed: boolean; readonly unlisted: boolean }>
  /** Those that the operator publishes. */
  published(): readonly Action[]
  /** `service`: of the published ones. */
  unlisted(service: Service): UnlistedEntries
}

export function createSavedPlans({
  database,
  clock,
  log,
  examine,
}: {
  readonly database: Database
  readonly clock: Clock
  readonly log: Log
  readonly examine: ExamineSaved
}): SavedPlans {
  const documents = createVersionedDocuments({
    table: 'saved_plan',
    what: 'saved plan',
    readDocument: readSavedPlan,
    database,
    log,
  })
  const actionOf = (plan: SavedPlan) => planAction(plan, examine)
  const idOf = (owner: PlanOwner, name: string) => planId({ name, account_id: owner ?? null })
  const missing = (name: string) =>
    fail('not_found', { message: `There is no saved plan ${name.slice(0, 100)}. List your plans.` })

  async function find(owner: PlanOwner, name: string) {
    const found = await documents.find(idOf(owner, name))
    if (found === undefined || found.document.retired !== undefined) throw missing(name)
    return found
  }

  async function requireRoom({ account_id: owner }: SavedPlan, client: ClientBase | undefined) {
    const text = `select count(*) filter (where account_id is not distinct from $1)::integer as own,
         count(*)::integer as all from saved_plan`
    type Counts = { own: number; all: number }
    const rows = client
      ? (await client.query<Counts>(text, [owner])).rows
      : await database.query<Counts>(text, [owner])
    const { own = 0, all = 0 } = rows[0] ?? {}
    if (own >= plansPerAccountMax)
      throw fail('bad_request', {
        message: `There are ${own} plans, and at most ${plansPerAccountMax} may be saved. Those that were retired in the last ${retiredDays} days count. Change one of them instead.`,
      })
    if (all >= plansInAllMax)
      throw fail('bad_request', {
        message: `This gateway keeps at most ${plansInAllMax} plans, and has so many. Send the steps to run-plan instead.`,
      })
  }

  /** The plan that another one would replace, and what differs. */
  async function replaced(
    plan: SavedPlan,
    over: number | 'any' | undefined,
    client: ClientBase | undefined,
  ) {
    const before = await documents.find(planId(plan), client)
    const current = before?.document.retired === undefined ? before?.revision : undefined
    if (over !== 'any' && over !== current) throw stale(plan.name, over, current)
    if (before === undefined) await requireRoom(plan, client)
    else requirePriceKind(before.document, plan.price.kind)
    return { current, differences: current ? differencesOf(before?.document, plan) : [] }
  }

  return {
    list: (owner) =>
      documents
        .current()
        .filter(
          ({ document }) =>
            document.account_id === (owner ?? null) && document.retired === undefined,
        ),
    find,
    revisions: async (owner, name) => {
      await find(owner, name)
      return await documents.revisions(idOf(owner, name))
    },
    async findRevision(owner, name, revision) {
      const found = await documents.findRevision(idOf(owner, name), revision)
      if (found === undefined)
        throw fail('not_found', { message: `Revision ${revision} of ${name} is not kept.` })
      const { savedAt } = (await documents.revisions(idOf(owner, name))).find(
        (each) => each.revision === revision,
      ) ?? { savedAt: new Date(0) }
      return { name: idOf(owner, name), document: found, revision, savedAt }
    },
    check(plan) {
      const unkept = whyUnkept(plan)
      if (unkept !== undefined) throw fail('bad_request', { message: unkept })
      checkPrice(plan)
      checkInputSchema(plan.input)
      const { warnings } = examine.open(plan, planId(plan))
      checkExample(actionOf(plan), plan)
      return warnings
    },
    soldBelow: (plan) => soldBelow(plan, examine),
    async save(plan, over, client) {
      const id = planId(plan)
      // Two that save at once must not both find room, or no plan of that name.
      await client.query(`select pg_advisory_xact_lock(hashtextextended('saved plans', 0))`)
      const { current, differences } = await replaced(plan, over, client)
      if (current !== undefined && differences.length === 0)
        return { id, revision: current, differences }
      return { id, revision: await documents.save(id, plan, client), differences }
    },
    async compare(plan, over) {
      const { differences } = await replaced(plan, over, undefined)
      return { id: planId(plan), differences }
    },
    async retire(owner, name, client) {
      const found = await documents.find(idOf(owner, name), client)
      if (found === undefined || found.document.retired !== undefined) throw missing(name)
      const document = { ...found.document, retired: new Date(clock.now()).toISOString() }
      const revision = await documents.save(found.name, document, client)
      return { ...found, document, revision }
    },
    offers: createOffers(documents, actionOf),
    async forgetOld() {
      await database.query(
        `delete from saved_plan
         where (document ->> 'retired')::timestamptz < now() - $1 * interval '1 day'`,
        [retiredDays],
      )
      await database.query(
        'delete from saved_plan_revision r where not exists (select 1 from saved_plan p where p.name = r.name)',
      )
    },
  }
}

function soldBelow(plan: SavedPlan, { bound }: ExamineSaved): Micros | undefined {
  if (plan.price.kind !== 'fixed') return undefined
  const least = leastCostOf(plan, bound)
  return least > centsToMicros(plan.price.cents) ? least : undefined
}

function createOffers(
  documents: Pick<ReturnType<typeof createVersionedDocuments<SavedPlan>>, 'current' | 'follow'>,
  actionOf: (plan: SavedPlan) => Action,
): SavedPlanOffers {
  /** An action stays the same object until its plan has another revision. */
  let actions: ReadonlyMap<number, Action> = new Map()

  const isListed = ({ document }: StoredPlan) =>
    document.account_id === null && document.retired === undefined
  const namesOf = (listed: boolean) =>
    documents
      .current()
      .filter((plan) => isListed(plan) === listed)
      .map(({ revision }) => revision)
      .toSorted((one, other) => one - other)
      .join()
  const actionAt = ({ revision, document }: StoredPlan) => {
    const known = actions.get(revision) ?? actionOf(document)
    return [revision, known] as const
  }

  return {
    async follow() {
      const before = [namesOf(true), namesOf(false)]
      if (!(await documents.follow())) return { listed: false, unlisted: false }
      actions = new Map(documents.current().map(actionAt))
      return { listed: namesOf(true) !== before[0], unlisted: namesOf(false) !== before[1] }
    },
    published: () =>
      documents
        .current()
        .filter(isListed)
        .flatMap(({ revision }) => actions.get(revision) ?? []),
    unlisted(service) {
      const entries = documents
        .current()
        .filter((plan) => !isListed(plan))
        .flatMap(({ revision, document }) => {
          const action = actions.get(revision)
          return action === undefined ? [] : [entryOf(document, action, service)]
        })
      const byId = new Map(entries.map((entry) => [entry.id, entry]))
      const byOwner = Map.groupBy(
        entries.filter(({ ownerId, action }) => ownerId !== undefined && !action.ended),
        ({ ownerId = '' }) => ownerId,
      )
      return { find: (id) => byId.get(id), of: (accountId) => byOwner.get(accountId) ?? [] }
    },
  }
}

const ownTitle = 'Your plans'

function entryOf(plan: SavedPlan, action: Action, service: Service): CatalogEntry {
  const { account_id: owner } = plan
  const id = owner === null ? publishedService : ownService(owner)
  const provider = { ...service.provider, id, title: ownTitle, actions: [] }
  return {
    id: planId(plan),
    action,
    service: owner === null ? service : { ...service, provider },
    mode: service.mode,
    ...(plan.retired !== undefined && { retired: retiredSentence(plan) }),
    ...(owner !== null && { ownerId: owner }),
  }
}

function stale(name: string, over: number | undefined, current: number | undefined) {
  if (over === undefined)
    return fail('stale_etag', {
      message: `There is a plan ${name} already. Change it by PUT, or choose another name.`,
    })
  return fail('stale_etag', {
    message:
      current === undefined
        ? `There is no plan ${name} any more, and so nothing to change. Save it by POST.`
        : `The plan ${name} has revision ${current} by now, and not ${over}. Nothing was saved. Read it again, then repeat your change.`,
  })
}

/** A fixed price of a caller's own would leave the cost of dear steps to the operator. */
function checkPrice({ account_id: owner, price }: SavedPlan) {
  if (owner === null) return
  if (price.kind === 'sum' && price.margin_percent === 0 && price.margin_cents === 0) return
  throw ownPrice()
}

const ownPrice = () =>
  fail('forbidden', {
    message:
      'Your own plan costs the sum of its steps. Only the operator sets a fixed price or a margin. Leave out price.',
  })

/** Jobs that are under way are charged by the same form of price as they were held by. */
export function requirePriceKind({ name, account_id: owner, price }: SavedPlan, kind: unknown) {
  if (kind === price.kind) return
  if (owner !== null) throw ownPrice()
  throw fail('bad_request', {
    message: `The price of ${name} stays ${price.kind === 'fixed' ? 'fixed' : 'a sum'}, also for ${retiredDays} days after it was retired. Send such a price, or save a plan with another name.`,
  })
}

function checkExample(action: Action, { example }: SavedPlan) {
  try {
    validateCall(action, example)
  } catch (thrown) {
    if (!(thrown instanceof CallError) || thrown.code !== 'bad_request') throw thrown
    const { message } = thrown
    throw fail('bad_request', { message: `The example is not a call that works: ${message}` })
  }
}
