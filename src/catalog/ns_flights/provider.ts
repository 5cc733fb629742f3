import { membersOf } from '#core/input/members.ts'
import { defineProvider } from '#core/provider.ts'
import { flights as tracked } from './flights.ts'
import { timetable } from './timetable.ts'

/** The vendor's own codes as the HTTP statuses that mean the same. */
const meanings: Readonly<Record<string, number>> = {
  invalid_access_key: 401,
  missing_access_key: 401,
  inactive_user: 401,
  https_access_restricted: 403,
  function_access_restricted: 403,
  invalid_api_function: 403,
  usage_limit_reached: 402,
  rate_limit_reached: 429,
  validation_error: 400,
  '404_not_found': 404,
}

export const flights = defineProvider({
  id: 'ns_flights',
  title: 'Aviationstack',
  docs: 'https://docs.apilayer.com/aviationstack/docs/api-documentation',
  upstream: {
    baseUrl: 'https://api.aviationstack.com/v1',
    credential: {
      aliases: ['AVIATIONSTACK_API_KEY'],
      attach: (key) => ({ query: { access_key: key } }),
    },
    wallet: { rail: 'mpp', baseUrl: 'https://aviationstack.mpp.tempo.xyz/v1' },
    // Failures are in the body, with any status.
    failure: ({ body }) => {
      const { code } = membersOf(membersOf(body).error)
      return code === undefined ? undefined : (meanings[String(code)] ?? 500)
    },
  },
  actions: [tracked, timetable],
})
