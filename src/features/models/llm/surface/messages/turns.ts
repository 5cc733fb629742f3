// The messages of a request, as messages of the common format.
import type { Thought } from '../../conversation/answer-event.ts'
import {
  type ChatFields,
  invalid,
  readBoolean,
  requireShallow,
  shown,
} from '../../conversation/fields.ts'
import { sealFromText } from '../../conversation/seal.ts'
import { plainContent, readBlocks, readPart, readParts } from './blocks.ts'
import { cacheMarkOf, readList, readObject, readString, requireKnown } from './known-fields.ts'

import {
  isSearchCall,
  isSearchResult,
  pendingSearch,
  readSearchCall,
  readSearchResult,
} from './searches.ts'

const messagesMax = 100_000
const idCharactersMax = 256
const userTypes = ['text', 'image', 'document', 'search_result']
const resultTypes = userTypes
/** Blocks that only the vendor's own services can read. */
const vendorBlocks =
  /^(server_tool_use|mcp_|container_upload|compaction|fallback|tool_(addition|removal)|advisor_)|_tool_result$/

/** `search` names the function by which the model searches. Undefined: what it has searched is left out. */
export function readTurns(messages: unknown, search?: string): ChatFields[] {
  const turns = readList('messages', messages, messagesMax)
  if (turns.length === 0) throw invalid('messages', 'messages must have at least one message.')
  return turns.flatMap((turn, place) => {
    const at = `messages.${place}`
    const message = readObject(at, turn)
    requireKnown(at, message, ['role', 'content'], {
      clear_at: 'A system message stays in the conversation.',
      output_config: 'Set output_config for the whole request.',
    })
    switch (message.role) {
      case 'user':
        return readUser(at, message)
      case 'assistant':
        return readAssistant(at, message, search)
      case 'system':
        return [{ role: 'system', content: readSystem(`${at}.content`, message.content) }]
      default:
        throw invalid(`${at}.role`, `${at}.role must be user, assistant or system.`)
    }
  })
}

export function readSystem(at: string, content: unknown): string | readonly ChatFields[] {
  return typeof content === 'string' ? content : plainContent(readParts(at, content, ['text']))
}

/** Results of tools come before what else the user says, since they answer the message before. */
function readUser(at: string, { content }: ChatFields): ChatFields[] {
  if (typeof content === 'string') return [{ role: 'user', content }]
  const results: ChatFields[] = []
  const parts: ChatFields[] = []
  for (const [place, block] of readBlocks(`${at}.content`, content).entries()) {
    const within = `${at}.content.${place}`
    if (block.type === 'tool_result') results.push(readResult(within, block))
    else if (isOfVendor(block)) throw ofTheVendor(within, block)
    else parts.push(...readPart(within, block, userTypes))
  }
  return parts.length === 0 ? results : [...results, { role: 'user', content: plainContent(parts) }]
}

function readResult(at: string, block: ChatFields): ChatFields {
  requireKnown(at, block, ['type', 'tool_use_id', 'content', 'is_error', 'cache_control'], {
    toolset_name: 'Toolsets are not offered here. Describe each tool in tools.',
  })
  const { content } = block
  const parts =
    content == null
      ? ''
      : typeof content === 'string'
        ? content
        : plainContent(readParts(`${at}.content`, content, resultTypes))
  return {
    role: 'tool',
    tool_call_id: readString(`${at}.tool_use_id`, block.tool_use_id, idCharactersMax),
    content: parts,
    ...(readBoolean(`${at}.is_error`, block.is_error) ? { is_error: true } : {}),
    ...cacheMarkOf(at, block),
  }
}

/**
 * A turn that thinks again after it has said something becomes two messages, which keeps the order. So does a turn that
 * goes on after a search.
 */
function readAssistant(
  at: string,
  { content }: ChatFields,
  search: string | undefined,
): ChatFields[] {
  if (typeof content === 'string') return [{ role: 'assistant', content }]
  const replies = [newReply()]
  const last = () => replies.at(-1) as Reply
  const begin = () => replies.push(newReply())
  for (const [place, block] of readBlocks(`${at}.content`, content).entries()) {
    const within = `${at}.content.${place}`
    if (isSearchResult(block)) {
      if (search !== undefined) last().found.push(readFound(within, block, last()))
      continue
    }
    if (last().found.length > 0) begin()
    const thought = readThought(within, block)
    if (thought !== undefined) {
      if (last().parts.length > 0 && last().calls.length === 0) begin()
      last().thoughts.push(thought)
    } else if (block.type === 'tool_use') last().calls.push(readCall(within, block))
    else if (isSearchCall(block)) {
      if (search !== undefined) last().searches.push(readSearchCall(within, block, search))
    } else if (isOfVendor(block)) throw ofTheVendor(within, block)
    else last().parts.push(...readPart(within, block, ['text']))
  }
  return replies.flatMap(writeReply)
}

/** Nothing for a turn of which everything was left out. */
function writeReply({ parts, calls, thoughts, searches, found }: Reply): ChatFields[] {
  const called = [...calls, ...searches]
  if (parts.length + called.length + thoughts.length === 0) return []
  const answered = new Set(found.map(({ tool_call_id: id }) => id))
  const pending = searches.filter(({ id }) => !answered.has(id))
  return [
    {
      role: 'assistant',
      content: parts.length === 0 ? null : plainContent(parts),
      ...(called.length === 0 ? {} : { tool_calls: called }),
      ...(thoughts.length === 0 ? {} : { thoughts }),
    },
    ...found,
    ...pending.map(({ id }) => pendingSearch(id)),
  ]
}

function readFound(at: string, block: ChatFields, { searches }: Reply): ChatFields {
  const found = readSearchResult(at, block)
  if (searches.some(({ id }) => id === found.tool_call_id)) return found
  throw invalid(
    `${at}.tool_use_id`,
    `${at}.tool_use_id names no search before it in the same turn. Send its server_tool_use block, too.`,
  )
}

interface Reply {
  readonly parts: ChatFields[]
  readonly calls: ChatFields[]
  readonly thoughts: Thought[]
  /** Calls of the search, and what they have found. */
  readonly searches: ChatFields[]
  readonly found: ChatFields[]
}

const newReply = (): Reply => ({ parts: [], calls: [], thoughts: [], searches: [], found: [] })

/** Undefined for a block of another type. */
function readThought(at: string, block: ChatFields): Thought | undefined {
  if (block.type === 'redacted_thinking') {
    requireKnown(at, block, ['type', 'data'])
    const seal = sealFromText(readString(`${at}.data`, block.data), 'anthropic')
    return { text: '', seal: { ...seal, hidden: true } }
  }
  if (block.type !== 'thinking') return undefined
  requireKnown(at, block, ['type', 'thinking', 'signature'])
  const text = readString(`${at}.thinking`, block.thinking)
  const signature = readString(`${at}.signature`, block.signature ?? '')
  return signature === '' ? { text } : { text, seal: sealFromText(signature, 'anthropic') }
}

function readCall(at: string, block: ChatFields): ChatFields {
  requireKnown(at, block, ['type', 'id', 'name', 'input', 'cache_control', 'caller'], {
    toolset_name: 'Toolsets are not offered here. Describe each tool in tools.',
  })
  requireShallow(`${at}.input`, block.input)
  const input = readObject(`${at}.input`, block.input)
  if (block.caller != null && block.caller.type !== 'direct')
    throw invalid(`${at}.caller`, `${at}.caller must be direct: no tool calls another one here.`)
  return {
    id: readString(`${at}.id`, block.id, idCharactersMax),
    type: 'function',
    function: {
      name: readString(`${at}.name`, block.name, idCharactersMax),
      arguments: JSON.stringify(input),
    },
    ...cacheMarkOf(at, block),
  }
}

const isOfVendor = ({ type }: ChatFields) => typeof type === 'string' && vendorBlocks.test(type)

const ofTheVendor = (at: string, { type }: ChatFields) =>
  invalid(
    `${at}.type`,
    `${at} is a ${shown(type)} block, which only the vendor's own services can read. Remove it, or write what it says as text.`,
  )
