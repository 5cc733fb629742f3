// What a newcomer gets wrong at the command, and the next command that the answer names.
import { createServer } from 'node:http'
import { expect, onTestFinished, test } from 'vitest'
import { portOf } from '#platform/http/port.ts'
import { shareGatewayOfWorker } from '#test/harness.ts'
import { emptyFolder, runCommand } from './run-command.ts'

const gateway = shareGatewayOfWorker()

/** The words, and what the answer must name. */
const mistakes: readonly (readonly [words: string, answer: RegExp])[] = [
  ['discovr papers', /`tollway discover`/],
  ['serach papers', /`tollway help`/],
  ['search papers', /`tollway discover`/],
  ['find papers', /`tollway discover`/],
  ['list', /`tollway actions`/],
  ['ls', /`tollway actions`/],
  ['acitons', /`tollway actions`/],
  ['call test/echo', /`tollway run`/],
  ['exec test/echo', /`tollway run`/],
  ['rnu test/echo', /`tollway run`/],
  ['test/echo', /`tollway run test\/echo`/],
  ['price test/echo', /`tollway quote`/],
  ['estimate test/echo', /`tollway quote`/],
  ['signup', /`tollway login --new`/],
  ['register', /`tollway login --new`/],
  ['signin', /`tollway login`/],
  ['auth', /`tollway login`/],
  ['signout', /`tollway logout`/],
  ['balnce', /`tollway balance`/],
  ['money', /`tollway balance`/],
  ['history', /`tollway transactions`/],
  ['usage', /`tollway transactions`/],
  ['key', /`tollway keys`/],
  ['token', /`tollway keys`/],
  ['me', /`tollway whoami`/],
  ['status', /`tollway whoami`/],
  ['tail', /`tollway logs --follow`/],
  ['dashboard', /`tollway open`/],
  ['init', /`tollway login --new`/],
  ['help balnce', /`tollway balance`/],
  ['--frob balance', /tollway VERB/],
  ['run', /ACTION is missing/],
  ['run echo', /test\/echo/],
  ['run test/ecko', /test\/echo/],
  ['show test/ehco', /test\/echo/],
  ['run test/echo --txet a', /--text/],
  ['run test/echo --nothing a', /It takes --/],
  ['balance now', /one word too many/],
  ['transactions --limt 5', /--limit/],
  ['transactions --status done', /running, succeeded, failed/],
  ['transactions --limit many', /whole number/],
  ['run test/echo --body {', /--body is not JSON/],
  ['balance --pick data..x', /`hits\[\]\.action`/],
  ['balance --jq .a[', /--jq cannot read "\.a\["/],
  ['balance --jq . --pick data', /`--pick` or `--jq`/],
  ['balance --gateway localhost', /http:\/\/127\.0\.0\.1:4020.*`tollway gateways`/],
  ['gateways use wrok', /`tollway gateways`/],
  ['gateways add work gateway.example', /http:\/\/127\.0\.0\.1:4020/],
  ['gateways add 1st http://127.0.0.1:4020', /begins with a letter/],
  ['server', /`tollway gateways`/],
]

test('each of 40 mistakes is answered by what to do next, in the words of the command', async () => {
  const { url } = gateway()
  const account = await gateway().account(100)
  const environment = { TOLLWAY_URL: url, TOLLWAY_KEY: account.key }
  expect(mistakes.length).toBeGreaterThanOrEqual(40)
  for (const [words, answer] of mistakes) {
    const { code, stderr } = await runCommand(words.split(' '), { environment })
    expect(code, words).toBeGreaterThan(0)
    expect(stderr, words).toMatch(answer)
    expect(stderr, words).not.toMatch(/\b(GET|POST|PATCH|DELETE) \//)
    expect(stderr.trim().split('\n').length, words).toBeLessThanOrEqual(2)
  }
  expect((await account.state()).transactions).toBe(0)
})

test('refusals of the gateway name verbs, and never addresses of HTTP', async () => {
  const { url } = gateway()
  const account = await gateway().account(0)
  const withKey = { TOLLWAY_URL: url, TOLLWAY_KEY: account.key }
  const without = { TOLLWAY_URL: url }
  for (const [environment, words, answer] of [
    [without, 'balance', /`tollway login \S+ --new`/],
    [{ ...withKey, TOLLWAY_KEY: 'tw_live_wrong' }, 'balance', /`tollway login/],
    [without, 'run test/echo', /`tollway login/],
    [withKey, 'run test/echo', /`tollway balance`/],
    [withKey, 'run test/echo --text a --max-cost 1', /`tollway quote test\/echo`/],
    [withKey, 'transactions 0198e6a4-7d1c-7cc3-9f0e-1c0b3f1f2a11', /transaction/],
  ] as const) {
    const { code, stderr } = await runCommand(words.split(' '), { environment })
    expect(code, words).toBeGreaterThan(0)
    expect(stderr, words).toMatch(answer)
    expect(stderr, words).not.toMatch(/\b(GET|POST|PATCH|DELETE) \//)
  }
})

test('an address that is not a gateway is told so in one sentence', async () => {
  const site = createServer((_request, response) => {
    response.writeHead(404, { 'content-type': 'text/html' }).end('<h1>Not here</h1>')
  })
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void site.close())
  const port = portOf(site)
  const address = `http://127.0.0.1:${port}`
  for (const words of [['actions'], ['balance'], ['run', 'a/b']]) {
    const { stderr } = await runCommand([...words, '--gateway', address])
    expect(stderr.trim()).toBe(
      `${address} is not a Tollway gateway. Give the address of one, such as \`--gateway http://127.0.0.1:4020\`.`,
    )
  }
})

test('an address that answers as no gateway does gets no key, and one sentence', async () => {
  const keys: unknown[] = []
  const impostor = createServer((request, response) => {
    keys.push(request.headers.authorization)
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"hello":1}')
  })
  await new Promise<void>((resolve) => impostor.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void impostor.close())
  const address = `http://127.0.0.1:${portOf(impostor)}`
  const signedIn = await runCommand(['login', address], { stdin: 'tw_live_secret' })
  expect(signedIn.code).not.toBe(0)
  expect(signedIn.stderr).toContain(`${address} is not a Tollway gateway.`)
  expect(keys).toEqual([undefined])
  const { stderr } = await runCommand(['balance', '--gateway', address])
  expect(stderr.trim()).toBe(
    `This command cannot read what ${address} has answered. Check that it is a Tollway gateway, and not of a newer version.`,
  )
})

test('an address where nothing answers is named, and a call can be repeated', async () => {
  const address = 'http://127.0.0.1:1'
  const asked = await runCommand(['balance', '--gateway', address])
  expect(asked.stderr).toMatch(`No answer came from ${address}.\n`)
  const called = await runCommand(['run', 'test/echo', '--text', 'hi', '--gateway', address])
  expect(called.stderr).toContain('repeat it with the same --idempotency-key')
})

test('global options stand anywhere, a part of an answer is selected, and calls are followed', async () => {
  const { url } = gateway()
  const account = await gateway().account(100)
  const environment = { TOLLWAY_URL: url, TOLLWAY_KEY: account.key }
  const run = (...words: string[]) => runCommand(words, { environment })
  expect((await run('--json', 'balance')).json).toMatchObject({ available_cents: 100 })
  expect((await run('--pick', 'available_cents', 'balance')).stdout).toBe('100\n')
  expect((await run('run', 'test/echo', '--text', 'hi', '--pick', 'data.echo')).stdout).toMatch(
    /hi/,
  )
  expect((await run('whoami')).stdout).toMatch(new RegExp(`${url}[^]*limits +none`))
  expect((await run('open', '--page', 'docs')).stdout).toBe(`${url}/docs\n`)
  const following = new AbortController()
  const { stdout } = await runCommand(['logs', '--follow'], {
    environment,
    signal: AbortSignal.any([following.signal, AbortSignal.timeout(500)]),
  }).finally(() => following.abort())
  expect(stdout).toMatch(/succeeded +\$0\.020000 +test\/echo/)
  await run('keys', 'create', '--name', 'small', '--per-call', '5')
  expect((await run('keys')).stdout).toMatch(/5¢ a call +small/)
  expect((await run('jobs')).stdout).toBe('There are no such jobs.\n')
  expect((await run('transactions', '--type', 'call')).stdout).toMatch(/^TIME +STATUS +AMOUNT/)
})

test('a program of jq shapes an answer, and an answer that it cannot read is not lost', async () => {
  const { url } = gateway()
  const account = await gateway().account(100)
  const environment = { TOLLWAY_URL: url, TOLLWAY_KEY: account.key }
  const run = (...words: string[]) => runCommand(words, { environment })
  const shaped = await run('actions', '--jq', '[.actions[] | select(.service == "test")] | length')
  expect(Number(shaped.stdout)).toBeGreaterThan(1)
  const paid = await run('run', 'test/echo', '--text', 'kept', '--jq', '.data.echo | .[]')
  expect(paid.code).toBe(2)
  expect(paid.stderr).toMatch(/--jq cannot apply/)
  expect(JSON.parse(paid.stdout)).toMatchObject({ data: { echo: 'kept' }, charged_cents: 2 })
})

test('gateways have names, by which verbs and sign-ins know them', async () => {
  const { url } = gateway()
  const account = await gateway().account(100)
  const folder = await emptyFolder()
  const run = (...words: string[]) => runCommand(words, { folder })
  await run('gateways', 'add', 'work', `${url}/`)
  const added = await run('gateways', '--json')
  expect(added.json.gateways).toEqual([
    { name: 'work', address: url, has_key: false, in_use: false },
  ])
  await runCommand(['login', 'work'], { folder, stdin: account.key })
  expect((await run('balance', '--gateway', 'work', '--pick', 'available_cents')).stdout).toBe(
    '100\n',
  )
  expect((await run('balance', '--gateway', 'wrok')).stderr).toMatch(/Did you mean work\?/)
  expect((await run('gateways')).stdout).toMatch(/work +\S+ +stored +yes/)
  await run('gateways', 'remove', 'work')
  expect((await run('gateways')).stdout).toMatch(/`tollway gateways add NAME URL`/)
  expect((await run('balance', '--json')).json).toMatchObject({ available_cents: 100 })
})
