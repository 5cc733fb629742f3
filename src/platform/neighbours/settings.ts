// The settings by which gateways reach each other.
import { z } from 'zod'
import { wholeNumber } from '#core/settings.ts'

export const neighbourSettings = {
  GATEWAY_INTERNAL_URL: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe(
      'Address at which the other gateways of the database reach this one, such as http://10.0.0.5:4030. They send it the requests for what it alone has: boxes, browsers, repositories. Unset: such requests are refused at other gateways.',
    ),
  GATEWAY_INTERNAL_HOST: z
    .string()
    .optional()
    .describe(
      'Address to listen on for other gateways. Unset: the host of GATEWAY_INTERNAL_URL. Keep it inside your network.',
    ),
  GATEWAY_INTERNAL_PORT: wholeNumber(0, 65_535)
    .optional()
    .describe('Port to listen on for other gateways. Unset: the port of GATEWAY_INTERNAL_URL.'),
} as const
