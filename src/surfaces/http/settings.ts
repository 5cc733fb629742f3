// The settings of the server.
import { z } from 'zod'
import { commaList, wholeNumber } from '#core/settings.ts'

const isOrigin = (text: string) => text === '*' || URL.parse(text)?.origin === text

/** Where the gateway listens. */
export const listenSettings = {
  PORT: wholeNumber(0, 65_535).default(4020).describe('Port to listen on. 0 takes any free port.'),
  HOST: z
    .string()
    .default('127.0.0.1')
    .describe('Address to listen on. 0.0.0.0 opens the gateway to the network.'),
} as const

export const operatorSettings = {
  PUBLIC_BASE_URL: z
    .url()
    .optional()
    .describe('Public address of the gateway, used in links. Unset: http://HOST:PORT.'),
  ADMIN_TOKEN: z
    .string()
    .min(16)
    .optional()
    .describe(
      'Bearer token of the operator. Unset: generated at the first start and written to DATA_DIR/admin-token.',
    ),
  ADMIN_PORT: wholeNumber(0, 65_535)
    .optional()
    .describe(
      'Port of a second listener, which alone answers the routes of the operator. Unset: PORT answers them too.',
    ),
  ADMIN_HOST: z
    .string()
    .default('127.0.0.1')
    .describe('Address of the second listener, if ADMIN_PORT is set.'),
} as const

export const creditSettings = {
  CONFIRM_ABOVE_CENTS: wholeNumber(0, 100_000_000)
    .default(100_000)
    .describe(
      'A credit or an opening balance above this amount is given only if the request repeats it as confirm_cents. The console asks.',
    ),
} as const

export const rateSettings = {
  RATE_LIMIT_PER_MINUTE: wholeNumber(1, 10_000_000)
    .default(600)
    .describe(
      'Requests per minute of an account, or of an IPv4 address or IPv6 /64 without an account. Costly requests count more than once.',
    ),
} as const

/** Whom the server trusts: reverse proxies, and web pages of other origins. */
export const originSettings = {
  TRUST_PROXY: commaList
    .prefault('')
    .describe(
      'Addresses or CIDR ranges of reverse proxies whose X-Forwarded-For header is trusted.',
    ),
  CORS_ORIGINS: commaList
    .refine((list) => list.every(isOrigin), 'must be * or origins such as https://shop.example')
    .prefault('*')
    .describe(
      'Origins whose web pages may call the gateway from a browser: *, a comma list such as https://shop.example, or an empty text for none.',
    ),
} as const
