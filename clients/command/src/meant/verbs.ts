// Which verb is meant where the words name none: `create key`, `keys delete ID`, `show balance`.

import type { Verb } from '../verb.ts'
import { nearest } from './suggestions.ts'

/** Words for the same doing, in this program and in others. */
const doings: readonly (readonly string[])[] = [
  'delete remove rm del destroy revoke close end stop kill drop forget disable'.split(' '),
  'create new add make open generate issue upload put push store start'.split(' '),
  'show get view describe info inspect read status retrieve'.split(' '),
  'download get pull fetch cat save'.split(' '),
  'use switch select set activate default'.split(' '),
  'run exec execute call invoke'.split(' '),
]
const listing = new Set('list ls all index show get view print see my check status'.split(' '))

/** Words for the same things. */
const things: Readonly<Record<string, string>> = {
  'api-key': 'keys',
  'api-keys': 'keys',
  apikey: 'keys',
  apikeys: 'keys',
  token: 'keys',
  tokens: 'keys',
  account: 'whoami',
  auth: 'whoami',
  call: 'transactions',
  calls: 'transactions',
  payment: 'transactions',
  payments: 'transactions',
  credit: 'balance',
  credits: 'balance',
  catalog: 'actions',
  machine: 'session',
  user: 'whoami',
}

/** Two words of other programs. */
const pairs: Readonly<Record<string, string>> = {
  'auth login': 'login',
  'auth logout': 'logout',
  'auth token': 'keys',
  'config set': 'login',
  'login status': 'whoami',
  'mcp add': 'connect',
  'mcp install': 'connect',
  'open account': 'login --new',
  'create account': 'login --new',
  'new account': 'login --new',
  'set key': 'login',
  'add key': 'login',
  'set gateway': 'gateways use',
  'keys rotate': 'keys create',
}

/**
 * The command that is meant, with the words after the verb. Undefined where the words name a verb of two words already,
 * or nothing that is known.
 */
export function meantCommand(words: readonly string[], verbs: readonly Verb[]): string | undefined {
  const [first = '', second = '', ...rest] = words
  if (first.startsWith('-') || second === '' || second.startsWith('-')) return undefined
  if (verbs.some(({ name }) => name === `${first} ${second}`)) return undefined
  const pair = pairs[`${first} ${second}`]
  if (pair !== undefined) return pair
  const names = verbs.map(({ name }) => name)
  const joblike = cancelled(first, second, rest)
  if (joblike !== undefined) return joblike
  const verb = verbs.find(({ name }) => name === first)
  if (verb?.operands !== undefined && Object.values(verb.operands)[0]?.kind === 'many')
    return undefined
  const meant = named(first, second, names) ?? named(second, first, names)
  if (meant !== undefined) return [meant, ...rest].join(' ').trim()
  // `run discover papers`: one verb too many.
  const inner = verbs.find(({ name }) => name === second)
  return verb !== undefined && inner !== undefined && verb !== inner
    ? [second, ...rest].join(' ')
    : undefined
}

/** Jobs are cancelled by an option. */
function cancelled(first: string, second: string, rest: readonly string[]): string | undefined {
  const isCancel = (word: string) => ['cancel', 'stop', 'kill', 'abort', 'delete'].includes(word)
  if (/^jobs?$/.test(first) && isCancel(second)) return `job ${rest[0] ?? 'ID'} --cancel`
  if (isCancel(first) && /^jobs?$/.test(second)) return `job ${rest[0] ?? 'ID'} --cancel`
  return first === 'cancel' ? `job ${second} --cancel` : undefined
}

/** `keys` and `delete` are `keys revoke`; `keys` and `list` are `keys`. */
function named(thing: string, doing: string, names: readonly string[]): string | undefined {
  const noun = thingOf(thing, names)
  if (noun === undefined) return undefined
  const inner = names.filter((name) => name.startsWith(`${noun} `))
  const seconds = inner.map((name) => name.slice(noun.length + 1))
  const word = doing.toLowerCase()
  const alike = doings
    .filter((group) => group.includes(word))
    .flatMap((group) => seconds.filter((each) => group.includes(each)))
  const found =
    seconds.find((each) => each === word) ??
    alike[0] ??
    (listing.has(word) ? (seconds.find((each) => each === 'list') ?? '') : nearest(word, seconds))
  if (found === undefined) return undefined
  return `${noun} ${found}`.trim()
}

/** A verb that lists things or shows one, by its name in the singular or the plural. */
function thingOf(word: string, names: readonly string[]): string | undefined {
  const lower = word.toLowerCase()
  const known = (Object.hasOwn(things, lower) ? things[lower] : undefined) ?? lower
  const isThing = (name: string) =>
    name.endsWith('s') || ['whoami', 'balance', 'session', 'sell'].includes(name)
  return [known, `${known}s`, known.replace(/s$/, '')].find(
    (name) => isThing(name) && names.includes(name),
  )
}
