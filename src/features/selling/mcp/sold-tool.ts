// A tool of an MCP server as an action.
import type { RunContext } from '#core/action.ts'
import { membersOf } from '#core/input/members.ts'
import type { DescribedOperation } from '../described-operation.ts'
import { noteFacts } from '../operations/answer.ts'
import type { McpConnection } from './connection.ts'

export type CallTool = (
  operation: Pick<DescribedOperation, 'key'>,
  timeoutMs: number,
  context: Pick<RunContext<unknown>, 'input' | 'signal' | 'report' | 'clock'>,
) => Promise<object>

/**
 * Calls the tool that an operation describes. The data of the action is the tool's own answer: `content`, and
 * `structuredContent` where it has one.
 */
export const toolCaller =
  (connection: () => Pick<McpConnection, 'call'>): CallTool =>
  async ({ key }, timeoutMs, { input, signal, report, clock }) => {
    const sent = membersOf(input)
    const startedAt = clock.now()
    const { content, structuredContent } = await connection().call({
      tool: key,
      arguments: sent,
      signal,
      timeoutMs,
      onProgress: ({ progress, total = 0, message = '' }) =>
        void report?.({ phase: message, done: progress, total }),
    })
    const data = { content, ...(structuredContent && { structuredContent }) }
    const bytes = Buffer.byteLength(JSON.stringify(data))
    noteFacts(data, { bytes, seconds: (clock.now() - startedAt) / 1_000 })
    return data
  }
