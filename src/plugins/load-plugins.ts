// Loads what the operator adds to the gateway: the plugins of TOLLWAY_PLUGINS, and the modules of TOLLWAY_PROVIDERS,
// each of which is a plugin with providers alone.
import { createRequire, registerHooks } from 'node:module'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Provider } from '#core/provider.ts'
import { refuseConflicts } from './conflicts.ts'
import type { Plugin } from './plugin.ts'

interface Chosen {
  readonly TOLLWAY_PLUGINS: readonly string[]
  readonly TOLLWAY_PROVIDERS: readonly string[]
}

/**
 * A name that starts with `.` or `/` is a path, any other a package. Both are resolved from the folder. Throws an Error
 * of one sentence that names the module.
 */
export async function loadPlugins(chosen: Chosen, folder = '.'): Promise<readonly Plugin[]> {
  importThisGateway()
  const load = <Found>(
    setting: keyof Chosen,
    what: string,
    isWanted: (value: unknown) => boolean,
  ) =>
    Promise.all(
      chosen[setting].map(async (name) => {
        const exported = await loadModule(setting, name, folder)
        const found = [...new Set(Object.values(exported))].filter(isWanted) as Found[]
        if (found.length === 0) throw new Error(`${setting}: ${name} exports no ${what}.`)
        return { name, found }
      }),
    )
  const modules = await load<Provider>('TOLLWAY_PROVIDERS', 'provider', isProvider)
  const packages = await load<Plugin>('TOLLWAY_PLUGINS', 'plugin', isPlugin)
  const named = packages.flatMap(({ name, found }) => found.map((plugin) => ({ name, plugin })))
  refuseConflicts(named)
  return [
    ...modules.map(({ name, found }) => ({ id: name, providers: found })),
    ...named.map(({ plugin }) => plugin),
  ]
}

async function loadModule(
  setting: keyof Chosen,
  name: string,
  folder: string,
): Promise<Readonly<Record<string, unknown>>> {
  try {
    return await import(addressOf(name, path.resolve(folder)))
  } catch (cause) {
    throw new Error(`${setting}: ${name} cannot be loaded: ${(cause as Error).message}`, { cause })
  }
}

/** A folder is a package that is not installed. */
function addressOf(name: string, folder: string): string {
  const isPath = /^[./]/.test(name) || path.isAbsolute(name)
  const { resolve } = createRequire(path.join(folder, 'package.json'))
  try {
    return pathToFileURL(resolve(isPath ? path.resolve(folder, name) : name)).href
  } catch {
    // The import says what is wrong. It also finds packages that the gateway itself brings along.
    return isPath ? pathToFileURL(path.resolve(folder, name)).href : name
  }
}

let isRegistered = false

/** A plugin that imports `tollway` gets the gateway that loads it, even where a copy is installed beside the plugin. */
function importThisGateway(): void {
  if (isRegistered) return
  isRegistered = true
  const entry = `../tollway${path.extname(import.meta.filename)}`
  const url = pathToFileURL(path.join(import.meta.dirname, entry)).href
  registerHooks({
    resolve: (specifier, context, next) =>
      specifier === 'tollway' ? { url, shortCircuit: true } : next(specifier, context),
  })
}

function isProvider(value: unknown): boolean {
  const { id, title, actions } = (value ?? {}) as Partial<Provider>
  return typeof id === 'string' && typeof title === 'string' && Array.isArray(actions)
}

/** Each of its parts is optional, so a plugin is what has an id and is neither a provider nor a rail. */
function isPlugin(value: unknown): boolean {
  const { id, title } = (value ?? {}) as Record<string, unknown>
  return typeof id === 'string' && title === undefined
}
