// What a plugin is: one package that adds to a gateway without a fork. docs/extend.md shows one.
import type { CallHooks } from '#core/calls/call-hooks.ts'
import { CallError } from '#core/errors.ts'
import type { Clock, Log } from '#core/ports.ts'
import type { Provider } from '#core/provider.ts'
import type { PluginPage, PluginRoute } from '#core/rooms/plugin-doors.ts'
import type { Settings, SettingValues } from '#core/settings.ts'
import type { RailDefinition } from '#money/rails/definition.ts'
import type { Database } from '#platform/database/database.ts'
import { DeadlineError, withDeadline } from '#platform/deadline.ts'

/** What the functions of a plugin are given. */
export interface PluginContext<Values> {
  /** The values of its own settings. */
  readonly settings: Values
  /** Runs `work` in a transaction in which names without a schema are the plugin's own tables and functions. */
  readonly transaction: Database['transaction']
  readonly clock: Clock
  readonly log: Log
}

interface Definition<Declared extends Settings> {
  /** Lower case. The names of its settings begin with it. It never changes. */
  readonly id: string
  /** Declared like those of a room. Each name begins with the id in capitals. */
  readonly settings?: Declared
  /** Services that are sold beside those of the catalog. */
  readonly providers?: readonly Provider[]
  /** Ways to pay. They take payments; only the gateway's own rails buy from sellers, with the operator's wallet. */
  readonly rails?: readonly RailDefinition[]
  /** A folder with `migrations` and `functions`, as a room has, for a schema of the database of its own. */
  readonly schema?: string
  /** Rules that may refuse calls, and what follows a call. Called once, before the gateway listens. */
  hooks?(context: PluginContext<SettingValues<Declared>>): CallHooks | Promise<CallHooks>
  /** Routes below `/plugins/{id}`, for callers with an account. */
  routes?(
    context: PluginContext<SettingValues<Declared>>,
  ): readonly PluginRoute[] | Promise<readonly PluginRoute[]>
  /** Pages of the console, in its navigation. */
  readonly pages?: readonly PluginPage[]
}

export type Plugin = Definition<Settings>

/** Infers from the declared settings what the functions of the plugin receive. */
export function definePlugin<const Declared extends Settings>(
  definition: Definition<Declared>,
): Plugin {
  return definition as unknown as Plugin
}

/** All that the operator sets for a plugin: its own settings, and those of its rails. */
export const settingsOf = ({ settings = {}, rails = [] }: Plugin): Settings =>
  Object.assign({}, settings, ...rails.map((rail) => rail.settings))

/** Does something for a plugin. Throws an Error that names it; trouble with the gateway's database stays as it is. */
export async function forPlugin<Result>(id: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (thrown) {
    if (thrown instanceof CallError) throw thrown
    throw new Error(`The plugin ${id} cannot be opened: ${messageOf(thrown)}`, { cause: thrown })
  }
}

/** How long a module of a plugin, its hooks and routes, or one of its rails may take to be ready. */
const readyTimeoutMs = 60_000

/** Gives up a promise of a plugin that does not settle: it would hold up the start, or end the process unexplained. */
export async function readyInTime<Result>(
  clock: Clock,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await withDeadline({ timeoutMs: readyTimeoutMs, clock }, work)
  } catch (thrown) {
    if (!(thrown instanceof DeadlineError)) throw thrown
    throw new Error(`It was not ready within ${readyTimeoutMs / 1_000} seconds.`)
  }
}

/** A plugin may throw anything, null too. */
export const messageOf = (thrown: unknown) =>
  thrown instanceof Error ? thrown.message : String(thrown)

/** The rails of a plugin. Their secrets are the plugin's own, so no name that it asks for is one of the gateway's. */
export const railsOf = ({ id, rails = [] }: Plugin): readonly RailDefinition[] =>
  rails.map((rail) => ({
    ...rail,
    open: (dependencies) =>
      forPlugin(id, () =>
        readyInTime(dependencies.clock, () =>
          rail.open({
            ...dependencies,
            secret: (name) => dependencies.secret(`plugin ${id}: ${name}`),
          }),
        ),
      ),
  }))
