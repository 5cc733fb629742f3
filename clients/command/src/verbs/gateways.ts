// Verbs about the names that a person has given to gateways.
import { normalize } from '../connection.ts'
import { didYouMean, nearest } from '../meant/suggestions.ts'
import { listing } from '../render.ts'
import { UsageError } from '../usage-error.ts'
import { defineVerb } from '../verb.ts'

const nameOperand = { about: 'The name of the gateway.' }

export const gateways = defineVerb({
  name: 'gateways',
  signsIn: true,
  summary: 'List the gateways that have names, and whether a key is stored for them.',
  details: 'Every verb takes a name in place of an address: `--gateway NAME`.',
  async run(_, { connection: { baseUrl, credentials }, output }) {
    const rows = Object.entries(credentials.gateways).map(([name, address]) => ({
      name,
      address,
      has_key: credentials.of(address) !== undefined,
      in_use: address === baseUrl,
    }))
    output.print({ gateways: rows }, () =>
      listing(
        ['NAME', 'ADDRESS', 'KEY', 'IN USE'],
        rows.map(({ name, address, has_key, in_use }) => [
          name,
          address,
          has_key ? 'stored' : 'none',
          in_use ? 'yes' : '',
        ]),
        'No gateway has a name. `tollway gateways add NAME URL` gives it one.',
      ),
    )
  },
})

export const addGateway = defineVerb({
  name: 'gateways add',
  signsIn: true,
  summary: 'Give a gateway a name, which stands for its address from then on.',
  operands: { name: nameOperand, url: { about: 'Its address.' } },
  examples: ['gateways add work https://gateway.example', 'balance --gateway work'],
  async run({ operands: { name, url } }, { connection: { credentials }, output }) {
    if (!/^[A-Za-z][\w-]*$/.test(name))
      throw new UsageError(
        `"${name}" cannot be a name: it begins with a letter, and has letters, digits, - and _ only.`,
      )
    const address = normalize(url)
    await credentials.nameGateway(name, address)
    output.print({ name, address }, () => `${name} is ${address}.`)
    if (credentials.of(address) === undefined)
      output.note(`\`tollway login ${name}\` stores a key for it.`)
  },
})

export const useGateway = defineVerb({
  name: 'gateways use',
  signsIn: true,
  summary: 'Use this gateway from now on, where neither `--gateway` nor `TOLLWAY_URL` names one.',
  operands: { name: nameOperand },
  async run({ operands: { name } }, { connection: { credentials }, environment, output }) {
    const address = known(name, credentials.gateways)
    await credentials.use(address)
    output.print({ name, address }, () => `${name} (${address}) is used from now on.`)
    if (environment.TOLLWAY_URL)
      output.note('TOLLWAY_URL is set, and goes before it. Unset it to use this gateway.')
  },
})

export const removeGateway = defineVerb({
  name: 'gateways remove',
  signsIn: true,
  summary: 'Remove the name of a gateway. A stored key stays: `tollway logout` forgets it.',
  operands: { name: nameOperand },
  async run({ operands: { name } }, { connection: { credentials }, output }) {
    const address = known(name, credentials.gateways)
    await credentials.nameGateway(name, undefined)
    output.print({ name, address }, () => `${name} is removed.`)
  },
})

function known(name: string, named: Readonly<Record<string, string>>): string {
  const address = Object.hasOwn(named, name) ? named[name] : undefined
  if (address !== undefined) return address
  if (name.includes('/'))
    throw new UsageError(
      `"${name}" is an address, and not a name. Give it one: \`tollway gateways add NAME ${name}\`.`,
    )
  const suggestion = didYouMean(nearest(name, Object.keys(named)))
  throw new UsageError(
    `No gateway is called "${name}".${suggestion} \`tollway gateways\` lists the names.`,
  )
}
