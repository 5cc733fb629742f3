// What a plugin is: one package that adds to a gateway without a fork. docs/extend.md shows one.
import type { Provider } from '#core/provider.ts'
import type { Settings } from '#core/settings.ts'
import type { RailDefinition } from '#money/rails/definition.ts'

interface Definition<Declared extends Settings> {
  /** Lower case. The names of its settings begin with it. It never changes. */
  readonly id: string
  /** Declared like those of a room. Each name begins with the id in capitals. */
  readonly settings?: Declared
  /** Services that are sold beside those of the catalog. */
  readonly providers?: readonly Provider[]
  /** Ways to pay. They take payments; only the gateway's own rails buy from sellers, with the operator's wallet. */
  readonly rails?: readonly RailDefinition[]
}

export type Plugin = Definition<Settings>

/** Infers from the declared settings what the functions of the plugin receive. */
export function definePlugin<const Declared extends Settings>(
  definition: Definition<Declared>,
): Plugin {
  return definition
}

/** All that the operator sets for a plugin: its own settings, and those of its rails. */
export const settingsOf = ({ settings = {}, rails = [] }: Plugin): Settings =>
  Object.assign({}, settings, ...rails.map((rail) => rail.settings))
