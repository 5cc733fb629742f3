import { type Config, readConfig } from '../config.ts'
import { loadPlugins } from './load-plugins.ts'
import { type Plugin, settingsOf } from './plugin.ts'

/** The configuration with the settings of the plugins that it names. Throws an Error that says what is wrong. */
export async function readPluggedConfig(
  environment: Readonly<Record<string, string | undefined>>,
  /** Where plugins are resolved. Default: the working directory. */
  folder?: string,
): Promise<{ readonly config: Config; readonly plugins: readonly Plugin[] }> {
  const plugins = await loadPlugins(readConfig(environment), folder)
  return { config: readConfig(environment, plugins.map(settingsOf)), plugins }
}
