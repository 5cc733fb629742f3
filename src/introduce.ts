import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { centsToMicros } from '#core/money.ts'
import type { App } from './app.ts'
import type { Config } from './config.ts'

const firstCreditCents = 1_000
const ownerOnly = 0o600

/** What a start prints. Secrets are for the person at a terminal; what is printed elsewhere is kept in somebody's log. */
export async function introduce(
  app: App,
  options: { config: Config; baseUrl: string; isTerminal: boolean },
): Promise<string> {
  const { config, baseUrl } = options
  const starter = config.STARTER_ACCOUNT === 'on' ? await openStarterAccount(app) : undefined
  return `
Tollway listens at ${baseUrl}

  x402          ${describeRail(app, 'x402', missing(config, ['X402_RPC_URL', 'X402_PAY_TO']))}
  MPP           ${describeRail(app, 'mpp', missing(config, ['MPP_RPC_URL', 'MPP_RECIPIENT']))}
${starter === undefined ? '' : await describeStarter(app, starter, options)}
`
}

function describeRail({ rails }: App, id: 'x402' | 'mpp', missing: string): string {
  if (rails.open.has(id)) return 'on: wallets can pay'
  return `off: ${rails.closed.get(id)?.join(' ') ?? missing}`
}

function missing(config: Config, names: readonly (keyof Config)[]): string {
  const unset = names.filter((name) => config[name] === undefined)
  return unset.length === 0 ? 'see the log' : `${unset.join(' and ')} not set`
}

async function openStarterAccount({ accounts, keys, ledger }: App): Promise<string | undefined> {
  if ((await accounts.count()) > 0) return undefined
  const { accountId } = await accounts.create({ name: 'First account' })
  const credit = centsToMicros(firstCreditCents)
  await ledger.credit(accountId, credit, 'Local credit of the first account')
  return (await keys.create({ accountId }, { name: 'First key' })).secret
}

async function describeStarter(
  { adminToken }: App,
  starterKey: string,
  { config, baseUrl, isTerminal }: Parameters<typeof introduce>[1],
): Promise<string> {
  const inDataDir = (name: string) => path.join(config.DATA_DIR, name)
  const keyFile = inDataDir('starter-key')
  if (!isTerminal) await writeFile(keyFile, `${starterKey}\n`, { mode: ownerOnly })
  const token =
    config.ADMIN_TOKEN !== undefined
      ? 'that of ADMIN_TOKEN'
      : isTerminal
        ? adminToken
        : `in ${inDataDir('admin-token')}`
  const key = isTerminal ? `${starterKey}   (shown only now)` : `in ${keyFile}`
  const sent = isTerminal ? starterKey : `$(cat ${keyFile})`
  return `  admin token   ${token}
  API key       ${key}
                Its account has ${firstCreditCents}¢ of local credit; STARTER_ACCOUNT=off opens none.

Read a page, for 2¢:

  curl ${baseUrl}/api/run/${config.OWN_NS}/onescrape -H "authorization: Bearer ${sent}" -d '{"urls":["${baseUrl}/docs/use"]}'
`
}
