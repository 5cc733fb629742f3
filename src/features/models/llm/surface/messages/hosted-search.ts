// Searches of the web in an answer of the Messages API, which the gateway runs itself.
import type { CallError } from '#core/errors.ts'
import type { ChatFields } from '../../conversation/fields.ts'
import type { HostedEnd, HostedRounds } from '../../hosted/hosted-rounds.ts'
import type { Surface } from '../surface.ts'
import { messagesSurface } from './messages.ts'
import type { MessagesRequest } from './request.ts'
import { type SearchFinding, writeFinding } from './searches.ts'
import type { ToolsRead } from './tools.ts'
import { type MessageWriter, openMessageWriter } from './writer.ts'

export function openHostedSearch(
  asked: MessagesRequest,
  search: NonNullable<ToolsRead['search']>,
): { readonly surface: Surface; readonly rounds: HostedRounds } {
  const hosted = [search.tool]
  let isWithheld = false
  let open: MessageWriter | undefined
  let continued: MessageWriter | undefined
  const writer = (): MessageWriter => {
    if (open === undefined) throw new TypeError('A search runs before there is an answer.')
    return open
  }
  const surface: Surface = {
    ...messagesSurface,
    // The blocks of searches are the gateway's own.
    passThrough: undefined,
    readRequest: () => asked.request,
    openWriter(context) {
      open = continued ?? openMessageWriter(context, { hosted, isWithheld: () => isWithheld })
      return open
    },
  }
  const rounds: HostedRounds = {
    hosted,
    callsMax: search.usesMax,
    withhold() {
      isWithheld = true
    },
    endRound() {
      const calls = open?.endRound() ?? []
      if (calls.length > 0) continued = open
      return calls
    },
    begin(_tool, call) {
      const { query, end } = writer().beginSearch(call)
      return { item: { action: { query } }, end: (ended) => end(foundBy(ended)) }
    },
    take: () => writer().take(),
    continued: () => asked.continued(writer().content()),
  }
  return { surface, rounds }
}

function foundBy({ item, error, isUnpaid }: HostedEnd): ChatFields {
  if (isUnpaid === true) return searchError('max_uses_exceeded')
  if (error === undefined) return (item.results as SearchFinding[]).map(writeFinding)
  return error.code === 'not_found' ? [] : searchError(errorCodeOf(error))
}

const searchError = (code: string) => ({ type: 'web_search_tool_result_error', error_code: code })

const errorCodes: Readonly<Record<string, string>> = {
  bad_request: 'invalid_tool_input',
  rate_limited: 'too_many_requests',
}

const errorCodeOf = ({ code }: CallError) => errorCodes[code] ?? 'unavailable'
