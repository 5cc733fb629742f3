// Which option is meant by one of another program: of git, gh, stripe, curl, aws.

/** Options of others, and what this command has: an option, or a sentence where it has none. The first that fits. */
const groups: readonly (readonly [theirs: string, ours: readonly string[]])[] = [
  ['quote dry-run dryrun price estimate cost preview simulate', ['`tollway quote ACTION`']],
  ['data d data-raw data-binary input params payload f F raw-field field json-body', ['--body']],
  ['format output o j as-json', ['--json']],
  ['query q', ['--pick', '--jq']],
  ['template t filter fields select', ['--pick']],
  ['X request method H header', ['Requests are made for you: `tollway run ACTION --body JSON`.']],
  [
    'key api-key apikey token with-token password u user secret k bearer auth',
    ['The key is given once: `tollway login < key.txt`, or TOLLWAY_KEY.'],
  ],
  [
    'url host hostname endpoint endpoint-url server base-url baseurl profile region R repo project address',
    ['--gateway'],
  ],
  [
    'max-price max-amount max-cents max-spend budget cap limit ceiling spend-limit',
    ['--max-cost', '--per-day'],
  ],
  ['max-cost daily daily-limit day', ['--per-day']],
  ['max-per-call', ['--per-call']],
  ['monthly month monthly-limit', ['--per-month']],
  ['rate rpm rate-limit', ['--requests-per-minute']],
  ['async background detach no-block nowait', ['--no-wait']],
  ['f F tail watch w stream', ['--follow']],
  [
    'since after start start-time start-date begin',
    ['--from', '`tollway transactions --from TIME`'],
  ],
  ['before end end-time end-date to', ['--until']],
  ['n L count max per-page max-items page-size last first tail', ['--limit']],
  ['n L count tail limit last', ['`tollway transactions --limit COUNT`']],
  ['y force assume-yes confirm', ['--yes']],
  ['save O out output-file download dir out-dir', ['--save-to']],
  ['idempotency request-id client-request-token', ['--idempotency-key']],
  ['expire expiry ttl expires-in expires-at valid-for until', ['--expires']],
  ['scope scopes allow allowed permission permissions actions only', ['--action']],
  ['web sso oauth', ['--browser']],
  ['signup register create', ['--new']],
  ['state', ['--status']],
  ['status', ['--state']],
  ['v verbose debug trace D', ['--json']],
]

/** Without dashes. `has`: whether the verb takes an option. `query`: after `discover`, the words are the question. */
export function inOurOptions(
  typed: string,
  { has, verb }: { readonly has: (option: string) => boolean; readonly verb: string },
): string | undefined {
  if (verb === 'discover' && /^(q|query|question)$/.test(typed))
    return 'The question is given without an option: `tollway discover QUESTION`.'
  for (const [theirs, ours] of groups) {
    if (!theirs.split(' ').includes(typed)) continue
    const fits = ours.find((each) => !each.startsWith('--') || has(each.slice(2)))
    if (fits === undefined) continue
    return /^[A-Z]/.test(fits) ? fits : `Did you mean ${fits}?`
  }
  return undefined
}
