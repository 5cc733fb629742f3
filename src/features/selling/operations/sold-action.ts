// An imported operation as an action.
import type { Action, RunContext } from '#core/action.ts'
import { CallError, fail } from '#core/errors.ts'
import { membersOf } from '#core/input/members.ts'
import { centsToMicros } from '#core/money.ts'
import { quotePrice } from '#core/price.ts'
import { type CountedField, checkCounted, isFree } from '#core/pricing/counted-price.ts'
import {
  inputSchema,
  outputSchema,
  type SchemaCompiler,
} from '#platform/json-schema/json-schema.ts'
import type { DescribedOperation, JsonSchema } from '../described-operation.ts'
import type { CallTool } from '../mcp/sold-tool.ts'
import { pricedExample } from '../rules/example.ts'
import { countedFieldOf, priceOf } from '../rules/price.ts'
import type { PriceRule } from '../rules/price-rules.ts'
import { jsonIn, readAnswer } from './answer.ts'
import { answersJsonOnly, dataSchemaOf, valueSchemaOf } from './answer-schema.ts'
import { buildRequest } from './request.ts'

const summaryCharactersMax = 180
const notesCharactersMax = 1_500
const timeoutSecondsDefault = 60

export interface SoldActionParts {
  readonly rule: PriceRule
  readonly definitions: Readonly<Record<string, JsonSchema>>
  readonly inputs: SchemaCompiler
  readonly outputs: SchemaCompiler
  /** Why it is not sold any more. */
  readonly unavailable?: string | undefined
  /** It needs no key, although others of its service do. */
  readonly keyless?: boolean
  /** Calls a tool of an MCP server. */
  readonly callTool?: CallTool | undefined
}

/** Throws Error, with a sentence, for an operation whose example has no price. */
export function soldAction(operation: DescribedOperation, parts: SoldActionParts): Action {
  const { rule, definitions, unavailable, callTool } = parts
  const field = countedFieldOf(rule, operation.input, definitions)
  const price = priceOf(rule, field)
  const example = pricedExample(operation, { rule, field, definitions })
  const data = dataSchemaOf(operation.output, operation.outputTypes, definitions)
  const output = outputSchema(data, definitions, parts.outputs, {
    schema: valueSchemaOf(operation.output, operation.outputTypes, definitions),
    valueIn: jsonIn,
  })
  const action: Action = {
    ...describeOperation(operation),
    ...termsOf(rule, field),
    name: operation.name,
    input: inputSchema(operation.input, definitions, parts.inputs),
    output,
    price,
    example: {
      input: example,
      cents: quotePrice(price, example).micros / centsToMicros(1),
    },
    ...(operation.method === 'GET' &&
      data?.type === 'object' &&
      rule.cache_seconds !== undefined && { cacheSeconds: rule.cache_seconds }),
    ...(unavailable !== undefined && { unavailable, ended: true as const }),
    ...(unavailable === undefined && parts.keyless && { keyless: true as const }),
    ...(callTool && { soldAs: 'tool' as const }),
    ...(callTool && operation.tool && { toolFacts: operation.tool }),
    run: (context) =>
      callTool ? callTool(operation, timeoutOf(rule), context) : ask(operation, rule, context),
  }
  return action
}

/** What a rule says of an action besides its price. */
export function termsOf(
  rule: PriceRule,
  field?: CountedField,
): Pick<Action, 'check' | 'declaredCostUsd' | 'timeoutMs' | 'freeCallsPerDay'> {
  const { per, cost, timeout_seconds: seconds, free_per_day: perDay } = rule
  return {
    ...(per && 'field' in per && { check: checkCounted(per, field) }),
    ...(cost !== undefined && { declaredCostUsd: cost / 100 }),
    ...(seconds !== undefined && { timeoutMs: seconds * 1_000 }),
    ...(perDay !== undefined && !isFree(rule) && { freeCallsPerDay: perDay }),
  }
}

const timeoutOf = ({ timeout_seconds: seconds = timeoutSecondsDefault }: PriceRule) =>
  seconds * 1_000

async function ask(
  operation: DescribedOperation,
  rule: PriceRule,
  { input, http, files, clock }: RunContext<unknown>,
): Promise<object> {
  const request = await buildRequest(operation, membersOf(input), files)
  const startedAt = clock.now()
  const reply = await http
    .send({ ...request, timeoutMs: timeoutOf(rule) })
    .catch((thrown) => Promise.reject(ofUpstream(thrown)))
  const mustBeJson = answersJsonOnly(operation.output, operation.outputTypes)
  return readAnswer(reply, (clock.now() - startedAt) / 1_000, mustBeJson)
}

/** An upstream's refusal must not be read as one of the gateway: its codes for money are only the gateway's. */
function ofUpstream(thrown: unknown): unknown {
  return thrown instanceof CallError && thrown.status === 402
    ? fail('upstream_error', { cause: thrown })
    : thrown
}

function describeOperation(
  operation: DescribedOperation,
): Pick<Action, 'summary' | 'notes' | 'synonyms'> {
  const { title, description, method, path, tags } = operation
  const lead = oneLine(title) || firstSentence(description) || `${method} ${path}`
  const rest = oneLine(description)
  const notes = [
    rest === lead || rest === '' ? '' : rest,
    pageNote(operation),
    operation.deprecated ? 'The API calls this operation deprecated.' : '',
  ].filter((each) => each !== '')
  return {
    summary: endSentence(shorten(lead, summaryCharactersMax)),
    ...(notes.length > 0 && { notes: shorten(notes.join(' '), notesCharactersMax) }),
    synonyms: [...tags.slice(0, 10), `${method} ${path}`],
  }
}

function pageNote({ pagination }: DescribedOperation): string {
  if (pagination === undefined) return ''
  if (pagination.kind === 'cursor')
    return `For the next page, send the value at ${pagination.next} of the answer as ${pagination.field}.`
  if (pagination.kind === 'link') return ''
  return `${pagination.field} chooses the page.`
}

const oneLine = (text: string) =>
  text
    .replaceAll(/[\p{Cc}\p{Cf}]+/gu, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()
const firstSentence = (text: string) =>
  /^.*?[.!?](?=\s|$)/.exec(oneLine(text))?.[0] ?? oneLine(text)
const endSentence = (text: string) => (/[.!?…]$/.test(text) ? text : `${text}.`)

function shorten(text: string, charactersMax: number): string {
  const characters = [...text]
  return characters.length > charactersMax
    ? `${characters
        .slice(0, charactersMax - 1)
        .join('')
        .trimEnd()}…`
    : text
}
