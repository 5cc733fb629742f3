import { type AccountCaller, ownerOf } from '#core/caller.ts'
import type { HostedKind } from '../conversation/hosted-calls.ts'
import type { HostedTools } from '../hosted/hosted-tools.ts'
import {
  type ResponsesRequest,
  readLinks,
  readResponsesRequest,
} from '../surface/responses/request.ts'
import { offersHosted } from '../surface/responses/tools.ts'
import { readHistory, resolveReferences } from './history.ts'
import type { KeptResponses } from './kept-responses.ts'

const none: ReadonlySet<HostedKind> = new Set()

/** Reads a body with what it continues and refers to. Throws `bad_request` and `not_found`. */
export type ReadResponsesCall = (call: {
  readonly body: unknown
  /** Undefined: a wallet, of which nothing is kept. */
  readonly caller: AccountCaller | undefined
}) => Promise<ResponsesRequest>

export function createReadRequest({
  kept,
  hosted,
}: {
  readonly kept: KeptResponses
  readonly hosted: HostedTools
}): ReadResponsesCall {
  return async ({ body, caller }) => {
    const links = readLinks(body)
    const owner = caller && ownerOf(caller)
    const history =
      links.previousResponseId === undefined
        ? []
        : await readHistory(kept, owner, links.previousResponseId)
    const items = await resolveReferences(kept, owner, links.items)
    const offered =
      caller !== undefined && offersHosted(links.sent) ? await hosted.offered(caller) : none
    return readResponsesRequest({ ...links, items }, history, (kind) =>
      offered.has(kind) ? hosted.describe(kind) : undefined,
    )
  }
}
