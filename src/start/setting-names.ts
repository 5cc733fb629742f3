// A misspelt setting silently does nothing, so the start warns of each.
import { nearestName } from '#core/input/nearest-name.ts'
import { baseUrlName, credentialNames, type Provider } from '#core/provider.ts'
import type { Settings } from '#core/settings.ts'
import { paymentRails } from '#money/rails/rails.ts'
import { settings } from '../config.ts'

const ownPrefixes = [
  ...paymentRails.map(({ id }) => id.toUpperCase()),
  ...['READING', 'INFERENCE', 'CHROMIUM', 'SIGNUP', 'SIGNUPS', 'UPSTREAM_WALLET', 'TOLLWAY'],
]
const beginsAsOurs = (name: string) => ownPrefixes.some((prefix) => name.startsWith(`${prefix}_`))
/** Names for the process and its libraries, not for the gateway. */
const othersInFiles =
  /^(NODE_|NPM_|OTEL_|TZ$|LANG$|LC_|PATH$|HOME$|(HTTPS?|NO)_PROXY$|SSL_CERT_|MPPX_)/i
const secretFile = /(_KEY|_TOKEN|_KEY_PREVIOUS)_FILE$/
const providerVariable = /_(API_KEY|BASE_URL)$/
/** The command and wallets read these. */
const othersInEnvironment = /^(MPPX_|TOLLWAY_(KEY|URL)$)/

export interface SettingNames {
  environment: readonly string[]
  file: readonly string[]
  /**
   * What plugins declare beside the settings of the gateway. Undefined: the plugins could not be loaded, so an unknown
   * name may be theirs.
   */
  ofPlugins: readonly Settings[] | undefined
}

/**
 * A sentence for each name that was probably meant to be a setting: in the file every unknown name, in the environment
 * only one with a prefix of ours or within a typo of a setting. Until the plugins are loaded, only within a typo.
 */
export function misspeltSettings(
  options: Readonly<SettingNames>,
  /** Their variables are known too: NS_SEMANTIC_API_KEY, EXA_API_KEY, ... */
  providers: readonly Provider[],
): string[] {
  const ofProviders = providers.flatMap((provider) => [
    ...credentialNames(provider),
    baseUrlName(provider),
  ])
  const declared = [settings, ...(options.ofPlugins ?? [])].flatMap((some) => Object.keys(some))
  const known = new Set([...declared, ...ofProviders])
  const inFile = new Set(options.file)
  const isKnown = (name: string) =>
    known.has(name) || (secretFile.test(name) && known.has(name.replace(/_FILE$/, '')))

  return [...new Set([...inFile, ...options.environment])].flatMap((name) => {
    if (isKnown(name)) return []
    const nearest = nearestName(name, known, inFile.has(name) ? 1 : 0)
    const suspected = inFile.has(name)
      ? !othersInFiles.test(name) && (nearest !== undefined || !providerVariable.test(name))
      : !othersInEnvironment.test(name) && (nearest !== undefined || beginsAsOurs(name))
    if (!suspected || (nearest === undefined && options.ofPlugins === undefined)) return []
    const where = inFile.has(name) ? 'The .env file' : 'The environment'
    const hint = nearest === undefined ? '' : ` Did you mean ${nearest}?`
    return [`${where} sets ${name}, which is not a setting.${hint}`]
  })
}
