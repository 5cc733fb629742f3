import { anyObject, type Described, type Method } from './described.ts'

/** The endpoint of MCP clients. The protocol's own documentation describes its messages. */
export const mcpRoute: Record<string, Partial<Record<Method, Described>>> = {
  '/mcp': {
    post: {
      summary:
        'Answer a message of the Model Context Protocol, streamable HTTP, revisions 2026-07-28 and 2025-11-25. An API key is needed for what costs money.',
      body: anyObject,
      answer: anyObject,
      errors: ['bad_request', 'invalid_token', 'forbidden'],
    },
  },
}
