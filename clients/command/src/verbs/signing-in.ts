// Verbs by which the command gets the right to spend, and gives it back.
import { TollwayError } from '@tollway/client'
import { askInBrowser, type BrowserAccess, revokeAccess } from '../browser-access.ts'
import { openTollway } from '../connection.ts'
import { amount } from '../meant/amounts.ts'
import { openPage } from '../open-page.ts'
import { errorOf, UsageError } from '../usage-error.ts'
import { defineVerb, type Surroundings } from '../verb.ts'

export const login = defineVerb({
  name: 'login',
  signsIn: true,
  summary: 'Store the key of a gateway, and use this gateway from now on.',
  details:
    'Asks for the API key on a terminal, and reads it from standard input elsewhere. With `--browser` the command needs no key: a page of the gateway opens, on which you sign in and choose what the command may spend. `TOLLWAY_URL`, and `TOLLWAY_KEY` for the gateway that it names, are used instead where they are set.',
  operands: {
    address: {
      about: 'The address of the gateway, or its name. Default: that of `--gateway`.',
      kind: 'optional',
    },
  },
  options: {
    browser: { about: 'Sign in with a browser on this machine.' },
    new: { about: 'Open a new account on the gateway, and store its key.' },
  },
  examples: [
    'login https://gateway.example',
    'login https://gateway.example --browser',
    'login --new',
    'login < key.txt',
  ],
  async run({ options }, surroundings) {
    const { connection, environment, output, input } = surroundings
    // That of the operand, where there is one.
    const { baseUrl, credentials } = connection
    if (options.new && options.browser)
      throw new UsageError('Give `--new` or `--browser`: a new account has a key of its own.')
    const stranger = openTollway({ baseUrl, key: undefined }, environment)
    await requireGateway(stranger)
    const opened = options.new
      ? await stranger.request('POST /api/v1/agents', { body: {} })
      : undefined
    const credential = options.browser
      ? await askHere(baseUrl, surroundings)
      : (opened?.api_key ?? (await readKey(baseUrl, input)))
    const key = typeof credential === 'string' ? credential : credential.accessToken
    const account = await openTollway({ baseUrl, key }, environment).request('GET /api/v1/account')
    const replaced = credentials.of(baseUrl)
    await credentials.save(baseUrl, credential)
    if (typeof replaced === 'object') await giveBack(baseUrl, replaced, surroundings)
    const claim = opened && { claim_url: opened.claim_url }
    output.print({ gateway: baseUrl, account_id: account.account_id, ...claim }, () =>
      [
        `Signed in to ${baseUrl}. ${amount(account.available_cents, account.available_usd)} can be spent.`,
        ...(claim ? [`A person can become the owner of the account once: ${claim.claim_url}`] : []),
      ].join('\n'),
    )
  },
})

/** A key is asked for, and sent, only where a gateway answers. Throws TollwayError. */
async function requireGateway(
  stranger: Pick<Surroundings['connection']['tollway'], 'request'>,
): Promise<void> {
  const { connections } = await stranger.request('GET /api/v1/connections')
  if (!Array.isArray(connections))
    throw new TollwayError('unreadable_answer', {
      status: 200,
      message: 'The answer lists no connections.',
    })
}

async function askHere(
  baseUrl: string,
  { environment, input, output, signal }: Surroundings,
): Promise<BrowserAccess> {
  return await askInBrowser(baseUrl, {
    signal,
    show(page) {
      output.note(`Open this page in a browser on this machine, and allow the access: ${page}`)
      if (input.isTerminal) openPage(page, environment)
    },
  })
}

async function readKey(baseUrl: string, input: Surroundings['input']): Promise<string> {
  const key = input.isTerminal
    ? await input.ask(`API key for ${baseUrl} (\`--browser\` signs in without one): `, {
        isSecret: true,
        instead: 'Give the key on standard input: `tollway login < key.txt`.',
      })
    : (await input.readAll()).toString()
  if (key.trim() !== '') return key.trim()
  throw new UsageError(
    'The key is empty. Give it on standard input: `tollway login < key.txt`, sign in with a browser: `tollway login --browser`, or open an account: `tollway login --new`.',
  )
}

export const logout = defineVerb({
  name: 'logout',
  signsIn: true,
  summary: 'Forget the stored key of the gateway.',
  details:
    'An API key stays valid: `tollway keys revoke` ends one. Access that was given in a browser ends.',
  async run(_, surroundings) {
    const {
      connection: { credentials, baseUrl },
      output,
    } = surroundings
    const forgotten = await credentials.forget(baseUrl)
    const revoked =
      typeof forgotten === 'object' && (await giveBack(baseUrl, forgotten, surroundings))
    output.print({ gateway: baseUrl, forgotten: forgotten !== undefined, revoked }, () => {
      if (forgotten === undefined) return `No key for ${baseUrl} is stored.`
      return revoked
        ? `The access to ${baseUrl} has ended.`
        : `The key for ${baseUrl} is forgotten.`
    })
  },
})

/** False if the gateway could not be asked. */
async function giveBack(
  baseUrl: string,
  access: BrowserAccess,
  { output }: Surroundings,
): Promise<boolean> {
  try {
    await revokeAccess(baseUrl, access)
    return true
  } catch (error) {
    output.note(
      `The earlier access to ${baseUrl} is forgotten here, but still works: ${errorOf(error).message} End it in the console.`,
    )
    return false
  }
}
