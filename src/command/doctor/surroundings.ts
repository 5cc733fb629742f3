// What is around the gateway: its address, its keys, its payment rails and the clock.
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { providers } from '#catalog/providers.ts'
import { membersOf } from '#core/input/members.ts'
import { credentialNames } from '#core/provider.ts'
import { missingSettings, type RailDefinition } from '#money/rails/definition.ts'
import { paymentRails } from '#money/rails/rails.ts'
import type { Plugin } from '#plugins/plugin.ts'
import { preflight } from '#start/preflight.ts'
import { explainStartFailure } from '#start/start-failure.ts'
import type { Config } from '../../config.ts'
import { attention, type Diagnosis, good, problem } from './diagnosis.ts'

const answerTimeoutMs = 3_000

const gatewayAddress = ({ HOST, PORT }: Config) => {
  const host = HOST === '0.0.0.0' || HOST === '::' ? '127.0.0.1' : HOST
  return `http://${host.includes(':') ? `[${host}]` : host}:${PORT}`
}

async function answers(config: Config): Promise<boolean> {
  if (config.PORT === 0) return false
  const signal = AbortSignal.timeout(answerTimeoutMs)
  const reply = await fetch(`${gatewayAddress(config)}/healthz`, { signal }).catch(() => undefined)
  const body = await reply?.json().catch(() => undefined)
  return membersOf(body).ok === true
}

export async function checkAddress(config: Config): Promise<Diagnosis> {
  const subject = 'Address'
  const address = gatewayAddress(config)
  if (await answers(config)) return good(subject, `A gateway answers at ${address}.`)
  try {
    await preflight(config)
    return good(subject, `${address} is free for the gateway.`)
  } catch (error) {
    return problem(
      subject,
      explainStartFailure(error, config),
      '`tollway doctor` again shows whether it is mended.',
    )
  }
}

/** Values are never shown. */
export function checkKeys({ providerVariables }: Config): Diagnosis[] {
  const subject = 'Keys'
  const keyed = providers.filter((provider) => credentialNames(provider).length > 0)
  const names = (provider: (typeof keyed)[number]) =>
    credentialNames(provider).filter((name) => providerVariables.has(name))
  const set = keyed.filter((provider) => names(provider).length > 0)
  const broken = [...providerVariables].filter(
    ([name, value]) => name.endsWith('_API_KEY') && /\s|^['"]|['"]$/.test(value),
  )
  return [
    good(
      subject,
      `${set.length} of ${keyed.length} providers that take a key have one. docs/reference/catalog.md names the others.`,
    ),
    ...broken.map(([name]) =>
      attention(subject, `${name} has spaces or quotation marks.`, 'Set the key alone.'),
    ),
  ]
}

export async function checkRails(
  config: Config,
  dataDir: string,
  plugins: readonly Plugin[],
): Promise<Diagnosis[]> {
  const states = await readRailStates(config, dataDir)
  const rails = [...paymentRails, ...plugins.flatMap((plugin) => plugin.rails ?? [])]
  return rails.map((rail) => checkRail(rail, config, states))
}

type RailStates = Readonly<Record<string, { on: boolean; reasons?: readonly string[] }>>

function checkRail(
  rail: RailDefinition,
  config: Config,
  states: RailStates | undefined,
): Diagnosis {
  const { id, title, requires } = rail
  const unset = missingSettings(requires, config)
  if (unset.length === requires.length)
    return good(title, `It is off: ${unset.join(' and ')} not set.`)
  if (unset.length > 0)
    return attention(
      title,
      `It is off: ${unset.join(' and ')} not set.`,
      `Set ${unset.join(' and ')}.`,
    )
  const state = states?.[id]
  if (state === undefined) return good(title, 'It is set up. The gateway checks it at its start.')
  if (state.on) return good(title, 'It is on: wallets can pay.')
  const reasons = state.reasons?.join(' ') ?? ''
  return problem(title, `It is off: ${reasons}`, 'docs/operate/payments.md explains each reason.')
}

/** What the gateway that runs here says of its rails. Undefined without one. */
async function readRailStates(config: Config, dataDir: string): Promise<RailStates | undefined> {
  if (!(await answers(config))) return undefined
  const file = path.join(dataDir, 'admin-token')
  const token = config.ADMIN_TOKEN ?? (await readFile(file, 'utf8').catch(() => '')).trim()
  const reply = await fetch(`${gatewayAddress(config)}/api/v1/admin/payments`, {
    headers: { authorization: `Bearer ${token}` },
    signal: AbortSignal.timeout(answerTimeoutMs),
  }).catch(() => undefined)
  if (reply?.ok !== true) return undefined
  const { rails }: { rails: RailStates } = await reply.json()
  return rails
}

/** An answer has whole seconds, and takes a moment. */
const clockMsTolerated = 5_000
const clockMsMax = 30_000
const clocksAsked = 3

/** Compares the clock with the Date header of public registries, because payments of wallets are valid for seconds. */
export async function checkClock(
  servers: readonly string[],
  now: () => number = Date.now,
): Promise<Diagnosis> {
  const subject = 'Clock'
  const found = await Promise.any(servers.map((server) => clockOf(server, now))).catch(
    () => undefined,
  )
  if (found === undefined)
    return attention(
      subject,
      'No public server could be reached to compare it with.',
      'Check the network, unless this machine has no access to the internet on purpose.',
    )
  const seconds = Math.round(Math.abs(found.aheadMs) / 1_000)
  if (seconds * 1_000 <= clockMsTolerated) return good(subject, 'It is right.')
  const says = `It is ${seconds} s ${found.aheadMs > 0 ? 'ahead of' : 'behind'} ${found.host}.`
  const fix = 'Synchronize it: timedatectl set-ntp true.'
  return seconds * 1_000 > clockMsMax ? problem(subject, says, fix) : attention(subject, says, fix)
}

/** Servers of providers that need no key. */
export const publicServers = (): readonly string[] =>
  providers
    .flatMap(({ upstream }) =>
      upstream !== undefined && upstream.credential === undefined ? [upstream.baseUrl] : [],
    )
    .filter((address) => URL.canParse(address) && !address.includes('{'))
    .slice(0, clocksAsked)

async function clockOf(server: string, now: () => number) {
  const sentMs = now()
  const signal = AbortSignal.timeout(answerTimeoutMs)
  const { headers } = await fetch(server, { method: 'HEAD', signal })
  const theirsMs = Date.parse(headers.get('date') ?? '')
  if (Number.isNaN(theirsMs)) throw new Error(`${server} does not say its time.`)
  return { aheadMs: (sentMs + now()) / 2 - theirsMs, host: new URL(server).host }
}
