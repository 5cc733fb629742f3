// Writes an answer as the events of this surface, in their order and with their numbers, or as one response.
import type { CallError } from '#core/errors.ts'
import type { AnswerEvent, EndReason } from '../../conversation/answer-event.ts'
import type { ChatFields } from '../../conversation/fields.ts'
import {
  createHostedCalls,
  type HostedCall,
  type HostedTool,
} from '../../conversation/hosted-calls.ts'
import { toLatin1 } from '../../exchange/sse.ts'
import type { AnswerWriter, Told } from '../surface.ts'
import { writeErrorEvent } from './error-event.ts'
import { refuseCalls, unpaidText, waitsText } from './hosted-items.ts'
import { createOutputItems, type OutputItems } from './output-items.ts'
import {
  describeResponse,
  describeUsage,
  type ResponseFacts,
  type ResponseState,
} from './response-object.ts'
import { showItem } from './shown-items.ts'
import type { CallerName } from './tools.ts'

export interface ResponseWriterOptions {
  readonly facts: ResponseFacts
  readonly names: ReadonlyMap<string, CallerName>
  readonly include: ReadonlySet<string>
  /** The functions that the gateway runs itself. */
  readonly hosted: readonly HostedTool[]
  /** Whether the model was told not to call them. */
  readonly isWithheld: () => boolean
  readonly now: () => number
}

export interface ResponseWriter extends AnswerWriter {
  readonly items: OutputItems
  /** The id of the next item. */
  idOf(prefix: string): string
  /**
   * Ends a round. Returns the calls that the gateway should run before the next one: none if the model was cut, or has
   * also called functions of the caller. Then their items say that they have not run.
   */
  endRound(): readonly HostedCall[]
  /** What has been emitted since the last call (latin1). */
  take(): string
  emit(type: string, fields: ChatFields): void
  /** The complete response as it is kept, with everything that `include` may ask for later. */
  kept(): ChatFields | undefined
}

const incompleteReasons: Partial<Record<EndReason, string>> = {
  length: 'max_output_tokens',
  content_filter: 'content_filter',
}

export function createResponseWriter(options: ResponseWriterOptions): ResponseWriter {
  const { facts, names, include, hosted, isWithheld, now } = options
  const show = (item: ChatFields) => showItem(item, include)
  let begun = false
  let ended: EndReason | undefined
  let complete: Told | undefined
  const hostedCalls = createHostedCalls(hosted, isWithheld)
  const { emit, take } = createEventLines()

  const hex = facts.id.slice(facts.id.indexOf('_') + 1)
  const items = createOutputItems({ hex, names, show, emit })

  const idOf = (prefix: string) => `${prefix}_${hex}_${items.all().length}`

  function begin() {
    if (begun) return
    begun = true
    const response = describeResponse(facts, { status: 'in_progress', output: [] })
    emit('response.created', { response })
    emit('response.in_progress', { response })
  }
  const incompleteReason = () => (ended === undefined ? undefined : incompleteReasons[ended])
  const status = () => (incompleteReason() === undefined ? 'completed' : 'incomplete')
  function stateOf(told: Told, output: readonly ChatFields[]): ResponseState {
    return {
      status: status(),
      output,
      usage: describeUsage(told),
      incompleteReason: incompleteReason(),
      completedAt: status() === 'completed' ? Math.floor(now() / 1_000) : undefined,
    }
  }
  function finish(told: Told): ChatFields {
    complete = told
    // Some upstreams go on after they have told the end.
    items.close(status())
    return describeResponse(facts, stateOf(told, items.all().map(show)))
  }

  return {
    items,
    idOf,
    take,
    emit,
    endRound() {
      const calls = hostedCalls.take()
      if (ended !== 'tool_calls') return []
      if (calls.length > 0) ended = undefined
      return calls
    },
    write(event: AnswerEvent) {
      begin()
      if (event.type === 'end') {
        ended = event.reason
        items.close(status())
        if (ended === 'tool_calls')
          refuseCalls({ items, idOf, emit }, hosted, {
            calls: hostedCalls.takeRefused(),
            why: isWithheld() ? unpaidText : waitsText,
          })
      } else if (!hostedCalls.add(event)) items.add(event)
      else if (event.type === 'call') items.close('completed')
      return take()
    },
    end(told) {
      begin()
      const response = finish(told)
      emit(`response.${response.status}`, { response })
      return take()
    },
    fail(error: CallError) {
      begin()
      items.close('incomplete')
      emit('error', writeErrorEvent(error))
      const output = items.all().map(show)
      const told = { code: failureCode(error.code), message: error.message }
      emit('response.failed', {
        response: describeResponse(facts, { status: 'failed', output, error: told }),
      })
      return take()
    },
    whole: (told) => JSON.stringify(finish(told)),
    kept: () =>
      complete === undefined ? undefined : describeResponse(facts, stateOf(complete, items.all())),
  }
}

/** Events with their numbers, which wait until they are taken. */
function createEventLines(): Pick<ResponseWriter, 'emit' | 'take'> {
  let sequence = 0
  let waiting = ''
  return {
    emit(type, fields) {
      const event = JSON.stringify({ type, sequence_number: sequence, ...fields })
      waiting += `event: ${type}\ndata: ${toLatin1(event)}\n\n`
      sequence += 1
    },
    take() {
      const events = waiting
      waiting = ''
      return events
    },
  }
}

/** Clients know these words; agents repeat a turn that failed with the first. */
const vendorCodes: Readonly<Record<string, string>> = {
  rate_limited: 'rate_limit_exceeded',
  content_policy_violation: 'invalid_prompt',
  bad_request: 'invalid_prompt',
}

export function failureCode(code: string): string {
  return vendorCodes[code] ?? 'server_error'
}
