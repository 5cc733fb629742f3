// The tools of an MCP server as an API to be sold, and what becomes of it when the server changes them.
import { CallError, fail } from '#core/errors.ts'
import type { DescribedApi, DescribedSecurity, LeftOutPart } from '../described-operation.ts'
import type { McpConnection, McpServerList } from '../mcp/connection.ts'
import { describeTools } from '../mcp/described-tools.ts'
import { securityOf } from '../provider.ts'
import { programServer, type SoldApi, type SoldProgram } from '../sold-api.ts'
import { keepOperations } from './revise.ts'

/** Where a server is, and how it is asked. */
export interface ToolSource {
  readonly address: string
  readonly program?: SoldProgram | undefined
  readonly private: boolean
  readonly security: DescribedSecurity
  /** Undefined: the one that is stored for this name, if it belongs to this server. */
  readonly key?: string | undefined
}

/** An address at which an MCP server is usually found. */
export const looksLikeToolServer = (address: string) =>
  /\/(mcp|sse)\/?$/i.test(URL.parse(address)?.pathname ?? '')

export const serverOf = ({ address, program }: Pick<ToolSource, 'address' | 'program'>) =>
  program === undefined ? address : programServer

/** Throws `bad_request` with a sentence for the operator. */
export async function listOrExplain(
  connection: Pick<McpConnection, 'list'>,
  { address, security, key }: Omit<ToolSource, 'private'>,
): Promise<McpServerList> {
  try {
    return await connection.list()
  } catch (thrown) {
    const { message = '' } = (thrown instanceof CallError ? (thrown.cause ?? {}) : thrown) as Error
    const asksForKey = /\b40[13]\b|unauthorized|forbidden/i.test(message)
    const advice =
      asksForKey && (key === undefined || security === 'none')
        ? ' It asks for a key: give it by `--key`.'
        : ''
    throw fail('bad_request', {
      message: `No MCP server answers at ${address.slice(0, 300)}. ${message}${advice}`.trim(),
      cause: thrown,
    })
  }
}

/** The same import with the tools that its server has now. A new tool is not sold before the operator confirms it. */
export function reviseTools(sold: SoldApi, list: McpServerList, now: Date): SoldApi {
  const security = securityOf(sold)
  const described = describeTools(list, { address: serverOf(sold), security })
  const { operations } = described
  const known = [...sold.api.operations, ...sold.retired.map(({ operation }) => operation)]
  const keys = new Set(known.map(({ key }) => key))
  const news = operations
    .filter(({ key }) => !keys.has(key))
    .map(({ key }) => ({ where: key, why: 'It is new. Run `tollway sell` again to sell it.' }))
  const offered = new Set(list.tools.map(({ name }) => name))
  const api: DescribedApi = {
    ...described,
    operations: operations.filter(({ key }) => keys.has(key)),
    leftOut: joinLeftOut(
      sold.api.leftOut.filter(({ where }) => offered.has(where)),
      [...described.leftOut, ...news],
    ),
  }
  return keepOperations({ ...sold, api, retired: [] }, sold, now)
}

function joinLeftOut(before: readonly LeftOutPart[], now: readonly LeftOutPart[]) {
  const told = new Set(before.map(({ where }) => where))
  return [...before, ...now.filter(({ where }) => !told.has(where))]
}
