// Starts the gateway of the working directory: reads its settings, opens it, listens, and stops it cleanly.
import path from 'node:path'
import { providers as ofCatalog } from '#catalog/providers.ts'
import { errorOf } from '#core/errors.ts'
import type { Provider } from '#core/provider.ts'
import { createLog } from '#platform/log/log.ts'
import { openOpenTelemetry } from '#platform/telemetry/collector.ts'
import { loadPlugins } from '#plugins/load-plugins.ts'
import { settingsOf } from '#plugins/plugin.ts'
import { loadEnvironmentFile } from '#start/environment-file.ts'
import { introduce } from '#start/introduce.ts'
import { preflight } from '#start/preflight.ts'
import { misspeltSettings, type SettingNames } from '#start/setting-names.ts'
import { explainStartFailure } from '#start/start-failure.ts'
import { endAtOnce, endFailedStart, stopOnSignals } from '#start/stop.ts'
import packageJson from '../package.json' with { type: 'json' }
import { createApp } from './app.ts'
import { type Config, readConfig } from './config.ts'

const { stdout, stderr } = process
const closers: (() => Promise<unknown>)[] = []
const names: SettingNames = { environment: Object.keys(process.env), file: [], ofPlugins: [] }
let providers: readonly Provider[] = ofCatalog
let config: Config | undefined

try {
  names.file = loadEnvironmentFile()
  if (process.env.TOLLWAY_PLUGINS) names.ofPlugins = undefined
  const plugins = await loadPlugins(readConfig(process.env))
  names.ofPlugins = plugins.map(settingsOf)
  providers = [...ofCatalog, ...plugins.flatMap((plugin) => plugin.providers ?? [])]
  config = readConfig(process.env, names.ofPlugins)
  await preflight(config)
  const collector = await openOpenTelemetry(config, packageJson.version)
  if (collector !== undefined) closers.push(collector.close)
  const log = createLog(config.LOG_LEVEL, stderr.isTTY === true, collector?.takeLine)
  const consoleFolder = path.join(import.meta.dirname, '../console/dist')
  const onFatal = endAtOnce(log)
  const app = await createApp({
    config,
    log,
    traces: collector?.telemetry,
    closers,
    consoleFolder,
    plugins,
    onFatal,
  })
  providers = app.catalog.services.map(({ provider }) => provider)
  for (const sentence of misspeltSettings(names, providers)) log.warn({}, sentence)
  const baseUrl = await app.listen()
  stdout.write(await introduce(app, { config, baseUrl, isTerminal: stdout.isTTY === true }))
  stopOnSignals(app, log)
} catch (error) {
  const sentences = [explainStartFailure(error, config), ...misspeltSettings(names, providers)]
  if (process.env.LOG_LEVEL === 'debug') sentences.push(`${errorOf(error).stack}`)
  await endFailedStart(sentences, closers)
}
