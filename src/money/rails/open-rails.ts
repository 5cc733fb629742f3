// Opens the configured rails and keeps checking them. A rail that fails its own check is off and is tried again: a
// wallet is never challenged to pay where the payment could not be settled.
import type { Log } from '#core/ports.ts'
import type { SelfCheck } from '../chains/chain.ts'
import { moneySettings } from '../settings.ts'
import {
  missingSettings,
  type OpenRail,
  pickSettings,
  type RailDefinition,
  type RailDependencies,
} from './definition.ts'
import type { Rail, RailId } from './rail.ts'

export interface Rails {
  /** Every rail of the list, whether it is set up or not. */
  readonly definitions: ReadonlyMap<RailId, RailDefinition>
  /** The rails that work now, in list order. Only these are offered. */
  readonly open: ReadonlyMap<RailId, Rail>
  /** The rails that have worked at least once. Open payments continue on them even when a later check fails. */
  readonly known: ReadonlyMap<RailId, Rail>
  /** For the operator: why a configured rail is off. */
  readonly closed: ReadonlyMap<RailId, readonly string[]>
  /** Every rail of the list, with a sentence that says why it is off. */
  report(): readonly { readonly title: string; readonly off?: string }[]
  /** Checks every rail, the open ones too. */
  recheck(): Promise<void>
  close(): Promise<void>
}

const recheckIntervalMs = 5_000
/** An open rail can stop working, for example when its gas wallet runs dry; calls would then run without being paid. */
const openRecheckIntervalMs = 60_000

export async function openRails({
  rails: definitions,
  ...dependencies
}: {
  rails: readonly RailDefinition[]
  settings: object
} & Omit<RailDependencies<unknown>, 'settings'>): Promise<Rails> {
  const { settings, log } = dependencies as RailDependencies<Readonly<Record<string, unknown>>>
  const opened: OpenRail[] = []
  for (const { requires, settings: declared, open } of definitions) {
    if (missingSettings(requires, settings).length > 0) continue
    const { UPSTREAM_WALLET_KEY: _, ...shared } = moneySettings
    const own = pickSettings({ ...shared, ...declared }, settings)
    const rail = await open({ ...dependencies, settings: own } as never)
    if (rail !== undefined) opened.push(rail)
  }
  const state = createRailState(opened, log)
  const check = (which: (rail: OpenRail) => boolean) =>
    Promise.all(opened.filter(which).map(async (one) => state.apply(one.rail, await one.check())))
  await check(() => true)

  const isOpen = ({ rail }: OpenRail) => state.open.has(rail.id)
  const timers = [
    setInterval(() => void check((one) => !isOpen(one)), recheckIntervalMs),
    setInterval(() => void check(isOpen), openRecheckIntervalMs),
  ]
  for (const timer of timers) timer.unref()

  return {
    definitions: new Map(definitions.map((definition) => [definition.id, definition])),
    open: state.open,
    known: state.known,
    closed: state.closed,
    report: () =>
      definitions.map(({ id, title, requires }) => {
        if (state.open.has(id)) return { title }
        const unset = missingSettings(requires, settings)
        const reason = unset.length > 0 ? `${unset.join(' and ')} not set` : 'see the log'
        return { title, off: state.closed.get(id)?.join(' ') ?? reason }
      }),
    recheck: async () => void (await check(() => true)),
    async close() {
      for (const timer of timers) clearInterval(timer)
      await Promise.all(opened.map((one) => one.close()))
    },
  }
}

/** Which rails are on, after the checks so far. */
function createRailState(opened: readonly OpenRail[], log: Log) {
  const open = new Map<RailId, Rail>()
  const known = new Map<RailId, Rail>()
  const closed = new Map<RailId, readonly string[]>()
  const warned = new Map<RailId, string>()

  function setOpen(rail: Rail, isOpen: boolean) {
    const ids = new Set(open.keys())
    if (isOpen) ids.add(rail.id)
    else ids.delete(rail.id)
    open.clear()
    for (const one of opened) if (ids.has(one.rail.id)) open.set(one.rail.id, one.rail)
  }

  function warn({ id }: Rail, warnings: readonly string[]) {
    if (warnings.length > 0 && warned.get(id) !== String(warnings))
      log.warn({ rail: id, warnings }, 'A payment rail needs attention.')
    warned.set(id, String(warnings))
  }

  function apply(rail: Rail, { problems, warnings, away }: SelfCheck) {
    // An unreachable node accepts no payment anyway, and closing the rail would delay the payments under way.
    if (away && open.has(rail.id)) return
    warn(rail, warnings)
    setOpen(rail, problems.length === 0)
    if (problems.length === 0) {
      known.set(rail.id, rail)
      closed.delete(rail.id)
      return
    }
    if (String(closed.get(rail.id)) !== String(problems))
      log.error(
        { rail: rail.id, reasons: problems },
        'Operator alert: a payment rail is off until its problems are fixed.',
      )
    closed.set(rail.id, problems)
  }

  return { open, known, closed, apply }
}
