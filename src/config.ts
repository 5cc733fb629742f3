// The environment, read once into one frozen object. Nothing else looks at process.env.
import { z } from 'zod'

const wholeNumber = (least: number, most: number) => z.coerce.number().int().min(least).max(most)
const commaList = z.string().transform((text) =>
  text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== ''),
)

/** Every setting, in the order of the reference page that is generated from it. Empty values count as unset. */
export const settings = {
  PORT: wholeNumber(0, 65_535).default(4020).describe('Port to listen on; 0 takes any free one.'),
  HOST: z
    .string()
    .default('127.0.0.1')
    .describe('Address to listen on. 0.0.0.0 opens the gateway to the network.'),
  DATA_DIR: z
    .string()
    .default('./data')
    .describe('Folder for the embedded database and the generated admin token.'),
  DATABASE_URL: z
    .string()
    .regex(/^postgres(ql)?:\/\//, 'must begin with postgresql://')
    .optional()
    .describe(
      'A PostgreSQL server (14 or newer) to use; any number of gateways may share it. Unset: the embedded one.',
    ),
  PUBLIC_BASE_URL: z
    .url()
    .optional()
    .describe('The address that callers see, for links. Unset: http://HOST:PORT.'),
  ADMIN_TOKEN: z
    .string()
    .min(16)
    .optional()
    .describe(
      'Bearer token of the operator. Unset: generated at the first start into DATA_DIR/admin-token.',
    ),
  OWN_NS: z
    .string()
    .regex(/^[a-z][a-z0-9_]{0,30}$/)
    .default('tollway')
    .describe('Namespace of the gateway’s own actions.'),
  OPERATOR_CONTACT: z
    .string()
    .optional()
    .describe(
      'An e-mail address or URL of yours, sent in the User-Agent. Some public registries refuse calls without one.',
    ),
  SIGNUP_CREDIT_CENTS: wholeNumber(0, 1_000_000)
    .default(0)
    .describe('Credit of an account that signs itself up.'),
  SIGNUPS_PER_HOUR: wholeNumber(0, 1_000_000)
    .default(5)
    .describe('Sign-ups per source address and hour; 0 closes sign-up.'),
  RATE_LIMIT_PER_MINUTE: wholeNumber(1, 10_000_000)
    .default(600)
    .describe('Requests per account, or per source address without one, and minute.'),
  CALLS_IN_FLIGHT_MAX: wholeNumber(1, 100_000)
    .default(100)
    .describe('Paid calls of one account that may run at once.'),
  JOBS_AT_ONCE: wholeNumber(1, 1_000)
    .default(4)
    .describe('Jobs that this gateway works on at once; more wait in the queue.'),
  EGRESS_ALLOW: commaList
    .prefault('')
    .describe(
      'Hosts, host:port pairs, addresses or CIDR ranges that callers’ URLs may reach although they are private.',
    ),
  CHROMIUM_PATH: z
    .string()
    .optional()
    .describe('Chromium for pages that need JavaScript. Unset: looked for in the usual places.'),
  CHROMIUM_SANDBOX: z
    .enum(['on', 'off'])
    .default('on')
    .describe(
      'Off runs Chromium without its sandbox: only inside a container that has no privileges itself.',
    ),
  TRUST_PROXY: commaList
    .prefault('')
    .describe('Addresses or CIDR ranges of reverse proxies whose X-Forwarded-For is believed.'),
  LOG_LEVEL: z
    .enum(['debug', 'info', 'warn', 'error', 'silent'])
    .default('info')
    .describe('Least severity that is logged.'),
} as const

const schema = z.object(settings)

export type Config = Readonly<z.output<typeof schema>> & {
  /** Everything named `*_API_KEY` or `*_BASE_URL`: the providers' credentials and addresses. */
  readonly providerVariables: ReadonlyMap<string, string>
}

/** Throws an Error with one sentence per setting that is wrong. */
export function readConfig(environment: Readonly<Record<string, string | undefined>>): Config {
  const set = Object.entries(environment).filter((pair): pair is [string, string] =>
    Boolean(pair[1]),
  )
  const parsed = schema.safeParse(Object.fromEntries(set.filter(([name]) => name in settings)))
  if (!parsed.success) {
    const problems = parsed.error.issues.map(
      (issue) => `${issue.path.join('.')}: ${issue.message}.`,
    )
    throw new Error(`The configuration is not usable. ${problems.join(' ')}`)
  }
  const providerVariables = new Map(
    set.filter(([name]) => /_(API_KEY|BASE_URL)$/.test(name) && !(name in settings)),
  )
  return Object.freeze({ ...parsed.data, providerVariables })
}
