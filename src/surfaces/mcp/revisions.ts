// Answers a request at the revision of the protocol that it speaks.
import {
  createMcpHandler,
  isLegacyRequest,
  type Server,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server'

/** Answers one request by a server that was made for it. */
export type AnswerRequest = (server: Server, request: Request, body: unknown) => Promise<Response>

export function createAnswerRequest(): AnswerRequest {
  const servers = new WeakMap<Request, Server>()
  const handler = createMcpHandler(({ requestInfo }) => {
    const server = requestInfo && servers.get(requestInfo)
    if (server === undefined) throw new TypeError('No server was made for this request.')
    return server
  })

  return async (server, request, body) => {
    if (!wantsProgress(body) && (await isLegacyRequest(request, body)))
      return await answerWhole(server, request, body)
    servers.set(request, server)
    return await handler.fetch(request, { parsedBody: body })
  }
}

/** Revision 2025-11-25 without an event stream, which the handler would always open. Only progress needs one. */
async function answerWhole(server: Server, request: Request, body: unknown): Promise<Response> {
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true })
  request.signal.addEventListener('abort', () => void server.close(), { once: true })
  await server.connect(transport)
  const response = await transport.handleRequest(request, { parsedBody: body })
  await server.close()
  return response
}

function wantsProgress(body: unknown): boolean {
  const { params } = (body ?? {}) as { params?: { _meta?: { progressToken?: unknown } } }
  return params?._meta?.progressToken !== undefined
}
