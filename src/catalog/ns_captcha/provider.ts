import type { ErrorCode } from '#core/errors.ts'
import { membersOf } from '#core/input/members.ts'
import { defineProvider } from '#core/provider.ts'
import { result } from './result.ts'
import { solve } from './solve.ts'

type Meaning = number | { code: ErrorCode; message: string }

/** The vendor's error codes, all sent with status 200, as equivalent HTTP statuses or as errors of this gateway. */
const meanings: Readonly<Record<string, Meaning>> = {
  ERROR_KEY_DOES_NOT_EXIST: 401,
  ERROR_IP_NOT_ALLOWED: 401,
  ERROR_IP_BLOCKED: 401,
  ERROR_ACCOUNT_SUSPENDED: 401,
  ERROR_ZERO_BALANCE: 402,
  ERROR_NO_SLOT_AVAILABLE: 429,
  ERROR_NO_SUCH_CAPCHA_ID: 404,
  ERROR_WRONG_CAPTCHA_ID: 404,
  ERROR_CAPTCHA_UNSOLVABLE: {
    code: 'upstream_error',
    message:
      'The captcha could not be solved, and this task has ended. Nothing was charged for asking; start a new one.',
  },
}

export const captcha = defineProvider({
  id: 'ns_captcha',
  title: '2Captcha',
  docs: 'https://2captcha.com/api-docs',
  upstream: {
    baseUrl: 'https://api.2captcha.com',
    credential: {
      aliases: ['TWOCAPTCHA_API_KEY', 'APIKEY_2CAPTCHA'],
      attach: (key) => ({ body: { clientKey: key } }),
    },
    wallet: { rail: 'mpp', baseUrl: 'https://twocaptcha.mpp.tempo.xyz' },
    failure: ({ status, body }) => {
      const { errorId, errorCode } = membersOf(body)
      if (status >= 300 || errorId === undefined || errorId === 0) return undefined
      return meanings[String(errorCode)] ?? 400
    },
  },
  actions: [solve, result],
})
