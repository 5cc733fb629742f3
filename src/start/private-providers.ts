// Providers from outside the repository: the modules that TOLLWAY_PROVIDERS names.
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Provider } from '#core/provider.ts'

/**
 * Loads every provider that the modules export. A name that starts with `.` or `/` is a path from the working
 * directory, any other a package. Throws an Error of one sentence for a module that cannot be loaded, or exports no
 * provider.
 */
export async function loadPrivateProviders(
  modules: readonly string[],
): Promise<readonly Provider[]> {
  const loaded = await Promise.all(modules.map(loadModule))
  return loaded.flatMap((exported, at) => {
    const providers = Object.values(exported).filter(isProvider)
    if (providers.length === 0)
      throw new Error(`TOLLWAY_PROVIDERS: ${modules[at]} exports no provider.`)
    return providers
  })
}

async function loadModule(name: string): Promise<Readonly<Record<string, unknown>>> {
  const isPath = /^[./]/.test(name) || path.isAbsolute(name)
  try {
    return await import(isPath ? pathToFileURL(path.resolve(name)).href : name)
  } catch (cause) {
    throw new Error(`TOLLWAY_PROVIDERS: ${name} cannot be loaded: ${(cause as Error).message}`, {
      cause,
    })
  }
}

function isProvider(value: unknown): value is Provider {
  const { id, title, actions } = (value ?? {}) as Partial<Provider>
  return typeof id === 'string' && typeof title === 'string' && Array.isArray(actions)
}
