// What two parts of a gateway cannot both be called. Each refusal names the plugin or the module, and the name.
import { providers } from '#catalog/providers.ts'
import { splitId } from '#core/catalog.ts'
import { modelActions } from '#core/model-router.ts'
import { publishedService } from '#core/plan.ts'
import { baseUrlName, credentialNames } from '#core/provider.ts'
import { paymentRails } from '#money/rails/rails.ts'
import { settings } from '../config.ts'
import { faultsOfPlugin } from './parts.ts'
import { type Plugin, settingsOf } from './plugin.ts'

const pluginId = /^[a-z][a-z0-9_]{1,30}$/

/** A plugin, or the providers of a module. */
export interface Added {
  readonly setting: 'TOLLWAY_PLUGINS' | 'TOLLWAY_PROVIDERS'
  /** As the operator names it. */
  readonly name: string
  readonly plugin: Plugin
}

/** Throws an Error of one sentence for the first name that is taken or malformed. */
export function refuseConflicts(added: readonly Added[], ownNamespace: string): void {
  const owners = new Map(namesOfGateway(ownNamespace).map((name) => [name, 'the gateway']))
  const refuse = ({ setting, name }: Added, why: string) => {
    throw new Error(`${setting}: ${name} cannot be used: ${why}`)
  }
  const refuseTaken = (one: Added, taken: string) => {
    const owner = owners.get(taken)
    if (owner !== undefined) refuse(one, `${owner} already has the ${taken}.`)
  }
  for (const one of added) {
    const { setting, name, plugin } = one
    const isPlugin = setting === 'TOLLWAY_PLUGINS'
    if (isPlugin) for (const why of faultsOfPlugin(plugin)) refuse(one, why)
    if (isPlugin) for (const why of malformed(plugin)) refuse(one, why)
    for (const taken of [...(isPlugin ? [`plugin id ${plugin.id}`] : []), ...namesOf(plugin)]) {
      refuseTaken(one, taken)
      owners.set(taken, name)
    }
  }
  // Providers may share the key of a vendor. A setting would hide it from them.
  const declared = new Set([
    ...Object.keys(settings),
    ...added.flatMap(({ plugin }) => Object.keys(settingsOf(plugin))),
  ])
  for (const one of added)
    for (const alias of aliasesOf(one.plugin))
      if (declared.has(alias)) refuseTaken(one, `setting ${alias}`)
}

function malformed(plugin: Plugin): string[] {
  const { id, rails = [] } = plugin
  const prefixes = [id, ...rails.map((rail) => rail.id)].map((name) => `${name.toUpperCase()}_`)
  const strange = Object.keys(settingsOf(plugin)).filter(
    (setting) => !prefixes.some((prefix) => setting.startsWith(prefix)),
  )
  return [
    ...(pluginId.test(id) ? [] : [`its id ${id} must be lower-case letters, digits and _.`]),
    ...rails
      .filter(({ buying }) => buying !== undefined)
      .map(
        (rail) =>
          `its rail ${rail.id} buys from sellers, which only the gateway's own rails may do.`,
      ),
    ...strange.map(
      (setting) => `the name of its setting ${setting} must begin with ${id.toUpperCase()}_.`,
    ),
  ]
}

function namesOfGateway(ownNamespace: string): string[] {
  const itself = { id: '', settings, providers, rails: paymentRails }
  return [
    // Of the actions that are in no provider's file.
    `provider ${ownNamespace}`,
    `provider ${publishedService}`,
    `provider ${splitId(modelActions.chat)[0]}`,
    ...namesOf(itself),
    ...aliasesOf(itself).map((name) => `setting ${name}`),
  ]
}

/** What is of one owner alone. */
const namesOf = (plugin: Plugin): string[] => [
  ...(plugin.providers ?? []).map(({ id }) => `provider ${id}`),
  ...(plugin.rails ?? []).flatMap(namesOfRail),
  ...Object.keys(settingsOf(plugin)).map((name) => `setting ${name}`),
  ...(plugin.providers ?? []).flatMap((provider) =>
    [...credentialNames(provider).slice(0, 1), baseUrlName(provider)].map(
      (name) => `setting ${name}`,
    ),
  ),
]

const aliasesOf = ({ providers = [] }: Plugin): string[] =>
  providers.flatMap((provider) => credentialNames(provider).slice(1))

const namesOfRail = ({ id, payments }: (typeof paymentRails)[number]) => [
  `rail ${id}`,
  ...payments.map(
    ({ name, scheme }) => `payment header ${[name, scheme].filter(Boolean).join(' ')}`,
  ),
]
