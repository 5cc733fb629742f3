// `tollway sell`: shows what would be sold, and sells it once the operator has confirmed.
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { type Routes, TollwayError } from '@tollway/client'
import { commandName, type Surroundings, table, UsageError } from '@tollway/command'
import { asOptions } from './as-options.ts'
import { describeTest, settleKey, storeKey } from './keys.ts'
import { openOperatorGateway, orExplain } from './operator-gateway.ts'
import { type RulesFile, readRulesFile } from './rules-file.ts'
import { exampleOf, showPlan, showWaysToPay } from './show-plan.ts'

export interface SellOptions {
  readonly name: string | undefined
  readonly price: string | undefined
  readonly rules: string | undefined
  readonly key: string | undefined
  readonly auth: string | undefined
  readonly server: string | undefined
  readonly endpoint: boolean
  readonly mcp: boolean
  readonly folder: readonly string[]
  readonly env: readonly string[]
  readonly network: boolean
  readonly private: boolean
  readonly yes: boolean
}

type Request = Routes['POST /api/v1/admin/sold-apis/preview']['body']
const priceWord = /^\d{1,6}(\.\d{1,4})?$/

/** Resolves to an exit code: 1 where the operator does not confirm. Throws UsageError, TollwayError. */
export async function runSell(
  what: { readonly address: string | undefined; readonly command: readonly string[] },
  options: SellOptions,
  surroundings: Surroundings,
): Promise<number> {
  const { input, output } = surroundings
  const { typedIn } = surroundings
  const rules = options.rules === undefined ? undefined : await readRules(options.rules, typedIn)
  const request = await requestOf(what, { ...options, rules: rules?.rules }, typedIn)
  const gateway = await openOperatorGateway(surroundings)
  const { operator } = gateway
  const plan = await orExplain(
    gateway.address,
    operator.request('POST /api/v1/admin/sold-apis/preview', { body: request }),
  ).catch(explainTo(rules))
  if (!output.json) output.write(`${showPlan(plan, output.columns)}\n\n`)
  const isSame = plan.actions.every(({ change }) => change === 'same')
  const offered = plan.actions.filter(({ change }) => change !== 'retired' && change !== 'removed')
  if (!options.yes && !isSame && !(await confirms(input, offered.length))) {
    output.note('Nothing was changed.')
    return 1
  }
  const { name } = plan
  const saved = isSame
    ? undefined
    : await operator
        .request('PUT /api/v1/admin/sold-apis/{name}', {
          path: { name },
          body: { ...request, digest: plan.digest },
        })
        .catch(explainTo(rules))
  const key =
    saved?.tested === undefined
      ? await settleKey(gateway, name, plan.needs_key, options.key)
      : describeTest(saved.tested)
  const [, action = ''] = exampleOf(offered)?.action.split('/') ?? []
  const described = await gateway.stranger.request('GET /api/run/{service}/{action}', {
    path: { service: name, action },
  })
  const { rails } = await operator.request('GET /api/v1/admin/payments')
  const railsOn = Object.entries(rails).flatMap(([rail, { on }]) => (on ? [rail] : []))
  const hasKey = Boolean(surroundings.environment.TOLLWAY_KEY)
  output.print({ ...plan, key }, () =>
    [key, showWaysToPay(gateway, { kind: plan.kind, described, railsOn, hasKey })]
      .filter(Boolean)
      .join('\n\n'),
  )
  return 0
}

async function confirms(input: Surroundings['input'], actions: number): Promise<boolean> {
  const answer = await input.ask(
    `Sell ${actions === 1 ? 'it' : `these ${actions} actions`}? [y/N] `,
    {
      isSecret: false,
      instead: 'Look at the table, and confirm it with --yes.',
    },
  )
  return /^y(es)?$/i.test(answer.trim())
}

async function requestOf(
  { address, command }: Parameters<typeof runSell>[0],
  options: Omit<SellOptions, 'rules'> & { readonly rules: unknown[] | undefined },
  folder: string,
): Promise<Request> {
  const { name, price, rules, server } = options
  if (options.key?.trim() === '')
    throw new UsageError(
      `--key is empty. Leave it out, and give the key afterwards: \`${commandName} sell key NAME\`.`,
    )
  if (price !== undefined && !priceWord.test(price))
    throw new UsageError('--price takes cents for each call, such as 1 or 0.05.')
  const common = {
    ...(name !== undefined && { name }),
    ...(price !== undefined && { price: Number(price) }),
    ...(rules !== undefined && { rules }),
    ...(server !== undefined && { server }),
    ...(options.auth !== undefined && { credential: readAuth(options.auth) }),
    ...(options.private && { private: true }),
    ...(options.endpoint && { kind: 'endpoint' as const }),
    ...(options.mcp && { kind: 'mcp' as const }),
    ...(options.key !== undefined && { key: options.key }),
  }
  if (command.length > 0) {
    if (address !== undefined)
      throw new UsageError('Give an address, or a command after --, and not both.')
    return { program: readProgram(command, options, folder), ...common }
  }
  if (options.folder.length > 0 || options.env.length > 0 || options.network)
    throw new UsageError('--folder, --env and --network belong to a command after --.')
  if (address === undefined)
    throw new UsageError(
      `Say what to sell: \`${commandName} sell https://api.example.com/openapi.json --price 1\`, or a command after --.`,
    )
  if (/^https?:\/\//i.test(address)) return { address, ...common }
  const text = await readFile(path.resolve(folder, address), 'utf8').catch(() => {
    throw new UsageError(
      `${address} is neither an address nor a file. Give one such as https://api.example.com/openapi.json.`,
    )
  })
  const exported = readExported(text)
  return exported === undefined
    ? { description: text, address, ...common }
    : {
        file: exported,
        ...(name !== undefined && { name }),
        ...(options.private && { private: true }),
      }
}

const folderEnd = /:rw$/

/** Words that are paths of the operator's folder become absolute: the box has its own working folder. */
function readProgram(
  command: readonly string[],
  { folder: folders, env, network }: Pick<SellOptions, 'folder' | 'env' | 'network'>,
  folder: string,
): NonNullable<Request['program']> {
  const absolute = (word: string) => path.resolve(folder, word)
  const variables = env.map((text) => {
    const [, name, value] = /^([A-Za-z_]\w*)=(.*)$/s.exec(text) ?? []
    if (name === undefined || value === undefined)
      throw new UsageError('--env takes NAME=VALUE, such as --env LOG_LEVEL=error.')
    return [name, value] as const
  })
  return {
    command: command.map((word) => (/^\.{1,2}(\/|$)/.test(word) ? absolute(word) : word)),
    folders: folders.map((each) => ({
      path: absolute(each.replace(folderEnd, '')),
      may_write: folderEnd.test(each),
    })),
    environment: Object.fromEntries(variables),
    network,
  }
}

function readExported(text: string): Record<string, unknown> | undefined {
  try {
    const value = JSON.parse(text)
    return String(value?.format).startsWith('tollway-sold-api/') ? value : undefined
  } catch {
    return undefined
  }
}

async function readRules(file: string, folder: string): Promise<RulesFile> {
  const text = await readFile(path.resolve(folder, file), 'utf8').catch(() => {
    throw new UsageError(`The file of --rules cannot be read: ${file}.`)
  })
  return readRulesFile(file, text)
}

/** A refusal names options of the command, and of a rule the line in its file. */
const explainTo = (rules: RulesFile | undefined) => (thrown: unknown) => {
  if (thrown instanceof TollwayError) {
    const told = asOptions(thrown.message)
    thrown.message = rules === undefined ? told : rules.withLines(told)
  }
  throw thrown
}

/** `bearer`, `basic`, `header:X-Key`, `query:key` or `cookie:name`. */
function readAuth(text: string): NonNullable<Request['credential']> {
  const [kind, name] = text.split(':')
  if (kind === 'env' && name && /^[A-Za-z_]\w*$/.test(name)) return { kind, name }
  if ((kind === 'bearer' || kind === 'basic') && name === undefined) return { kind }
  if ((kind === 'header' || kind === 'query' || kind === 'cookie') && name) return { kind, name }
  throw new UsageError(
    '--auth takes bearer, basic, header:NAME, query:NAME, cookie:NAME or env:NAME, such as header:X-Api-Key.',
  )
}

export async function runSellKey(
  name: string,
  isTested: boolean,
  surroundings: Surroundings,
): Promise<void> {
  const { input, output } = surroundings
  const gateway = await openOperatorGateway(surroundings)
  const key = input.isTerminal
    ? await input.ask(`The key of ${name}: `, { isSecret: true, instead: 'Pipe it in.' })
    : (await input.readAll()).toString()
  if (key.trim() === '')
    throw new UsageError(
      `The key of ${name} is empty. Type it where it is asked for, or give it in a file: \`${commandName} sell key ${name} < key.txt\`.`,
    )
  const told = await orExplain(
    gateway.address,
    storeKey(gateway, { name, key: key.trim(), isTested }),
  )
  output.print({ provider: name }, () => told)
}

export async function runSellList(surroundings: Surroundings): Promise<void> {
  const gateway = await openOperatorGateway(surroundings)
  const listed = await orExplain(
    gateway.address,
    gateway.operator.request('GET /api/v1/admin/sold-apis'),
  )
  surroundings.output.print(listed, ({ sold_apis: sold }) =>
    sold.length === 0
      ? `Nothing is sold beside the catalog. \`${commandName} sell ADDRESS --price CENTS\` sells an API.`
      : table(
          sold.map(({ name, mode, actions, address }) => [
            name,
            mode ?? 'not sold',
            actions === 1 ? '1 action' : `${actions} actions`,
            address,
          ]),
        )
          .split('\n')
          .flatMap((line, at) => [line, ...(sold[at]?.reason ? [`    ${sold[at].reason}`] : [])])
          .join('\n'),
  )
}

export async function runSellExport(name: string, surroundings: Surroundings): Promise<void> {
  const gateway = await openOperatorGateway(surroundings)
  const file = await orExplain(
    gateway.address,
    gateway.operator.request('GET /api/v1/admin/sold-apis/{name}', { path: { name } }),
  )
  surroundings.output.write(`${JSON.stringify(file, null, 2)}\n`)
}

export async function runSellRemove(
  name: string,
  forget: boolean,
  surroundings: Surroundings,
): Promise<void> {
  const gateway = await openOperatorGateway(surroundings)
  const removed = await orExplain(
    gateway.address,
    gateway.operator.request('DELETE /api/v1/admin/sold-apis/{name}', {
      path: { name },
      query: { forget: forget ? 'true' : 'false' },
    }),
  )
  surroundings.output.print(removed, () =>
    forget
      ? `${name} is forgotten, with its revisions.`
      : `${name} is not sold any more. Its callers read why.`,
  )
}
