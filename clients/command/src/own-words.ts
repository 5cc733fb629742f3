// What a gateway says in the words of HTTP, said in the words of this command.
import { TollwayError } from '@tollway/client'

/** Only the sources end in .ts. In a clone npx finds no package. */
const isClone = import.meta.filename.endsWith('.ts')

/** How the command is typed where it runs, and how a gateway is started. */
export const commandName = isClone ? 'npm run tollway --' : 'npx tollway'
export const startCommand = isClone ? 'npm start' : 'npx tollway'

/** The words that start the command as this process was started, since `tollway` may not be on the PATH. */
export function typedName(environment: Readonly<Record<string, string | undefined>>): string {
  const { npm_lifecycle_event: script, npm_lifecycle_script: words = '' } = environment
  if (script === 'tollway') return 'npm run tollway --'
  return script === 'npx' && /^tollway\b/.test(words) ? 'npx tollway' : 'tollway'
}

/** Commands in a text, with the words that start them here. */
export const asTyped = (text: string, name: string) =>
  text.replaceAll(/(`|: )tollway(?= )/g, (_, start: string) => start + name)

/** Addresses that a message tells to call, and the words of the command that do the same. */
const inCommands: readonly (readonly [RegExp, string])[] = [
  [/POST \/api\/v1\/agents\b/g, '`tollway login --new`'],
  [/POST \/api\/v1\/keys\b/g, '`tollway keys create`'],
  [/(?:GET|PATCH|DELETE) \/api\/v1\/keys\b(?:\/\S*\w)?/g, '`tollway keys`'],
  [/GET \/api\/v1\/account\b/g, '`tollway whoami`'],
  [/GET \/api\/v1\/transactions\b(?:\/\S*\w)?/g, '`tollway transactions`'],
  [/GET \/api\/v1\/jobs\b/g, '`tollway jobs`'],
  [/GET \/api\/run\/(?:\{service\}\/\{action\}|[\w-]+\/[\w-]+)/g, '`tollway show ACTION`'],
  [/GET \/api\/run\b/g, '`tollway actions`'],
  [
    /POST \/api\/run\/(?:\{service\}\/\{action\}|[\w-]+\/[\w-]+)\?quote=true/g,
    '`tollway quote ACTION`',
  ],
  [/POST \/api\/run\/(?:\{service\}\/\{action\}|[\w-]+\/[\w-]+)/g, '`tollway run ACTION`'],
  [/POST \/api\/v1\/topups\b/g, '`tollway open`'],
  [/(?:--)?\bmax_cost_cents\b/g, '--max-cost'],
  [/the header Idempotency-Key|\bIdempotency-Key\b/g, '--idempotency-key'],
]

/** Other addresses become whole ones, which a browser opens. */
const otherAddress = /\bGET (\/[\w/.-]*\w)/g

export function inOwnWords(message: string, baseUrl: string): string {
  const said = inCommands.reduce(
    (text, [pattern, words]) => text.replaceAll(pattern, words),
    message,
  )
  return said.replaceAll(otherAddress, `${baseUrl}$1`)
}

/** Fields of a body are options here. */
export const asOptions = (message: string) =>
  message.replaceAll(
    /"(\w+)" is missing\. Send it(?: as ([^.]+))?\./g,
    (_, field: string, kind?: string) =>
      `--${field} is missing.${kind === undefined ? '' : ` Give it as ${kind.replace('an array', 'one value or several')}.`}`,
  )

/** One sentence for an address at which no gateway answers. Undefined for another failure. */
export function noGateway(error: unknown, baseUrl: string): string | undefined {
  // What a gateway always answers with was not there. Without an address, none was asked.
  if (error instanceof TypeError && baseUrl !== '')
    return `This command cannot read what ${baseUrl} has answered. Check that it is a Tollway gateway, and not of a newer version.`
  if (!(error instanceof TollwayError) || error.code !== 'unreadable_answer') return undefined
  const { status = 0 } = error
  return status >= 500
    ? `${baseUrl} answered ${status}, but not as a gateway does: its gateway may be down. Try again later.`
    : `${baseUrl} is not a Tollway gateway. Give the address of one, such as \`--gateway http://127.0.0.1:4020\`.`
}

/** Where the message of the client speaks to programs. `mayHaveRun`: the verb makes calls that cost. */
export function noAnswer(
  error: unknown,
  { baseUrl, mayHaveRun }: { readonly baseUrl: string; readonly mayHaveRun: boolean },
): string | undefined {
  if (!(error instanceof TollwayError) || error.code !== 'connection_failed') return undefined
  const again = mayHaveRun
    ? ' If the call had begun, repeat it with the same --idempotency-key, and it runs once.'
    : ''
  const isPlain = /^https:\/\/(localhost|127\.|\[::1\])/.test(baseUrl)
  const plain = isPlain ? ` Did you mean ${baseUrl.replace('https', 'http')}?` : ''
  return `No answer came from ${baseUrl}.${plain}${again}`
}

/** A call without a key is answered with the challenges of wallets, which this command does not pay. */
export function withoutKey(error: unknown, baseUrl: string): string | undefined {
  if (!(error instanceof TollwayError) || error.code !== 'payment_required') return undefined
  return `The command has no key for ${baseUrl}.`
}

/** The message of the gateway tells how a program sends a key. */
export function unknownKey(
  error: unknown,
  { baseUrl, hasKey }: { readonly baseUrl: string; readonly hasKey: boolean },
): string | undefined {
  if (!(error instanceof TollwayError) || error.code !== 'invalid_token') return undefined
  // An access that was given in a browser tells itself how it ended.
  if (!error.message.includes('API key')) return undefined
  if (!hasKey)
    return `You have no key for this gateway. Sign in with \`tollway login ${baseUrl}\`, or open an account with \`tollway login ${baseUrl} --new\`.`
  return `${baseUrl} does not know this key: it is of another gateway, cut short, or revoked. \`tollway gateways\` lists the gateways, and TOLLWAY_KEY goes before a stored key.`
}

const pageOfGateway = /^\/(docs|console|api|mcp|v1|status|healthz)(\/|$)/

/** The address of a page was given in place of that of its gateway. */
export function pageInstead(error: unknown, baseUrl: string): string | undefined {
  if (!(error instanceof TollwayError) || error.status === undefined) return undefined
  const { pathname, origin } = new URL(baseUrl)
  if (!pageOfGateway.test(pathname)) return undefined
  return `${baseUrl} seems to be a page of a gateway, and not its address. Did you mean ${origin}? Give it by \`--gateway ${origin}\`, or in TOLLWAY_URL.`
}

/** The text with a full stop, unless it ends as a sentence. */
export const asSentence = (text: string) => (/[.!?…]$/.test(text) ? text : `${text}.`)
