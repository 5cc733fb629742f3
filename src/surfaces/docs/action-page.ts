// The page of an action: what it does, its price on this gateway, its parameters, and a call with its answer.
import { type CatalogEntry, describeAction, inputSchemaOf } from '#core/catalog.ts'
import { describePrice, type RailTerms } from '#core/pricing/describe-price.ts'
import type { RecordedAnswer } from './answers.ts'
import { codeBlock, plain, table } from './markdown.ts'
import { snippetsOf } from './snippets.ts'

interface Schema {
  readonly type?: string | readonly string[]
  readonly description?: string
  readonly enum?: readonly unknown[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
}

export function actionPage(
  entry: CatalogEntry,
  {
    baseUrl,
    rails,
    answer,
  }: { baseUrl: string; rails: readonly RailTerms[]; answer: RecordedAnswer | undefined },
): string {
  const { id, action, service, mode, reason } = entry
  const { errors } = describeAction(entry, rails)
  const unavailable = mode === 'unavailable' ? ` ${plain(reason ?? '')}` : ''
  return `# ${id}

${plain(action.summary)}

${action.notes === undefined ? '' : `${plain(action.notes)}\n\n`}Price: ${plain(describePrice(action).text)}. Provider: ${plain(service.provider.title)}. On this gateway: ${mode}.${unavailable}

## Parameters

${parametersOf(inputSchemaOf(action) as Schema)}

## Call it

${snippetsOf(entry, baseUrl)}

## Answer

${answer === undefined ? '' : `${answerOf(answer)}\n\n`}The schema of the answer is in [the description of the action](/api/run/${id}).

## Errors

${errors.map(({ error }) => `[${plain(error)}](/docs/errors/${error})`).join(', ')}
`
}

const introductions = {
  recorded: 'The `data` of the provider’s recorded reply to this call:',
  docs: 'The `data` of a reply that the provider’s documentation gives:',
  gateway: 'The `data` of a gateway’s answer to this call:',
} as const

function answerOf({ origin, input, output }: RecordedAnswer): string {
  const call =
    input === undefined ? [] : ['Another call:', codeBlock('json', JSON.stringify(input))]
  const shown = codeBlock('json', JSON.stringify(output, null, 2))
  return [...call, introductions[origin], shown].join('\n\n')
}

function parametersOf({ properties = {}, required = [] }: Schema): string {
  const rows = Object.entries(properties).map(([name, schema]) => [
    required.includes(name) ? `**${plain(name)}**` : plain(name),
    plain(typeOf(schema)),
    plain(schema.description ?? ''),
  ])
  if (rows.length === 0) return 'None. Send `{}`.'
  return `Required ones are bold.\n\n${table(['Name', 'Type', 'What it is'], rows)}`
}

function typeOf({ type, enum: values }: Schema): string {
  if (values !== undefined) return values.map((value) => JSON.stringify(value)).join(', ')
  return type === undefined ? 'see its schema' : [type].flat().join(' or ')
}
