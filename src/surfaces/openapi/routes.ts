// The addresses other than actions: sign-up, top-ups, jobs, files, models and descriptions. Those of accounts, sessions
// and Git are beside this file.
import { z } from '#core/action.ts'
import { mediaTypes } from '#core/media-model.ts'
import { agent, claim } from '../http/routes/sign-up.ts'
import { topUp } from '../http/routes/top-ups.ts'
import { accountRoutes, key } from './account-routes.ts'
import { describedAction, listedCatalog } from './catalog-schemas.ts'
import {
  anyObject,
  type Described,
  integer,
  integerOrNull,
  list,
  type Method,
  object,
  text,
} from './described.ts'
import { gitRoutes } from './git-routes.ts'
import { mcpRoute } from './mcp-route.ts'
import { oauthRoutes } from './oauth-routes.ts'
import { sessionRoutes } from './session-routes.ts'
import { signInRoutes } from './sign-in-routes.ts'

const signature = z.object({ exp: z.string(), sig: z.string() })
const signatureOfKey = signature.extend({ key: z.string().optional() })
const ok = object({ ok: { type: 'boolean' } })
const page = 'text/html'

const chat = {
  type: 'object',
  required: ['model', 'messages'],
  properties: {
    model: { type: 'string', description: 'A model of GET /api/llm/v1/models, or a tier.' },
    messages: list(anyObject),
    max_tokens: integerOrNull,
    stream: { type: 'boolean' },
    max_cost_cents: { type: 'integer', description: 'The most that this call may cost.' },
  },
}

/** By address, as OpenAPI writes it. */
export const routes: Record<string, Partial<Record<Method, Described>>> = {
  '/': { get: { summary: 'A page about this gateway.', type: page } },
  '/llms.txt': {
    get: { summary: 'The documents and actions, for language models.', type: 'text/plain' },
  },
  '/docs': { get: { summary: 'This document as a page.', type: page } },
  '/docs/viewer/{file}': {
    get: { summary: 'A file of that page.', type: 'text/javascript', errors: ['not_found'] },
  },
  '/docs/{path}': {
    get: {
      summary:
        'A document about calling or operating a gateway, an action or an error: `use` is a page, `use.md` its text.',
      type: 'text/plain',
      errors: ['not_found'],
    },
  },
  '/read/{path}': {
    get: {
      summary:
        'Read one page as Markdown: `/read/https://example.org/page?x=1`. The same call as onescrape, at the same price. Errors are text.',
      security: 'apiKey',
      once: true,
      type: 'text/markdown',
      textErrors: true,
      errors: ['bad_url', 'payment_required', 'all_blocked'],
    },
  },
  '/console': {
    get: { summary: 'The web console.', type: page, errors: ['unavailable'] },
  },
  '/console/{path}': {
    get: {
      summary: 'The pages of the console, and their files.',
      type: page,
      errors: ['not_found', 'unavailable'],
    },
  },
  '/healthz': { get: { summary: 'Whether the process answers.', answer: ok } },
  '/readyz': {
    get: { summary: 'Whether the gateway can take calls.', answer: ok, errors: ['unavailable'] },
  },
  '/openapi.json': { get: { summary: 'This document.', answer: anyObject } },
  '/api/run': {
    get: {
      summary: 'List the actions with their prices.',
      answer: listedCatalog,
    },
  },
  '/api/run/{service}/{action}': {
    get: { summary: 'Describe one action.', answer: describedAction, errors: ['not_found'] },
    post: {
      summary: 'Run an action. Each action also has its own path in this document.',
      security: 'apiKey',
      body: anyObject,
      once: true,
      answer: { $ref: '#/components/schemas/Envelope' },
      errors: ['bad_request', 'not_found', 'payment_required', 'upstream_error'],
    },
  },
  '/api/files/{id}': {
    get: {
      summary: 'The content of a file at its signed get_url, with ranges and an ETag.',
      query: signatureOfKey,
      type: 'application/octet-stream',
      errors: ['not_found', 'file_pending'],
    },
    put: {
      summary: 'Send the bytes of a file to its signed put_url.',
      query: signatureOfKey,
      bytes: true,
      answer: { $ref: '#/components/schemas/Envelope' },
      errors: ['bad_request', 'not_found', 'file_already_uploaded', 'payload_too_large'],
    },
  },
  '/api/browsers/{id}/connect': {
    get: {
      summary:
        'The WebSocket of a rented browser (Chrome DevTools Protocol) at its signed connectUrl. Use it with a client such as Playwright or Puppeteer.',
      query: signatureOfKey,
      status: 101,
      errors: ['bad_request', 'invalid_token', 'session_closed', 'session_elsewhere'],
    },
  },
  '/api/browsers/{id}/live': {
    get: {
      summary:
        'A page that shows a rented browser, at its signed liveViewUrl. It controls nothing.',
      query: signatureOfKey,
      type: page,
      errors: ['invalid_token'],
    },
  },
  '/api/browsers/{id}/frames': {
    get: {
      summary: 'The pictures of that page, each in place of the one before it.',
      query: signatureOfKey,
      type: 'multipart/x-mixed-replace',
      errors: ['invalid_token', 'session_closed', 'session_elsewhere', 'too_many_inflight'],
    },
  },
  '/api/catalog': {
    get: {
      summary:
        'List the models of ns_media/generate with their parameters, prices and, where this gateway cannot run one, the reason.',
      answer: object({
        endpoint: text,
        models: list(
          object({
            model: text,
            type: { enum: mediaTypes },
            title: text,
            provider: { enum: ['vendor', 'embedded'] },
            available: { type: 'boolean' },
            async: { type: 'boolean' },
            parameters: anyObject,
            price: anyObject,
            example: anyObject,
            source: text,
            as_of: text,
          }),
        ),
        total: integer,
      }),
    },
  },
  '/api/jobs/{id}': {
    get: {
      summary: 'Poll the job of a wallet at its signed status_url.',
      query: signature.extend({ wait_seconds: z.string().optional() }),
      answer: { $ref: '#/components/schemas/Envelope' },
      errors: ['not_found'],
    },
  },
  ...accountRoutes,
  ...signInRoutes(key),
  ...oauthRoutes,
  ...sessionRoutes,
  ...gitRoutes,
  ...mcpRoute,
  '/api/v1/agents': {
    post: {
      summary: 'Open an account. Only this answer has its API key.',
      body: agent,
      once: true,
      status: 201,
      answer: object({ account_id: text, api_key: text, claim_url: text }),
      errors: ['bad_request', 'forbidden'],
    },
  },
  '/claim/{token}': {
    get: { summary: 'A page to claim an account.', type: page, errors: ['not_found'] },
    post: {
      summary: 'Claim an account.',
      body: claim,
      answer: object({ account_id: text, owner_email: text }),
      errors: ['bad_request', 'not_found'],
    },
  },
  '/api/v1/topups': {
    post: {
      summary: 'Pay into the balance of an account from a wallet.',
      body: topUp.input,
      once: true,
      answer: { $ref: '#/components/schemas/Envelope' },
      errors: ['bad_request', 'payment_required', 'not_found'],
    },
  },
  '/api/llm/v1/chat/completions': {
    post: {
      summary: 'Ask a language model, in the common chat-completions format.',
      security: 'apiKey',
      body: chat,
      once: true,
      answer: anyObject,
      errors: ['bad_request', 'insufficient_balance', 'upstream_error'],
    },
  },
  '/api/llm/v1/models': {
    get: {
      summary: 'List the models.',
      answer: object({ object: { const: 'list' }, data: list(anyObject) }),
    },
  },
  '/api/llm/v1/models/{path}': {
    get: { summary: 'Read one model.', answer: anyObject, errors: ['not_found'] },
  },
  '/api/llm/v1/pricing': {
    get: { summary: 'Tiers and prices per million tokens.', answer: anyObject },
  },
}
