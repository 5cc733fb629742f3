// The tools of an MCP server as an API to be sold, and what becomes of it when the server changes them.
import { CallError, errorOf, fail } from '#core/errors.ts'
import { withDeadline } from '#platform/deadline.ts'
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

/** For connecting and all pages of the list. A program is started first. */
const answerTimeoutMs = 15_000
const programTimeoutMs = 75_000

/** Throws an Error with a sentence for the operator where the server takes too long, and else as `list` does. */
export async function listInTime(
  connection: Pick<McpConnection, 'list'>,
  { program }: Pick<ToolSource, 'program'>,
  timeoutMs: number = program === undefined ? answerTimeoutMs : programTimeoutMs,
): Promise<McpServerList> {
  const what =
    program === undefined
      ? 'the server runs and this is its address'
      : 'the command starts an MCP server'
  const late = (seconds: number) =>
    new Error(`It has not answered within ${seconds} seconds. Check that ${what}, and try again.`)
  return await withDeadline({ timeoutMs, late }, () => connection.list())
}

/** Throws `bad_request` with a sentence for the operator. */
export async function listOrExplain(
  connection: Pick<McpConnection, 'list'>,
  source: Omit<ToolSource, 'private'>,
  timeoutMs?: number,
): Promise<McpServerList> {
  const { address, security, key } = source
  try {
    return await listInTime(connection, source, timeoutMs)
  } catch (thrown) {
    const { message } = errorOf(thrown instanceof CallError ? thrown.cause : thrown)
    const asksForKey = /\b40[13]\b|unauthorized|forbidden/i.test(message)
    const advice =
      asksForKey && (key === undefined || security === 'none')
        ? ' It asks for a key: give it by `"key"`.'
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
