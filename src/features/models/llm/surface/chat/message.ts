// The message of one choice in the common format, from the events of an answer.
import type { AnswerEvent, ThoughtSeal, WireName } from '../../conversation/answer-event.ts'
import type { ChatFields } from '../../conversation/fields.ts'
import { sealToText } from '../../conversation/seal.ts'

/** The names that clients know for the makers of sealed thoughts. */
const formats: Readonly<Record<WireName, string>> = {
  anthropic: 'anthropic-claude-v1',
  responses: 'openai-responses-v1',
  gemini: 'google-gemini-v1',
  chat: 'unknown',
}

export type EventOfChoice = Exclude<AnswerEvent, { type: 'start' }>

interface Call {
  readonly id: string
  readonly name: string
  readonly kind: 'function' | 'custom'
  text: string
}

export interface MessageOfChoice {
  /** The delta of the event; undefined if it has none. */
  add(event: EventOfChoice): ChatFields | undefined
  whole(): ChatFields
}

export function createMessage(choice: number): MessageOfChoice {
  const texts = { text: '', refusal: '' }
  const thoughts = new Map<number, string>()
  const details: ChatFields[] = []
  const calls: Call[] = []
  let finish = 'stop'

  function addThought(index: number, seal: ThoughtSeal | undefined): ChatFields | undefined {
    if (seal === undefined) return undefined
    const detail = writeDetail(index, thoughts.get(index) ?? '', seal)
    details.push(detail)
    return { reasoning_details: [detail] }
  }
  function addArguments(index: number, text: string): ChatFields | undefined {
    const call = calls[index]
    if (call === undefined) return undefined
    call.text += text
    const piece =
      call.kind === 'custom'
        ? { type: 'custom', custom: { input: text } }
        : { function: { arguments: text } }
    return { tool_calls: [{ index, ...piece }] }
  }

  return {
    add(event) {
      switch (event.type) {
        case 'text':
        case 'refusal':
          texts[event.type] += event.text
          return { [event.type === 'text' ? 'content' : 'refusal']: event.text }
        case 'thought':
          thoughts.set(event.index, (thoughts.get(event.index) ?? '') + event.text)
          return { reasoning_content: event.text }
        case 'thought_end':
          return addThought(event.index, event.seal)
        case 'call': {
          const call = { ...event, text: '' }
          calls[event.index] = call
          return { tool_calls: [{ index: event.index, ...writeCall(call) }] }
        }
        case 'arguments':
          return addArguments(event.index, event.text)
        case 'end':
          finish = event.reason
          return {}
      }
    },
    whole() {
      const says = texts.text !== '' || (calls.length === 0 && texts.refusal === '')
      return {
        index: choice,
        message: {
          role: 'assistant',
          content: says ? texts.text : null,
          refusal: texts.refusal === '' ? null : texts.refusal,
          ...(thoughts.size === 0 ? {} : { reasoning_content: [...thoughts.values()].join('\n') }),
          ...(details.length === 0 ? {} : { reasoning_details: details }),
          ...(calls.length === 0 ? {} : { tool_calls: calls.filter(Boolean).map(writeCall) }),
        },
        logprobs: null,
        finish_reason: finish,
      }
    },
  }
}

function writeCall({ id, name, kind, text }: Call): ChatFields {
  return kind === 'custom'
    ? { id, type: 'custom', custom: { name, input: text } }
    : { id, type: 'function', function: { name, arguments: text } }
}

function writeDetail(index: number, text: string, seal: ThoughtSeal): ChatFields {
  const format = formats[seal.maker]
  return seal.hidden === true
    ? { type: 'reasoning.encrypted', data: sealToText(seal), format, index }
    : { type: 'reasoning.text', text, signature: sealToText(seal), format, index }
}
