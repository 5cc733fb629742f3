// The Messages API with the search that the gateway sells.
import type { AccountCaller } from '#core/caller.ts'
import type { Chat } from '../chat.ts'
import type { DescribeHosted, HostedKind } from '../conversation/hosted-calls.ts'
import type { ChatCall, ChatReply } from '../held-chat.ts'
import { openHostedSearch } from '../surface/messages/hosted-search.ts'
import { messagesSurface } from '../surface/messages/messages.ts'
import { readMessages } from '../surface/messages/request.ts'
import { offersSearch } from '../surface/messages/search-tool.ts'
import { openCallTools } from './hosted-rounds.ts'
import type { HostedTools } from './hosted-tools.ts'

export interface Messages {
  /** Throws a CallError if there is no answer. Nothing is charged then. */
  run(call: Omit<ChatCall, 'surface' | 'tools'>): Promise<ChatReply>
  /** What the model is told of the tools that the body offers and the gateway runs for this caller. */
  describeFor(caller: AccountCaller | undefined, body: unknown): Promise<DescribeHosted>
}

export function createMessages({
  chat,
  hosted,
}: {
  readonly chat: Chat
  readonly hosted: HostedTools
}): Messages {
  async function describeFor(caller: AccountCaller | undefined, body: unknown) {
    if (caller === undefined || !offersSearch(body)) return () => undefined
    const offered = await hosted.offered(caller)
    return (kind: HostedKind) => (offered.has(kind) ? hosted.describe(kind) : undefined)
  }

  return {
    describeFor,
    async run(call) {
      const { body, caller } = call
      const plain = () => chat.run({ ...call, surface: messagesSurface })
      if (caller === undefined || !offersSearch(body)) return await plain()
      const asked = readMessages(body, await describeFor(caller, body))
      if (asked.search === undefined) return await plain()
      const { surface, rounds } = openHostedSearch(asked, asked.search)
      const tools = await openCallTools(hosted, rounds, caller)
      return await chat.run({ ...call, surface, tools })
    },
  }
}
