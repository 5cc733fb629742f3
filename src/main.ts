import path from 'node:path'
import { baseUrlName, credentialNames } from '#core/provider.ts'
import { type App, createApp } from './app.ts'
import { type Config, readConfig } from './config.ts'
import { readEnvironmentFile } from './environment-file.ts'
import { introduce } from './introduce.ts'
import { createLog } from './log.ts'
import { preflight } from './preflight.ts'
import { loadPrivateProviders } from './private-providers.ts'
import { misspeltSettings } from './setting-names.ts'
import { explainStartFailure } from './start-failure.ts'

const closeTimeoutMs = 20_000
const closers: (() => Promise<unknown>)[] = []
let config: Config | undefined
let fileNames: readonly string[] = []

try {
  fileNames = loadEnvFile()
  config = readConfig(process.env)
  await start(config)
} catch (error) {
  await stop(error)
}

async function start(config: Config): Promise<void> {
  await preflight(config)
  const log = createLog(config.LOG_LEVEL, process.stderr.isTTY === true)
  const app = await createApp({
    config,
    log,
    closers,
    consoleFolder: path.join(import.meta.dirname, '../console/dist'),
    privateProviders: await loadPrivateProviders(config.TOLLWAY_PROVIDERS),
    onFatal(error) {
      log.error({ err: error }, 'The gateway cannot continue.')
      process.exit(1)
    },
  })
  for (const sentence of misspelt(app)) log.warn({}, sentence)
  const baseUrl = await app.listen()
  const isTerminal = process.stdout.isTTY === true
  process.stdout.write(await introduce(app, { config, baseUrl, isTerminal }))

  let stopping = false
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      // A second signal stops without waiting.
      if (stopping) process.exit(1)
      stopping = true
      log.info({ signal }, 'Stopping once the running calls have ended.')
      app.close().then(
        () => process.exit(0),
        (error) => {
          log.error({ err: error }, 'The gateway did not stop cleanly.')
          process.exit(1)
        },
      )
    })
  }
}

/** Says why a start failed, and closes what it had opened. */
async function stop(error: unknown): Promise<never> {
  const sentences = [explainStartFailure(error, config), ...misspelt()]
  process.stderr.write(`${sentences.join('\n')}\n`)
  if (process.env.LOG_LEVEL === 'debug') process.stderr.write(`${(error as Error).stack}\n`)
  setTimeout(() => process.exit(1), closeTimeoutMs).unref()
  for (const close of closers.splice(0)) await close().catch(() => {})
  process.exit(1)
}

/** The names that the .env file sets. None without such a file. */
function loadEnvFile(): string[] {
  const names = Object.keys(readEnvironmentFile('.'))
  if (names.length > 0) process.loadEnvFile()
  return names
}

function misspelt(app?: App): string[] {
  return misspeltSettings({
    environment: Object.keys(process.env),
    file: fileNames,
    providerVariables: (app?.catalog.services ?? []).flatMap(({ provider }) => [
      ...credentialNames(provider),
      baseUrlName(provider),
    ]),
  })
}
