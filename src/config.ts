// The environment, read once into one frozen object: nothing else looks at process.env. Each room declares its own
// settings, which are merged here.
import { z } from 'zod'
import { signUpSettings } from '#accounts/settings.ts'
import { actorSettings, catalogSettings, registrySettings } from '#catalog/lib/settings.ts'
import { asSentence } from '#core/input/sentence.ts'
import type { Settings } from '#core/settings.ts'
import { peopleSettings } from '#features/knowledge/people/settings.ts'
import { consultSettings } from '#features/knowledge/plans/consult/settings.ts'
import { browserSettings } from '#features/machines/browser/settings.ts'
import { computeSettings } from '#features/machines/compute/settings.ts'
import { repositorySettings } from '#features/machines/repositories/settings.ts'
import { inferenceSettings } from '#features/models/llm/settings.ts'
import { fileSettings } from '#features/storage/files/settings.ts'
import { mailSettings } from '#features/storage/mail/settings.ts'
import { filmSettings } from '#features/studio/films/settings.ts'
import { performanceSettings } from '#features/studio/performances/settings.ts'
import { readingSettings } from '#features/web/reading/settings.ts'
import { siteIndexSettings } from '#features/web/site-index/settings.ts'
import { paymentRails } from '#money/rails/rails.ts'
import { moneySettings } from '#money/settings.ts'
import { bucketSettings } from '#platform/blobs/settings.ts'
import { chromiumSettings } from '#platform/chromium/settings.ts'
import { egressSettings } from '#platform/egress/settings.ts'
import { neighbourSettings } from '#platform/neighbours/settings.ts'
import { npmVariablesOf } from '#platform/sandbox/node-packages.ts'
import { withSecretFiles } from '#platform/secret-variables.ts'
import {
  backupSettings,
  databaseSettings,
  logSettings,
  redisSettings,
  sealingSettings,
  signerSettings,
} from '#platform/settings.ts'
import { metricsSettings, openTelemetrySettings } from '#platform/telemetry/settings.ts'
import { cacheSettings, callSettings, canarySettings, jobSettings } from '#runner/settings.ts'
import {
  creditSettings,
  listenSettings,
  operatorSettings,
  originSettings,
  rateSettings,
} from '#surfaces/http/settings.ts'
import { gatewaySettings } from './app/settings.ts'

const { DATA_DIR, OWN_NS, OPERATOR_CONTACT } = gatewaySettings
const { TOLLWAY_PLUGINS, TOLLWAY_PROVIDERS, STARTER_ACCOUNT } = gatewaySettings

/** The settings of all rooms, in the order of the reference page. */
const roomSettings = {
  ...listenSettings,
  DATA_DIR,
  ...databaseSettings,
  ...backupSettings,
  ...redisSettings,
  ...neighbourSettings,
  ...operatorSettings,
  OWN_NS,
  OPERATOR_CONTACT,
  ...registrySettings,
  ...signUpSettings,
  ...rateSettings,
  ...creditSettings,
  ...callSettings,
  ...inferenceSettings,
  ...jobSettings,
  ...filmSettings,
  ...moneySettings,
  ...signerSettings,
  ...sealingSettings,
  ...repositorySettings,
  ...fileSettings,
  ...siteIndexSettings,
  ...bucketSettings,
  ...computeSettings,
  ...mailSettings,
  ...peopleSettings,
  ...consultSettings,
  ...performanceSettings,
  ...canarySettings,
  ...cacheSettings,
  ...egressSettings,
  ...chromiumSettings,
  ...browserSettings,
  ...catalogSettings,
  TOLLWAY_PLUGINS,
  TOLLWAY_PROVIDERS,
  ...actorSettings,
  ...readingSettings,
  ...originSettings,
  STARTER_ACCOUNT,
  ...logSettings,
  ...metricsSettings,
  ...openTelemetrySettings,
} as const

/** Every setting, in the order of the reference page that is generated from it. Empty values count as unset. */
export const settings = settingsWith([])

function settingsWith(ofPlugins: readonly Settings[]): typeof roomSettings {
  return Object.assign({}, roomSettings, ...paymentRails.map((rail) => rail.settings), ...ofPlugins)
}

/** Settings of payment rails and plugins are in it too. Only their owner knows their types, and is given them. */
export type Config = Readonly<z.output<z.ZodObject<typeof roomSettings>>> & {
  /** Everything that is named like a provider's credential or address: `EXA_API_KEY`, `NS_SEMANTIC_BASE_URL`. */
  readonly providerVariables: ReadonlyMap<string, string>
  /** What npm gets of the environment when it installs a package that is sold. */
  readonly npmVariables: Readonly<Record<string, string | undefined>>
}

/** Some vendors call their keys tokens, or put the word first. */
const ofProvider = /_(?:API_KEY|TOKEN|BASE_URL)$|^APIKEY_/

/** Throws an Error with one sentence per setting that is wrong. */
export function readConfig(
  environment: Readonly<Record<string, string | undefined>>,
  ofPlugins: readonly Settings[] = [],
): Config {
  const settings = settingsWith(ofPlugins)
  const set = Object.entries(withSecretFiles(environment)).filter(
    (pair): pair is [string, string] => Boolean(pair[1]),
  )
  const parsed = z
    .object(settings)
    .safeParse(Object.fromEntries(set.filter(([name]) => name in settings)))
  if (!parsed.success) {
    const problems = parsed.error.issues.map(({ path, message }) =>
      asSentence(`${path.join('.')}: ${message}`),
    )
    throw new Error(`The configuration is invalid. ${problems.join(' ')}`)
  }
  const providerVariables = new Map(
    set.filter(([name]) => ofProvider.test(name) && !(name in settings)),
  )
  return Object.freeze({
    ...parsed.data,
    providerVariables,
    npmVariables: npmVariablesOf(environment),
  })
}
