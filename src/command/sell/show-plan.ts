// What `tollway sell` prints: the actions with their prices, what is left out, and how to buy.
import type { Routes } from '@tollway/client'
import { cleanText, commandName, table } from '@tollway/command'
import { shellWord } from '#start/shell-word.ts'
import { asOptions } from './as-options.ts'
import type { OperatorGateway } from './operator-gateway.ts'

export type ShownSale = Routes['POST /api/v1/admin/sold-apis/preview']['answer']

const rowsMax = 60
const leftOutMax = 20
const summaryCharactersMax = 60
/** Less of a summary says nothing, so it gets a line of its own. */
const summaryCharactersMin = 20

const changeWords: Readonly<Record<string, string>> = {
  new: 'new',
  changed: 'changed',
  price: 'other price',
  retired: 'retired',
  removed: 'not sold now',
}

/** `columns`: characters in a line. */
export function showPlan(
  { title, name, actions, left_out, idle_rules, needs_key, new_hosts, canary, warnings }: ShownSale,
  columns: number,
): string {
  const changed = actions.filter(({ change }) => change !== 'same')
  const isFirst = actions.every(({ change }) => change === 'new')
  const shown = (isFirst ? actions : changed).slice(0, rowsMax)
  const rows = shown.map(
    ({ action, price, price_before: before, summary, change, what_changed, is_deprecated }) => ({
      head: [...(isFirst ? [] : [changeWords[change] ?? change]), action],
      price: before === null ? price : `${price}, was ${before}`,
      summary: `${is_deprecated ? 'deprecated: ' : ''}${cleanText(summary)}`,
      whatChanged: what_changed === null ? '' : cleanText(what_changed),
    }),
  )
  const more = (isFirst ? actions : changed).length - shown.length
  return [
    `${cleanText(title)}, sold as ${name}:`,
    '',
    ...(rows.length > 0 ? [showRows(rows, columns)] : ['Nothing has changed since the last time.']),
    ...(more > 0 ? [`and ${more} more. --json lists all.`] : []),
    ...(isFirst || changed.length === actions.length
      ? []
      : [`${countOf(actions.length - changed.length)} unchanged.`]),
    ...(new_hosts.length > 0
      ? [
          '',
          `It calls another host now: ${new_hosts.map(cleanText).join(', ')}.${needs_key ? ` A stored key is forgotten: give the key for it by --key, or by \`${commandName} sell key ${name}\`.` : ''}`,
        ]
      : []),
    ...(left_out.length > 0
      ? ['', `Left out (${left_out.length}):`, ...listLeftOut(left_out)]
      : []),
    `\n${showCanary(canary)}`,
    ...idle_rules.map((rule) => `\nThe price rule for ${rule} matches nothing.`),
    ...warnings.map((warning) => `\n${cleanText(warning)}`),
  ].join('\n')
}

interface Row {
  readonly head: readonly string[]
  readonly price: string
  readonly summary: string
  /** Empty where nothing has changed besides the price. */
  readonly whatChanged: string
}

/** A line for each, or three where one would be too long for the terminal, and one more for what has changed. */
function showRows(rows: readonly Row[], columns: number): string {
  const shown = ({ whatChanged }: Row) =>
    whatChanged === '' ? [] : [`    ${shorten(whatChanged, columns - 4)}`]
  const heads = rows.map(({ head, price }) => [...head, price])
  const widest = Math.max(
    ...table(heads)
      .split('\n')
      .map(({ length }) => length),
  )
  const left = columns - widest - 2
  if (left < summaryCharactersMin)
    return rows
      .flatMap((row) => [
        row.head.join('  '),
        `    ${row.price}`,
        `    ${shorten(row.summary, columns - 4)}`,
        ...shown(row),
      ])
      .join('\n')
  const charactersMax = Math.min(left, summaryCharactersMax)
  const lines = table(
    rows.map(({ head, price, summary }) => [...head, price, shorten(summary, charactersMax)]),
  ).split('\n')
  return rows.flatMap((row, at) => [lines[at] ?? '', ...shown(row)]).join('\n')
}

const showCanary = (canary: string | null) =>
  canary === null
    ? 'No canary checks it, because nothing of it is known to read only. Mark an action by "canary": true in its price rule.'
    : `Its canary asks ${canary}.`

const countOf = (actions: number) => (actions === 1 ? '1 action is' : `${actions} actions are`)

function listLeftOut(leftOut: ShownSale['left_out']): readonly string[] {
  const lines = leftOut
    .slice(0, leftOutMax)
    .map(
      ({ where, line, why }) =>
        `  ${cleanText(where)}${line === undefined ? '' : ` (line ${line})`}: ${asOptions(cleanText(why))}`,
    )
  const more = leftOut.length - lines.length
  return more > 0 ? [...lines, `  and ${more} more. --json lists all.`] : lines
}

function shorten(text: string, charactersMax: number): string {
  const characters = [...text]
  return characters.length > charactersMax
    ? `${characters.slice(0, charactersMax - 1).join('')}…`
    : text
}

/** The action by which it is shown how to buy: one that costs something, where one does. */
export const exampleOf = (offered: ShownSale['actions']) =>
  offered.find(({ price }) => price !== 'free') ?? offered[0]

type Described = Routes['GET /api/run/{service}/{action}']['answer']

interface Sale {
  readonly kind: string
  readonly described: Described
  /** The payment rails of the gateway that are on. */
  readonly railsOn: readonly string[]
  /** Whether the shell has the key of an account. */
  readonly hasKey: boolean
}

/** One command for each way to pay. */
export function showWaysToPay(
  { address, starterKeyFile }: Pick<OperatorGateway, 'address' | 'starterKeyFile'>,
  { kind, described, railsOn, hasKey }: Sale,
): string {
  const { service, action, example } = described
  const body = JSON.stringify(example.input).replaceAll("'", String.raw`'\''`)
  const url = `${address}/api/run/${service}/${action}`
  const post = `-H 'content-type: application/json' -d '${body}'`
  return [
    'Buy it:',
    ...(hasKey ? [] : [`  first, once:      ${showKey(starterKeyFile)}`]),
    `  with an API key:  curl ${url} -H "authorization: Bearer $TOLLWAY_KEY" ${post}`,
    `  by the command:   ${commandName} run ${service}/${action} --body '${body}'`,
    `  with a wallet:    ${showWallets(described, `curl -i ${url} ${post}`, railsOn)}`,
    ...(kind === 'endpoint'
      ? [
          `  as it is:         curl ${address}/sell/${service} -H "authorization: Bearer $TOLLWAY_KEY"`,
        ]
      : []),
  ].join('\n')
}

/** A shell has no key before it is set. */
const showKey = (starterKeyFile: string | undefined) =>
  starterKeyFile === undefined
    ? `export TOLLWAY_KEY=KEY   # of an account: ${commandName} login --new, and then ${commandName} keys create`
    : `export TOLLWAY_KEY="$(cat ${shellWord(starterKeyFile)})"`

function showWallets({ price }: Described, ask: string, railsOn: readonly string[]): string {
  const payers = price.protocols.flatMap(Object.entries).map(([rail, { scheme }]) =>
    scheme === undefined
      ? `any ${rail} client`
      : // The only scheme that clients must name is the one for caps.
        `an ${rail} client with the scheme ${scheme}, whose wallet has approved Permit2 for the token,`,
  )
  if (payers.length > 0) return `${ask}   # 402: ${payers.join(' or ')} pays it`
  if (price.amount === free) return 'it is free, so none is needed'
  return railsOn.length === 0
    ? 'set X402_PAY_TO or MPP_RECIPIENT, and wallets pay without an account'
    : `not at this price: it is known only after the call, and ${railsOn.join(' and ')} takes an amount that is known before`
}

const free = '0.000000'
