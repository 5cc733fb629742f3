// Loads what the operator adds to the gateway: the plugins of TOLLWAY_PLUGINS, and the modules of TOLLWAY_PROVIDERS,
// each of which is a plugin with providers alone.
import { readFileSync } from 'node:fs'
import { createRequire, findPackageJSON, registerHooks } from 'node:module'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { membersOf } from '#core/input/members.ts'
import type { Clock } from '#core/ports.ts'
import type { Provider } from '#core/provider.ts'
import { systemClock } from '#platform/clock.ts'
import { type Added, refuseConflicts } from './conflicts.ts'
import { messageOf, type Plugin, readyInTime } from './plugin.ts'

interface Chosen {
  readonly TOLLWAY_PLUGINS: readonly string[]
  readonly TOLLWAY_PROVIDERS: readonly string[]
  readonly OWN_NS: string
}

/**
 * A name that starts with `.` or `/` is a path, any other a package. Both are resolved from the folder. Throws an Error
 * of one sentence that names the module.
 */
export async function loadPlugins(
  chosen: Chosen,
  folder = '.',
  clock = systemClock,
): Promise<readonly Plugin[]> {
  registerPlugins()
  const load = <Found>(setting: Added['setting'], what: string, isWanted: Wanted) =>
    Promise.all(
      chosen[setting].map(async (name) => {
        const exported = await loadModule(setting, name, { folder, clock })
        const found = [...new Set(Object.values(exported))].filter(isWanted) as Found[]
        if (found.length === 0) throw new Error(`${setting}: ${name} exports no ${what}.`)
        return { setting, name, found }
      }),
    )
  const modules = await load<Provider>('TOLLWAY_PROVIDERS', 'provider', isProvider)
  const packages = await load<Plugin>('TOLLWAY_PLUGINS', 'plugin', isPlugin)
  const added: readonly Added[] = [
    ...modules.map(({ found, ...of }) => ({ ...of, plugin: { id: of.name, providers: found } })),
    ...packages.flatMap(({ found, ...of }) => found.map((plugin) => ({ ...of, plugin }))),
  ]
  refuseConflicts(added, chosen.OWN_NS)
  return added.map(({ plugin }) => plugin)
}

type Wanted = (value: unknown) => boolean

async function loadModule(
  setting: Added['setting'],
  name: string,
  { folder, clock }: { readonly folder: string; readonly clock: Clock },
): Promise<Module> {
  try {
    return await readyInTime(clock, () => importPlugin(name, path.resolve(folder)))
  } catch (cause) {
    throw new Error(`${setting}: ${name} cannot be loaded: ${messageOf(cause)}`, { cause })
  }
}

type Module = Readonly<Record<string, unknown>>

async function importPlugin(name: string, folder: string): Promise<Module> {
  if (!/^[./]/.test(name) && !path.isAbsolute(name)) {
    // The gateway may be installed where the plugins are, and not in the working directory.
    const finder = [folder, import.meta.dirname].find((from) => isInstalled(name, from)) ?? folder
    return await importFrom(finder, name)
  }
  const found = path.resolve(folder, name)
  const self = readPackage(found)
  if (self.exports !== undefined && self.name !== undefined)
    return await importFrom(found, self.name)
  return await import(pathToFileURL(mainFileOf(found)).href)
}

/** Of a folder, its main module. */
function mainFileOf(found: string): string {
  try {
    return createRequire(found).resolve(found)
  } catch {
    // The import says what is wrong.
    return found
  }
}

function readPackage(folder: string): { name?: string; exports?: unknown } {
  try {
    return JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'))
  } catch {
    return {}
  }
}

const packageIn = (folder: string) => pathToFileURL(path.join(folder, 'package.json'))

function isInstalled(name: string, folder: string): boolean {
  try {
    return findPackageJSON(name, packageIn(folder)) !== undefined
  } catch {
    return false
  }
}

const importsParameter = 'tollway-imports'

/** Imports a package as a module in the folder would: by the conditions of `import`, and from the folder's packages. */
async function importFrom(folder: string, name: string): Promise<Module> {
  const url = packageIn(folder)
  url.searchParams.set(importsParameter, name)
  // The hook below sees the address only if Node itself imports it.
  const text = `export const found = await import(${JSON.stringify(url.href)})`
  const { found } = await import(`data:text/javascript,${encodeURIComponent(text)}`)
  return found
}

let isRegistered = false

/**
 * A plugin that imports `tollway` gets the gateway that loads it, even where a copy is installed beside the plugin. And
 * packages are found from the folder of the operator.
 */
function registerPlugins(): void {
  if (isRegistered) return
  isRegistered = true
  const entry = `../tollway${path.extname(import.meta.filename)}`
  const { href: gateway } = pathToFileURL(path.join(import.meta.dirname, entry))
  registerHooks({
    resolve(specifier, context, next) {
      if (specifier === 'tollway') return { url: gateway, shortCircuit: true }
      if (!specifier.includes(`?${importsParameter}=`)) return next(specifier, context)
      const url = new URL(specifier)
      const name = url.searchParams.get(importsParameter) ?? ''
      url.search = ''
      return next(name, { ...context, parentURL: url.href })
    },
  })
}

function isProvider(value: unknown): boolean {
  const { id, title, actions } = (value ?? {}) as Partial<Provider>
  return typeof id === 'string' && typeof title === 'string' && Array.isArray(actions)
}

/** Each of its parts is optional, so a plugin is what has an id and is neither a provider nor a rail. */
function isPlugin(value: unknown): boolean {
  const { id, title } = membersOf(value)
  return typeof id === 'string' && title === undefined
}
