// An MCP server of an operator over HTTP, which answers each request by itself, as JSON.
import { once } from 'node:events'
import { createServer } from 'node:http'
import { afterAll, beforeAll } from 'vitest'
import { portOf } from '#platform/http/port.ts'

export interface ToolServer {
  readonly url: string
  /** The names of the tools that were called. */
  readonly called: string[]
  /** What the next calls answer. */
  answer: object
}

const schema = { type: 'object', properties: { name: { type: 'string' } } }
const tools = [
  { name: 'write_note', description: 'Write a note.', inputSchema: schema },
  {
    name: 'read_note',
    description: 'Read a note.',
    inputSchema: schema,
    annotations: { readOnlyHint: true },
  },
]

interface Message {
  readonly id?: number
  readonly method: string
  readonly params?: { readonly protocolVersion?: string; readonly name?: string }
}

export function shareToolServer(): () => ToolServer {
  const state: ToolServer = { url: '', called: [], answer: {} }
  function resultOf({ method, params }: Message): object {
    if (method === 'initialize')
      return {
        protocolVersion: params?.protocolVersion,
        capabilities: { tools: {} },
        serverInfo: { name: 'notes', version: '1' },
      }
    if (method === 'tools/list') return { tools }
    if (method !== 'tools/call') return {}
    state.called.push(params?.name ?? '')
    return state.answer
  }
  const server = createServer(async (request, response) => {
    if (request.method !== 'POST') return void response.writeHead(405).end()
    let text = ''
    for await (const chunk of request.setEncoding('utf8')) text += chunk
    const message: Message = JSON.parse(text)
    if (message.id === undefined) return void response.writeHead(202).end()
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ jsonrpc: '2.0', id: message.id, result: resultOf(message) }))
  })
  beforeAll(async () => {
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    Object.assign(state, { url: `http://127.0.0.1:${portOf(server)}/mcp` })
  })
  afterAll(() => {
    server.closeAllConnections()
    server.close()
  })
  return () => state
}
