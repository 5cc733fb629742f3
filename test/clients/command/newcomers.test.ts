// What newcomers type who know git, gh, stripe, curl or aws, and the next command that the answer names.
import { expect, test } from 'vitest'
import { shareGatewayOfWorker } from '#test/harness.ts'
import { runCommand } from './run-command.ts'

const gateway = shareGatewayOfWorker()

type Mistake = readonly [words: readonly string[], answer: RegExp]

const split = (rows: readonly (readonly [words: string, answer: RegExp])[]): readonly Mistake[] =>
  rows.map(([words, answer]) => [words.split(' '), answer])

const orders = split([
  ['keys delete X', /`tollway keys revoke X`/],
  ['keys rm X', /`tollway keys revoke X`/],
  ['keys new', /`tollway keys create`/],
  ['keys rotate X', /`tollway keys create`/],
  ['constructor list', /There is no verb "constructor"/],
  ['keys list', /`tollway keys`/],
  ['key list', /`tollway keys`/],
  ['key create', /`tollway keys create`/],
  ['api-keys create', /`tollway keys create`/],
  ['create key', /`tollway keys create`/],
  ['list keys', /`tollway keys`/],
  ['show keys', /`tollway keys`/],
  ['get balance', /`tollway balance`/],
  ['balance show', /`tollway balance`/],
  ['jobs list', /`tollway jobs`/],
  ['job list', /`tollway jobs`/],
  ['job cancel 1234', /`tollway job 1234 --cancel`/],
  ['cancel job 1234', /`tollway job 1234 --cancel`/],
  ['cancel 1234', /`tollway job 1234 --cancel`/],
  ['transactions list', /`tollway transactions`/],
  ['transaction list', /`tollway transactions`/],
  ['session list', /`tollway session`/],
  ['close session X', /`tollway session close X`/],
  ['files get X', /`tollway files download X`/],
  ['file upload a.pdf', /`tollway files upload a\.pdf`/],
  ['delete file X', /`tollway files delete X`/],
  ['gateway add', /`tollway gateways add`/],
  ['set gateway work', /`tollway gateways use`/],
  ['auth login', /`tollway login`/],
  ['auth status', /`tollway whoami`/],
  ['config set key X', /`tollway login`/],
  ['mcp install', /`tollway connect`/],
  ['run discover papers', /`tollway discover papers`/],
  ['topup', /`tollway open`/],
  ['open docs', /--page docs/],
  ['logs follow', /--follow/],
  ['keys create agent', /--name "agent"/],
  ['keys create --name my key', /--name "my key"/],
])

const options = split([
  ['run test/echo --quote', /`tollway quote test\/echo`/],
  ['run test/echo --dry-run', /`tollway quote test\/echo`/],
  ['run test/echo --data {}', /--body/],
  ['run test/echo -d {}', /no option -d\. .*--body/],
  ['run -X POST test/echo', /`tollway run ACTION --body JSON`/],
  ['run test/echo --budget 5', /--max-cost/],
  ['run test/echo --async', /--no-wait/],
  ['run test/echo --profile work', /--gateway/],
  ['balance -o json', /--json/],
  ['balance --format json', /--json/],
  ['balance --query available_cents', /--pick/],
  ['logs -f', /--follow/],
  ['logs --since 1h', /`tollway transactions --from TIME`/],
  ['transactions -n 5', /--limit/],
  ['transactions --since 1h', /--from/],
  ['login --with-token', /`tollway login < key\.txt`/],
  ['keys create --max-cost 5', /--per-day/],
  ['discover --query papers', /`tollway discover QUESTION`/],
  ['--helpp', /tollway VERB/],
  ['-help', /`tollway help`/],
])

const values = [
  ...split([
    ['keys create --per-day five', /500.*'\$5'/],
    ['keys create --per-day 5.00', /500.*'\$5'/],
    ['keys create --per-day=', /variable: quote it/],
    ['keys create --expires soon', /30d/],
    ['keys create --action echo', /test|tollway\/onescrape/],
    ['transactions --from last-week', /yesterday, or 7d/],
    ['transactions --limit 0', /from 1 on/],
    ['transactions --limit -1', /--limit=-1/],
    ['run test/echo --max-cost', /--max-cost CENTS/],
    ['files upload', /PATH is missing: .*For example: `tollway files upload /],
    ['discover ', /`tollway discover who/],
    ['run test/echo --body=', /--body '\{/],
    ['gateways use http://127.0.0.1:4020', /`tollway gateways add NAME http:/],
    ['logout http://127.0.0.1:4020', /--gateway http:\/\/127/],
    ['job', /`tollway jobs`/],
    ['job 123', /0198e6a4-7d1c-7cc3-9f0e-1c0b3f1f2a11.*`tollway jobs`/],
    ['job 0198e6a4', /whole id.*`tollway jobs`/],
    ['transactions 0198e6a4', /`tollway transactions`/],
    ['keys revoke tw_live_1mqd', /`tollway keys`/],
    ['keys revoke 0198e6a4-7d1c-7cc3-9f0e-1c0b3f1f2a11', /`tollway keys`/],
    ['files download abc', /`tollway files`/],
    ['session close 1', /`tollway session`/],
    ['files upload nowhere.pdf', /There is no file nowhere\.pdf in \//],
    ['run test/echo --body @nowhere.json', /There is no file nowhere\.json in \//],
    ['run test/echo --body nowhere.json', /`--body @nowhere\.json`/],
    ['run test/echo --file letter.txt', /--file text=letter\.txt/],
    ['run test/echo --text two words', /--text "two words"/],
    ['run test/echo text=a', /--text a/],
    ['run test/echo words', /--FIELD "words".*`tollway show test\/echo`/],
    ['run', /`tollway discover QUESTION`/],
    ['run test', /test has test\/.*`tollway actions`/],
    ['run test echo', /`tollway run test\/echo`/],
    ['run test.echo', /test\/echo/],
    ['run test/zzzzzzzzzzzz', /test has test\//],
    ['run /api/run/test/echo', /test\/echo/],
    ['run http://127.0.0.1:4020/api/run/test/echo', /test\/echo/],
    ['balance --gateway 127.0.0.1:4020', /http:\/\/127\.0\.0\.1:4020\?/],
    ['balance --gateway http:/127.0.0.1:4020', /http:\/\/127\.0\.0\.1:4020/],
    ['login gateway.example', /https:\/\/gateway\.example\?/],
    ['login tw_live_secret', /history of the shell.*`tollway login`/],
  ]),
  [['run', 'test/echo', '--body', "{'text':'a'}"], /double quotes.*--body '\{"query"/],
  [['run', 'test/echo', '--body', '{text:a}'], /double quotes/],
  [['run', 'test/echo', '{"text":"a"}'], /--body '\{"text":"a"\}'/],
  [['keys', 'revoke', 'First key'], /`tollway keys`/],
] as const satisfies readonly Mistake[]

test.for([
  ['of order and number', orders],
  ['of options', options],
  ['of values', values],
] as const)('mistakes %s are answered by the next command', async ([, mistakes]) => {
  const { url } = gateway()
  const account = await gateway().account(100)
  const environment = { TOLLWAY_URL: url, TOLLWAY_KEY: account.key }
  for (const [words, answer] of mistakes) {
    const typed = words.join(' ')
    const { code, stderr, stdout } = await runCommand(words, { environment })
    expect(code, typed).toBeGreaterThan(0)
    expect(stdout, typed).toBe('')
    expect(stderr, typed).toMatch(answer)
    expect(stderr, typed).not.toMatch(/ENOENT|Invalid |\b(GET|POST|PATCH|DELETE) \//)
    expect(stderr.trim().split('\n').length, typed).toBeLessThanOrEqual(2)
  }
  expect((await account.state()).transactions).toBe(0)
})

test('dollars and days are taken as they are typed', async () => {
  const { url } = gateway()
  const account = await gateway().account(100)
  const environment = { TOLLWAY_URL: `${url}/`, TOLLWAY_KEY: account.key }
  const run = (...words: string[]) => runCommand([...words, '--json'], { environment })
  const created = await run('keys', 'create', '--per-day', '$5', '--expires', '30d')
  expect(created.json).toMatchObject({ max_cents_per_day: 500 })
  const daysLeft = (Date.parse(created.json.expires_at) - Date.now()) / 86_400_000
  expect(Math.round(daysLeft)).toBe(30)
  expect((await run('transactions', '--from', 'yesterday')).json.transactions).toHaveLength(1)
  expect((await run('transactions', '--until', 'yesterday')).json.transactions).toEqual([])
  expect((await run('transactions', '--from', '2026-11-01')).code).toBe(0)
})

test('help is given wherever the word stands', async () => {
  for (const words of [
    'keys help',
    'keys create help',
    'run help',
    'help keys create',
    'help help',
  ])
    expect((await runCommand(words.split(' '))).stdout, words).toMatch(/^Usage: tollway/m)
  for (const word of ['--version', '-v', '-V'])
    expect((await runCommand([word])).stdout).toBe('0.0.0\n')
})

test('a key that the gateway does not know may be that of another gateway', async () => {
  const environment = { TOLLWAY_URL: gateway().url, TOLLWAY_KEY: 'sk-of-another-service' }
  const { code, stderr } = await runCommand(['balance'], { environment })
  expect(code).toBe(3)
  expect(stderr).toContain(`${gateway().url} does not know this key`)
  expect(stderr).toMatch(/`tollway gateways`.*\n.*`tollway login`/)
  expect(stderr).not.toContain('Bearer')
})

test('the address of a page is not taken for that of its gateway', async () => {
  const { url } = gateway()
  for (const page of ['/docs', '/api/v1', '/console/keys']) {
    const { code, stderr } = await runCommand(['balance', '--gateway', `${url}${page}`])
    expect(code).toBeGreaterThan(0)
    expect(stderr).toContain(`--gateway ${url}`)
  }
  const { stderr } = await runCommand(['balance', '--gateway', 'https://127.0.0.1:1'])
  expect(stderr).toContain('Did you mean http://127.0.0.1:1?')
})

test('without a key, the answer is how to get one for that gateway', async () => {
  const { url } = gateway()
  const { stderr } = await runCommand(['balance', '--gateway', url])
  expect(stderr).toBe(
    `You have no key for this gateway. Sign in with \`tollway login ${url}\`, or open an account with \`tollway login ${url} --new\`.\n`,
  )
})

test('hints name the command as it was started', async () => {
  const environments = [
    [{ npm_lifecycle_event: 'tollway' }, 'npm run tollway --'],
    [{ npm_lifecycle_event: 'npx', npm_lifecycle_script: 'tollway "runn"' }, 'npx tollway'],
    [{ npm_lifecycle_event: 'test' }, 'tollway'],
  ] as const
  for (const [environment, name] of environments) {
    const { stderr } = await runCommand(['runn'], { environment })
    expect(stderr).toContain(`Did you mean \`${name} run\`? \`${name} help\` lists the verbs.`)
    const { json } = await runCommand(['runn', '--json'], { environment })
    expect(json.message).toContain(`\`${name} run\``)
    const { stdout } = await runCommand(['balance', '--help'], { environment })
    expect(stdout).toContain(`Usage: ${name} balance`)
  }
})
