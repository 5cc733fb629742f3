// What two parts of a gateway cannot both be called. Each refusal names the plugin and the name.
import { providers } from '#catalog/providers.ts'
import { baseUrlName, credentialNames } from '#core/provider.ts'
import { paymentRails } from '#money/rails/rails.ts'
import { settings } from '../config.ts'
import { type Plugin, settingsOf } from './plugin.ts'

const pluginId = /^[a-z][a-z0-9_]{1,30}$/

/** Throws an Error of one sentence for the first name that is taken or malformed. */
export function refuseConflicts(
  plugins: readonly { readonly name: string; readonly plugin: Plugin }[],
): void {
  const owners = namesOfGateway()
  for (const { name, plugin } of plugins) {
    const refuse = (why: string) => {
      throw new Error(`TOLLWAY_PLUGINS: ${name} cannot be used: ${why}`)
    }
    if (!pluginId.test(plugin.id))
      refuse(`its id ${plugin.id} must be lower-case letters, digits and _.`)
    for (const taken of namesOf(plugin)) {
      const owner = owners.get(taken)
      if (owner !== undefined) refuse(`${owner} already has the ${taken}.`)
      owners.set(taken, name)
    }
    for (const { id, buying } of plugin.rails ?? [])
      if (buying !== undefined)
        refuse(`its rail ${id} buys from sellers, which only the gateway's own rails may do.`)
    const prefixes = [plugin.id, ...(plugin.rails ?? []).map(({ id }) => id)]
    for (const setting of Object.keys(settingsOf(plugin)))
      if (!prefixes.some((prefix) => setting.startsWith(`${prefix.toUpperCase()}_`)))
        refuse(`the name of its setting ${setting} must begin with ${plugin.id.toUpperCase()}_.`)
  }
}

function namesOfGateway(): Map<string, string> {
  const names = [
    ...providers.flatMap((provider) => [
      `provider ${provider.id}`,
      ...[...credentialNames(provider), baseUrlName(provider)].map((name) => `setting ${name}`),
    ]),
    ...paymentRails.flatMap(namesOfRail),
    ...Object.keys(settings).map((name) => `setting ${name}`),
  ]
  return new Map(names.map((name) => [name, 'the gateway']))
}

function namesOf(plugin: Plugin): string[] {
  return [
    `plugin id ${plugin.id}`,
    ...(plugin.providers ?? []).map(({ id }) => `provider ${id}`),
    ...(plugin.rails ?? []).flatMap(namesOfRail),
    ...Object.keys(settingsOf(plugin)).map((name) => `setting ${name}`),
  ]
}

const namesOfRail = ({ id, payments }: (typeof paymentRails)[number]) => [
  `rail ${id}`,
  ...payments.map(
    ({ name, scheme }) => `payment header ${[name, scheme].filter(Boolean).join(' ')}`,
  ),
]
