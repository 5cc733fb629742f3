// Verbs that find actions.

import { actionOperand, type Described, describe } from '../describe.ts'
import { optionOf, type Schema, typesOf } from '../fields.ts'
import { wholeNumber } from '../meant/amounts.ts'
import type { Output } from '../output.ts'
import { listing, table } from '../render.ts'
import { UsageError } from '../usage-error.ts'
import { defineVerb } from '../verb.ts'

interface Hit {
  readonly service: string
  readonly action: string
  readonly summary: string
  readonly price: string
  readonly mode: string
  readonly weak: boolean
}

export const discover = defineVerb({
  name: 'discover',
  summary: 'Find the actions that answer a question. Free, without a key too.',
  operands: { question: { about: 'The question, in plain words.', kind: 'many' } },
  options: { limit: { about: 'How many actions to show at most.', value: 'COUNT' } },
  examples: ['discover who raised money last week'],
  async run({ operands, options }, { connection, output, signal }) {
    const limit = wholeNumber('limit', options.limit, 1)
    const question = operands.question.join(' ').trim()
    if (question === '')
      throw new UsageError(
        'The question is empty. Ask in plain words: `tollway discover who raised money last week`.',
      )
    const hits = await connection.tollway.discover(question, {
      signal,
      ...(limit === undefined ? {} : { limit }),
    })
    output.print({ hits }, () => hits.map((hit) => showHit(hit, output)).join('\n\n'))
    if (hits.length === 0) output.note('No action answers this. Ask in other words.')
  },
})

function showHit({ service, action, summary, price, mode, weak }: Hit, { style }: Output): string {
  const state = mode === 'unavailable' ? style('yellow', '  unavailable on this gateway') : ''
  const guess = weak ? style('dim', '  a guess') : ''
  return `${style('bold', `${service}/${action}`)}  ${price}${state}${guess}\n  ${summary}`
}

export const actions = defineVerb({
  name: 'actions',
  summary: 'List all actions of the gateway.',
  options: { names: { about: 'Print the names only, one on each line.' } },
  examples: ['actions --names'],
  async run({ options }, { connection, output }) {
    const catalog = await connection.tollway.request('GET /api/run')
    const rows = catalog.actions as unknown as Described[]
    const nameOf = ({ service, action }: Described) => `${service}/${action}`
    output.print(catalog, () =>
      options.names
        ? rows.map(nameOf).join('\n')
        : listing(
            ['ACTION', 'MODE', 'PRICE', 'WHAT IT DOES'],
            rows.map((row) => [nameOf(row), row.mode, row.price.text, row.summary]),
            'This gateway has no actions.',
          ),
    )
  },
})

export const show = defineVerb({
  name: 'show',
  summary: 'Show what an action does, what it costs and which fields it takes.',
  operands: { action: actionOperand },
  examples: ['show tollway/onescrape'],
  async run({ operands }, { connection, output }) {
    const described = await describe(connection, operands.action)
    output.print(described, () => showAction(described, output))
  },
})

function showAction(described: Described, { style }: Output): string {
  const { required = [], properties = {} } = described.input_schema
  const fields = Object.entries(properties).map(([name, field]) => [
    `  ${optionOf(name)}`,
    typeOfField(field),
    required.includes(name) ? 'required' : '',
    field.description ?? '',
  ])
  const name = `${described.service}/${described.action}`
  return [
    `${style('bold', name)}  ${described.price.text}  ${described.mode}`,
    described.summary,
    ...(described.notes === undefined ? [] : [described.notes]),
    ...(described.reason === undefined ? [] : [style('yellow', described.reason)]),
    '',
    table(fields),
    '',
    `Example: tollway run ${name} --body '${JSON.stringify(described.example.input)}'`,
  ].join('\n')
}

function typeOfField(schema: Schema): string {
  if (schema.enum !== undefined) return schema.enum.join('|')
  return [...typesOf(schema)].filter((type) => type !== 'null').join('|') || 'any'
}
