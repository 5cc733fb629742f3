// The names and kinds of a plugin's parts. A misspelt one would be overlooked, and perhaps a spend rule with it.
import type { CallHooks } from '#core/calls/call-hooks.ts'
import { nearestName } from '#core/input/nearest-name.ts'
import type { PluginPage, PluginRoute } from '#core/rooms/plugin-doors.ts'
import type { Plugin } from './plugin.ts'

type Kind = 'text' | 'function' | 'list' | 'object'
type Parts = Readonly<Record<string, Kind>>

const partsOfPlugin = {
  id: 'text',
  settings: 'object',
  providers: 'list',
  rails: 'list',
  schema: 'text',
  hooks: 'function',
  routes: 'function',
  pages: 'list',
} satisfies Record<keyof Plugin, Kind>

const partsOfHooks = {
  beforeCall: 'function',
  afterCall: 'function',
} satisfies Record<keyof CallHooks, Kind>

const partsOfRoute = {
  method: 'text',
  path: 'text',
  answer: 'function',
} satisfies Record<keyof PluginRoute, Kind>

const partsOfPage = {
  name: 'text',
  title: 'text',
  file: 'text',
} satisfies Record<keyof PluginPage, Kind>

/** A sentence, without its capital, for each part that a plugin cannot have. */
export function faultsOfPlugin(plugin: Plugin): string[] {
  const faults = faultsOf(`the plugin ${plugin.id}`, plugin, partsOfPlugin)
  if (faults.length > 0) return faults
  return (plugin.pages ?? []).flatMap((page) =>
    faultsOf(`its page ${page?.name}`, page, partsOfPage, Object.keys(partsOfPage)),
  )
}

/** Throws an Error of one sentence, without its capital. */
export function requireHooks(made: unknown): CallHooks {
  requireNone(faultsOf('its set of hooks', made, partsOfHooks))
  return made as CallHooks
}

/** Throws an Error of one sentence, without its capital. */
export function requireRoutes(made: unknown): readonly PluginRoute[] {
  if (!Array.isArray(made)) throw new Error('its routes must be a list.')
  for (const route of made) {
    const named = `its route ${route?.path}`
    requireNone(faultsOf(named, route, partsOfRoute, Object.keys(partsOfRoute)))
    if (!route.path.startsWith('/'))
      throw new Error(`the path of ${named} must begin with a slash: /${route.path}.`)
  }
  return made
}

function requireNone([fault]: readonly string[]): void {
  if (fault !== undefined) throw new Error(fault)
}

function faultsOf(owner: string, value: unknown, parts: Parts, needed: readonly string[] = []) {
  if (!isOfKind.object(value)) return [`${owner} must be an object.`]
  const names = Object.keys(parts)
  const unknown = Object.keys(value).filter((name) => !names.includes(name))
  return [
    ...unknown.map((name) => `${owner} has no part ${name}. ${hintFor(name, names)}`),
    ...Object.entries(parts).flatMap(([name, kind]) => {
      const part = value[name]
      if (part === undefined ? !needed.includes(name) : isOfKind[kind](part)) return []
      return [`the ${name} of ${owner} must be ${kind === 'object' ? 'an' : 'a'} ${kind}.`]
    }),
  ]
}

function hintFor(name: string, names: readonly string[]): string {
  const meant = nearestName(name, names, 1)
  return meant === undefined ? `It may have: ${names.join(', ')}.` : `Did you mean ${meant}?`
}

const isOfKind = {
  text: (part: unknown) => typeof part === 'string',
  function: (part: unknown) => typeof part === 'function',
  list: (part: unknown) => Array.isArray(part),
  object: (part: unknown): part is Readonly<Record<string, unknown>> =>
    typeof part === 'object' && part !== null,
} satisfies Record<Kind, (part: unknown) => boolean>
