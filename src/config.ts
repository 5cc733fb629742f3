// The environment, read once into one frozen object. Nothing else looks at process.env.
import { readFileSync } from 'node:fs'
import { z } from 'zod'
import { keylessFeeCentsDefault } from '#catalog/lib/bought.ts'
import { wholeNumber } from '#core/settings.ts'
import { peopleSettings } from '#features/knowledge/people/settings.ts'
import { consultSettings } from '#features/knowledge/plans/consult/settings.ts'
import { computeSettings } from '#features/machines/compute/settings.ts'
import { mailSettings } from '#features/storage/mail/settings.ts'
import { performanceSettings } from '#features/studio/performances/settings.ts'
import type { RailDefinition } from '#money/rails/definition.ts'
import { paymentRails } from '#money/rails/rails.ts'
import { moneySettings } from '#money/settings.ts'
import { type OperatorProxy, readOperatorProxy } from '#platform/egress/operator-proxies.ts'

const commaList = z.string().transform((text) =>
  text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== ''),
)

const isOrigin = (text: string) => text === '*' || URL.parse(text)?.origin === text

const actorName = z.string().regex(/^[\w.-]+\/[\w.-]+$/)
const actorChoices = z.record(
  z.string(),
  z.union([
    actorName.transform((actor) => ({ actor })),
    z.strictObject({ actor: actorName, limitField: z.string().min(1).optional() }),
  ]),
)

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Error messages leave the proxy out, since it holds a password. */
const proxyList = commaList.prefault('').transform((list, context) =>
  list.flatMap((text) => {
    try {
      return [readOperatorProxy(text)]
    } catch (thrown) {
      context.addIssue((thrown as TypeError).message)
      return []
    }
  }),
)

/** `DE=http://user:password@host:port`, several for a country. */
const proxiesByCountry = commaList.prefault('').transform((list, context) => {
  const known = new Map<string, OperatorProxy[]>()
  for (const text of list) {
    const [, country, proxy = ''] = /^([A-Za-z]{2})=(.+)$/.exec(text) ?? []
    try {
      if (country === undefined)
        throw new TypeError('Each proxy must begin with a country: DE=http://…')
      const name = country.toUpperCase()
      known.set(name, [...(known.get(name) ?? []), readOperatorProxy(proxy)])
    } catch (thrown) {
      context.addIssue((thrown as TypeError).message)
    }
  }
  return known as ReadonlyMap<string, readonly OperatorProxy[]>
})

const gatewaySettings = {
  PORT: wholeNumber(0, 65_535).default(4020).describe('Port to listen on. 0 takes any free port.'),
  HOST: z
    .string()
    .default('127.0.0.1')
    .describe('Address to listen on. 0.0.0.0 opens the gateway to the network.'),
  DATA_DIR: z
    .string()
    .default('./data')
    .describe(
      'Folder for the embedded database, the files of callers and the generated admin token.',
    ),
  DATABASE_URL: z
    .string()
    .regex(/^postgres(ql)?:\/\//, 'must begin with postgresql://')
    .optional()
    .describe(
      'A PostgreSQL server (14 or newer), which several gateways may share. Unset: the embedded server.',
    ),
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
  OWN_NS: z
    .string()
    .regex(/^[a-z][a-z0-9_]{0,30}$/)
    .default('tollway')
    .describe('Namespace of the gateway’s own actions.'),
  DISCOVER_MODEL: z
    .enum(['on', 'off'])
    .default('on')
    .describe(
      'On: discover compares meanings with a sentence model, which uses about 460 MB of memory while in use. Off: it compares words only.',
    ),
  OPERATOR_CONTACT: z
    .string()
    .optional()
    .describe(
      'Your e-mail address or URL, sent in the User-Agent. Some public registries refuse requests without one.',
    ),
  KEYLESS_FEE_CENTS: wholeNumber(0, 100)
    .default(keylessFeeCentsDefault)
    .describe(
      'What an answer of an open registry costs, in cents, where no seller took anything for it. Never more than the listed price.',
    ),
  SIGNUP_CREDIT_CENTS: wholeNumber(0, 1_000_000)
    .default(0)
    .describe('Credit for each new account that signs up, in cents.'),
  SIGNUPS_PER_HOUR: wholeNumber(0, 1_000_000)
    .default(5)
    .describe('Sign-ups per source address and hour. 0 closes sign-up.'),
  RATE_LIMIT_PER_MINUTE: wholeNumber(1, 10_000_000)
    .default(600)
    .describe(
      'Requests per minute of an account, or of an IPv4 address or IPv6 /64 without an account. Costly requests count more than once.',
    ),
  CALLS_IN_FLIGHT_MAX: wholeNumber(1, 100_000)
    .default(100)
    .describe('How many paid calls of one account may run at once.'),
  INFERENCE_DAY_CENTS_MAX: wholeNumber(0, 100_000_000)
    .default(1_000)
    .describe('The most that one account may spend on language models per day (UTC), in cents.'),
  INFERENCE_DURABLE: z
    .enum(['on', 'off'])
    .default('off')
    .describe(
      'On: each chat waits until its hold and charge are written to disk. Off: a power failure may lose the charges of the last second.',
    ),
  LLM_CONFIG: z
    .string()
    .optional()
    .describe(
      'A JSON file with upstreams, tiers and prices of language models. Changes are picked up while the gateway runs.',
    ),
  JOBS_AT_ONCE: wholeNumber(1, 1_000)
    .default(4)
    .describe('How many jobs this gateway works on at once. Others wait in the queue.'),
  RENDERS_AT_ONCE: wholeNumber(1, 100)
    .default(1)
    .describe(
      'How many films this gateway renders at once. Others wait. Each uses all cores. One more place is kept for previews and short films.',
    ),
  ...moneySettings,
  STATUS_URL_KEY: z
    .string()
    .min(32)
    .optional()
    .describe(
      'Key that signs the status addresses of wallets’ jobs and the addresses of files. Unset: generated at the first start and shared through the database.',
    ),
  REPOSITORY_MB_MAX: wholeNumber(1, 1_000_000)
    .default(500)
    .describe('Megabytes that one Git repository may hold.'),
  REPOSITORIES_QUOTA_MB: wholeNumber(1, 1_000_000_000)
    .default(2_000)
    .describe('Megabytes that the Git repositories of an account or a wallet may hold together.'),
  FILES_QUOTA_MB: wholeNumber(0, 1_000_000_000)
    .default(2_000)
    .describe(
      'Megabytes of files that an account or a wallet may store, unless the operator gives an account a quota of its own.',
    ),
  SITE_INDEX_QUOTA_MB: wholeNumber(0, 1_000_000)
    .default(200)
    .describe('Millions of characters that the site indexes of an account or a wallet may hold.'),
  SITE_INDEX_DAYS: wholeNumber(1, 100_000)
    .default(180)
    .describe('Days after which a site index is removed that was neither searched nor written.'),
  S3_BUCKET: z
    .string()
    .regex(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/)
    .optional()
    .describe(
      'Bucket for the bytes of files, in a store that speaks the S3 protocol. Callers reach it directly. Unset: DATA_DIR/files.',
    ),
  S3_ENDPOINT: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe(
      'Address of the store, without the bucket. Callers must reach it too. Unset: that of Amazon in S3_REGION.',
    ),
  S3_REGION: z
    .string()
    .regex(/^[a-z0-9-]+$/)
    .default('us-east-1')
    .describe('Region of the bucket.'),
  S3_ACCESS_KEY_ID: z.string().optional().describe('Id of the key for the bucket.'),
  S3_SECRET_ACCESS_KEY: z.string().optional().describe('Secret of the key for the bucket.'),
  ...computeSettings,
  ...mailSettings,
  ...peopleSettings,
  ...consultSettings,
  ...performanceSettings,
  RESPONSE_CACHE_MB: wholeNumber(0, 100_000)
    .default(64)
    .describe('Megabytes of memory for the response cache of public records. 0 turns it off.'),
  EGRESS_ALLOW: commaList
    .prefault('')
    .describe(
      'Private hosts, host:port pairs, addresses or CIDR ranges that callers’ URLs may reach, including those of this machine.',
    ),
  CHROMIUM_PATH: z
    .string()
    .optional()
    .describe(
      'Path of Chromium, for pages that need JavaScript. Unset: the usual places are searched.',
    ),
  CHROMIUM_WHOLE_PATH: z
    .string()
    .optional()
    .describe(
      'Path of a full Chromium beside a headless shell, for the second renderer and the stealth rung. Unset: searched for, unless CHROMIUM_PATH is set.',
    ),
  CHROMIUM_SANDBOX: z
    .enum(['on', 'off'])
    .default('on')
    .describe(
      'Off: Chromium runs without its sandbox. Use this only inside an unprivileged container.',
    ),
  BROWSERS_AT_ONCE: wholeNumber(0, 1_000)
    .default(10)
    .describe('How many rented browsers this gateway runs at once. Each uses 400 MB and more.'),
  BROWSERS_PER_ACCOUNT: wholeNumber(0, 1_000)
    .default(5)
    .describe('How many rented browsers one account or wallet may have open.'),
  BROWSER_MEMORY_MB: wholeNumber(200, 1_000_000)
    .default(1_500)
    .describe('Megabytes of memory that a rented browser may use before it is ended.'),
  BROWSER_PROXIES: proxiesByCountry.describe(
    'HTTP proxies for rented browsers by country, as DE=http(s)://user:password@host:port, separated by commas. Unset: browsers open pages directly, and a call that names a country is refused.',
  ),
  CATALOG_FILE: z
    .string()
    .optional()
    .describe(
      'A JSON file with your own endpoints for ns_primary/fetch, actors for platform data, and models of media.',
    ),
  TOLLWAY_PROVIDERS: commaList
    .prefault('')
    .describe(
      'Providers of your own beside the catalog: modules with commas between them, as paths (./tides.ts) or packages.',
    ),
  PLATFORM_ACTORS: z
    .string()
    .default('{}')
    .transform((text, context) => {
      const parsed = actorChoices.safeParse(parseJson(text))
      if (parsed.success) return parsed.data
      context.addIssue('must be JSON such as {"tiktok/comments": "user/actor"}')
      return z.NEVER
    })
    .describe(
      'Actors for platform data actions, as JSON: {"tiktok/comments": "user/actor"}, or {"actor": …, "limitField": …} for one.',
    ),
  READING_DATACENTER_PROXIES: proxyList.describe(
    'HTTP proxies for rung 3 of page reading, as http(s)://user:password@host:port, separated by commas. Unset: rung 3 reads directly. Without the vendors’ keys they also serve ns_resi/scrape, ns_resi/markdown and ns_geo/scrape.',
  ),
  READING_UNBLOCK_PROXIES: proxyList.describe(
    'Unblocking proxies for rung 4, such as Oxylabs Web Unblocker, Bright Data or Zyte. They decrypt the TLS of pages.',
  ),
  READING_RESIDENTIAL_PROXIES: proxyList.describe(
    'Residential proxies for rungs 5 and 6. Unset: rung 5 needs a vendor, and rung 6 reads directly. Without the vendor’s key they also serve ns_resi/scrape_residential.',
  ),
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
  STARTER_ACCOUNT: z
    .enum(['on', 'off'])
    .default('on')
    .describe(
      'On: the first start creates an account with 1000¢ of local credit. Its key is written to DATA_DIR/starter-key, and shown on a terminal.',
    ),
  LOG_LEVEL: z
    .enum(['debug', 'info', 'warn', 'error', 'silent'])
    .default('info')
    .describe('Lowest severity that is logged.'),
} as const

/** Every setting, in the order of the reference page that is generated from it. Empty values count as unset. */
export const settings = settingsWith(paymentRails)

function settingsWith(rails: readonly RailDefinition[]): typeof gatewaySettings {
  return Object.assign({}, gatewaySettings, ...rails.map((rail) => rail.settings))
}

/** Settings of payment rails are in it too. Only their rail knows their types, and reads them. */
export type Config = Readonly<z.output<z.ZodObject<typeof gatewaySettings>>> & {
  /** Everything named `*_API_KEY` or `*_BASE_URL`: the providers' credentials and addresses. */
  readonly providerVariables: ReadonlyMap<string, string>
}

/** Throws an Error with one sentence per setting that is wrong. */
export function readConfig(
  environment: Readonly<Record<string, string | undefined>>,
  rails: readonly RailDefinition[] = paymentRails,
): Config {
  const settings = settingsWith(rails)
  const set = Object.entries(withFiles(environment)).filter((pair): pair is [string, string] =>
    Boolean(pair[1]),
  )
  const parsed = z
    .object(settings)
    .safeParse(Object.fromEntries(set.filter(([name]) => name in settings)))
  if (!parsed.success) {
    const problems = parsed.error.issues.map(
      (issue) => `${issue.path.join('.')}: ${issue.message}.`,
    )
    throw new Error(`The configuration is invalid. ${problems.join(' ')}`)
  }
  const providerVariables = new Map(
    set.filter(([name]) => /_(API_KEY|BASE_URL)$/.test(name) && !(name in settings)),
  )
  return Object.freeze({ ...parsed.data, providerVariables })
}

/** Secrets may be in files: `X402_GAS_KEY_FILE` names the file that holds X402_GAS_KEY. */
function withFiles(environment: Readonly<Record<string, string | undefined>>) {
  const read = Object.entries(environment).flatMap(([name, file]) => {
    const setting = name.replace(/_FILE$/, '')
    if (setting === name || !file || !/(_KEY|_TOKEN|_KEY_PREVIOUS)$/.test(setting)) return []
    return [[setting, readSecret(name, file)] as const]
  })
  return { ...environment, ...Object.fromEntries(read) }
}

function readSecret(name: string, file: string): string {
  try {
    return readFileSync(file, 'utf8').trim()
  } catch (cause) {
    throw new Error(`The configuration is invalid. ${name}: the file ${file} cannot be read.`, {
      cause,
    })
  }
}
