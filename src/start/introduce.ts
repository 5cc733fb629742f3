import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { hashApiKey } from '#accounts/keys/api-key.ts'
import { centsToMicros } from '#core/money.ts'
import type { App } from '../app.ts'
import type { Config } from '../config.ts'
import { shellWord } from './shell-word.ts'

const firstCreditCents = 1_000
const firstLinkLifetimeSeconds = 86_400
const ownerOnly = 0o600

/**
 * The text that a start prints. Secrets are printed only to a terminal, since other output ends up in logs. The key of
 * the first account is in a file too.
 */
export async function introduce(
  app: App,
  options: { config: Config; baseUrl: string; isTerminal: boolean },
): Promise<string> {
  const { config, baseUrl } = options
  const isFirst = (await app.accounts.count()) === 0
  const opensStarter = isFirst && config.STARTER_ACCOUNT === 'on'
  const starter = opensStarter ? await openStarterAccount(app) : undefined
  return `
Tollway listens at ${baseUrl}

${describeRails(app)}${describeOperatorDoor(app)}
  admin token   ${describeAdminToken(app, { ...options, isFirst })}
${isFirst ? await describeSignIn(app, starter, options) : ''}${starter === undefined ? '' : await describeStarter(starter, options)}
`
}

const labelWidth = 14

function describeRails({ rails }: App): string {
  const lines = rails.report().map(({ title, off }) => {
    const state = off === undefined ? 'on: wallets can pay' : `off: ${off}`
    return `  ${title.padEnd(labelWidth)}${state}`
  })
  return lines.join('\n')
}

function describeOperatorDoor({ operatorUrl }: App): string {
  const url = operatorUrl()
  return url === undefined ? '' : `\n  ${'operator'.padEnd(labelWidth)}at ${url} only`
}

async function openStarterAccount({ accounts, keys, ledger }: App): Promise<string> {
  const { accountId } = await accounts.create({ name: 'First account' })
  const credit = centsToMicros(firstCreditCents)
  await ledger.credit(accountId, credit, 'Local credit of the first account')
  return (await keys.create({ accountId }, { name: 'First key' })).secret
}

const inDataDir = ({ DATA_DIR }: Config, name: string) => path.join(DATA_DIR, name)

/** A generated token is shown once: on a terminal, at the first start. */
function describeAdminToken(
  { adminToken }: App,
  { config, isFirst, isTerminal }: { config: Config; isFirst: boolean; isTerminal: boolean },
): string {
  if (config.ADMIN_TOKEN !== undefined) return 'the value of ADMIN_TOKEN'
  return isFirst && isTerminal ? adminToken : `in ${inDataDir(config, 'admin-token')}`
}

/** The operator's first way in with a browser. With a starter account the link signs in to it too. */
async function describeSignIn(
  { signIns, operatorUrl }: App,
  starterKey: string | undefined,
  { config, baseUrl, isTerminal }: Parameters<typeof introduce>[1],
): Promise<string> {
  const keyHash = starterKey === undefined ? undefined : hashApiKey(starterKey)
  const link = await signIns.issueLink({ isOperator: true, keyHash }, firstLinkLifetimeSeconds)
  const url = `${operatorUrl() ?? baseUrl}/sign-in/${link}?next=/console`
  const linkFile = inDataDir(config, 'sign-in-link')
  if (!isTerminal) await writeFile(linkFile, `${url}\n`, { mode: ownerOnly })
  return `  sign in       ${isTerminal ? url : `by the link in ${linkFile}`}   (works once, for a day, as the operator)\n`
}

async function describeStarter(
  starterKey: string,
  { config, baseUrl, isTerminal }: Parameters<typeof introduce>[1],
): Promise<string> {
  const keyFile = inDataDir(config, 'starter-key')
  await writeFile(keyFile, `${starterKey}\n`, { mode: ownerOnly })
  const readKey = `$(cat ${shellWord(keyFile)})`
  const key = isTerminal ? `${starterKey}   (also in ${keyFile})` : `in ${keyFile}`
  const action = `${config.OWN_NS}/onescrape`
  const page = `${baseUrl}/docs/use`
  return `  API key       ${key}
                Its account has ${firstCreditCents}¢ of local credit; STARTER_ACCOUNT=off creates no account.

Read a page, for 2¢:

  curl ${baseUrl}/api/run/${action} -H "authorization: Bearer ${readKey}" -d '{"urls":["${page}"]}'

The same by the command, in another terminal of this folder:

  TOLLWAY_URL=${baseUrl} TOLLWAY_KEY="${readKey}" ${commandName} run ${action} --urls ${page}
`
}

/** Only the sources end in .ts. */
const commandName = import.meta.filename.endsWith('.ts') ? 'npm run tollway --' : 'npx tollway'
