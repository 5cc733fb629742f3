// Every code block of the pages about calling a gateway works as its reader pastes it, in a shell, in TypeScript and in
// Python, and answers are as they are printed.
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findProgram } from '#platform/sandbox/sandbox.ts'
import { canRent } from '#test/browsers/rented-browser.ts'
import { adminToken, verify } from '#test/harness.ts'
import { type LlmGateway, startLlmGateway } from '#test/llm-gateway.ts'
import { mailDomain } from '#test/mail/gateway.ts'
import { mediaKey, startMediaVendor } from '#test/media-vendor.ts'
import { areOraclesInstalled } from '#test/oracles/installed.ts'
import { type Fixture, startReplayServer } from '#test/replay-server.ts'
import { startWeatherApi } from '#test/selling/weather-api.ts'
import { missingForBoxes } from '#test/sessions/boxes.ts'
import { findPython } from '../clients/python.ts'
import { openTill, payments, shareChains } from '../payments/paid-gateway.ts'
import {
  type Block,
  blocksOf,
  type Command,
  commandsOf,
  python,
  scripts,
  shell,
} from './doors/blocks.ts'
import { openCommandDoor } from './doors/command-door.ts'
import { type Needs, needs, type Reader, type Want } from './doors/needs.ts'
import { matching } from './doors/printed.ts'
import { type Ends, type Program, runPythonPrograms, runScripts } from './doors/programs.ts'
import { type Ran, runShell } from './doors/shell.ts'

const root = path.join(import.meta.dirname, '../..')
const readText = (file: string) => readFile(path.join(root, file), 'utf8')
const isServed = (page: string) => page.startsWith('/')
/** What the first start gives. */
const balanceCents = 1_000

const boxes = await missingForBoxes()
/** What this machine lacks. */
const lacks: Readonly<Record<Want, string | undefined>> = {
  boxes,
  browsers: canRent ? undefined : 'There is no Chromium that can be confined.',
  chains: payments.ok ? undefined : payments.reason,
  'espeak-ng':
    (await findProgram('espeak-ng')) === undefined ? 'There is no espeak-ng.' : undefined,
}
const lackOf = (page: string) => (needs[page]?.wants ?? []).map((want) => lacks[want]).find(Boolean)

const chains = shareChains()
const endings: (() => unknown)[] = []
const atEnd = (work: () => unknown) => void endings.unshift(work)
const vendor = await startMediaVendor()
const weather = await startWeatherApi()
const { exchanges }: Fixture = JSON.parse(
  await readText('src/catalog/ns_scholar/fixtures/works.json'),
)
/** One for the probe of `doctor`, one for a call. */
const scholar = await startReplayServer([...exchanges, ...exchanges])
let gateway: LlmGateway
let home: string
let programs: string
let payer: Readonly<Record<string, string>> = {}

beforeAll(async () => {
  home = await mkdtemp(path.join(tmpdir(), 'tollway-doors-'))
  programs = path.join(home, 'programs')
  await mkdir(programs)
  const till = payments.ok ? await openTill(chains()) : undefined
  const vendors = {
    NS_MEDIA_API_KEY: mediaKey,
    NS_MEDIA_BASE_URL: vendor.url,
    NS_SCHOLAR_BASE_URL: scholar.baseUrlFor(''),
  }
  const env = { ...till?.env, ...vendors, MAIL_DOMAINS: mailDomain, MAIL_PORT: '0' }
  gateway = await startLlmGateway({ env }, atEnd)
  const picture = { url: 'https://v3.fal.media/files/lighthouse.jpg', content_type: 'image/jpeg' }
  vendor.plan({ result: { images: [picture] } })
  const door = await openCommandDoor(programs, vendors)
  atEnd(door.close)
  if (payments.ok)
    payer = {
      MPPX_PRIVATE_KEY: chains().wallets.payer.privateKey,
      MPPX_RPC_URL: chains().mpp.rpcUrl,
    }
})
afterAll(async () => {
  for (const end of endings) await end()
  for (const { close } of [vendor, weather, scholar]) await close()
  await rm(home, { recursive: true, force: true })
})

/** Addresses that stand for others: the gateway, an API of the reader's own, a page that the gateway can reach. */
function inReach(text: string): string {
  return text
    .replaceAll(
      /http:\/\/(127\.0\.0\.1|localhost):4020(?!\d)|https:\/\/gateway\.example/g,
      gateway.url,
    )
    .replaceAll(/http:\/\/127\.0\.0\.1:3000(?!\d)/g, weather.url)
    .replaceAll(/https:\/\/example\.org(\/page\?x=1)?/g, `${gateway.url}/docs/use`)
}

interface Opened extends Reader {
  readonly needs: Needs
  readonly blocks: readonly Block[]
  /** Puts in what the reader puts in. */
  fill(code: string): string
  readonly folder: string
  readonly variables: Readonly<Record<string, string>>
}

let opened = 0

/** A page with a new account, in a folder of its own. */
async function open(page: string): Promise<Opened> {
  const account = await gateway.account(balanceCents)
  const reader = { gateway, account, weather }
  const own = needs[page] ?? {}
  opened += 1
  const folder = path.join(home, String(opened))
  await mkdir(folder)
  await symlink(path.join(root, 'examples'), path.join(folder, 'examples'))
  for (const [name, content] of Object.entries(own.files ?? {}))
    await writeFile(path.join(folder, name), content)
  const text = isServed(page) ? (await gateway.request('GET', page)).body : await readText(page)
  const fills = Object.entries({ ...own.fills, YOUR_API_KEY: account.key })
  const fill = (code: string) =>
    fills.reduce((now, [from, to]) => now.replaceAll(from, to), inReach(code))
  const blocks = blocksOf(page, text)
  const variables = {
    TOLLWAY_URL: gateway.url,
    TOLLWAY_KEY: account.key,
    ADMIN_TOKEN: adminToken,
    ...payer,
    ...(await own.given?.(reader)),
  }
  return { ...reader, needs: own, blocks, fill, folder, variables }
}

const isLeft = ({ left = {} }: Needs, code: string) =>
  Object.keys(left).some((start) => code.startsWith(start))
const isProgram = ({ language }: Block) => [...shell, ...scripts, ...python].includes(language)

/** The commands of a page, with those that its reader makes before. */
function commandsOn({ needs: { before = {} }, blocks }: Pick<Opened, 'needs' | 'blocks'>) {
  const made = new Set<string>()
  return blocks
    .filter(({ language }) => shell.includes(language))
    .flatMap((block) => {
      const { heading } = block
      const first = made.has(heading) ? [] : (before[heading] ?? [])
      made.add(heading)
      return [
        ...first.map((text): Command => ({ at: `before ${block.at}`, heading, text })),
        ...commandsOf(block),
      ]
    })
}

/** The value of the list whose name is the beginning of the command. */
function valueFor<Value>(
  { text }: Command,
  list: Readonly<Record<string, Value>> = {},
): Value | undefined {
  return Object.entries(list).find(([start]) => text.startsWith(start))?.[1]
}

async function runCommands(page: Opened): Promise<readonly Ran[]> {
  const { folder, variables, needs: own } = page
  const commands = commandsOn(page)
    .filter(({ text }) => !isLeft(own, text))
    .map((command) => ({
      ...command,
      typed: variables[valueFor(command, own.typed) ?? ''] ?? '',
      code: valueFor(command, own.ends) ?? 0,
      text: page.fill(command.text),
    }))
  return await runShell(commands, { folder, programs, variables, takes: own.takes ?? {} })
}

const lineOf = (at: string) => Number(at.split(':').at(-1))

async function expectShown(page: Opened, ran: readonly Ran[]): Promise<void> {
  const others = page.blocks.filter((block) => !isProgram(block))
  for (const [index, { at, language, code: written }] of others.entries()) {
    const code = page.fill(written)
    const shown = page.needs.shown?.[index] ?? { left: '' }
    if (language === 'json') expect(() => JSON.parse(code), at).not.toThrow()
    if ('works' in shown) await shown.works(code, page)
    if ('matches' in shown)
      expect(await shown.matches(page), at).toMatchObject(matching(JSON.parse(code)))
    if ('asks' in shown) {
      const { body } = await page.account.call(shown.asks, JSON.parse(code))
      expect(body, at).toMatchObject({ ok: true })
    }
    if ('answers' in shown) {
      const answer = ran.findLast((one) => lineOf(one.at) < lineOf(at))?.stdout ?? ''
      if (shown.answers === 'text') expect(answer.trim(), at).toBe(code)
      else {
        const body = JSON.parse(answer)
        const found = shown.answers === 'data' ? body.data : body
        expect(found, at).toMatchObject(matching(JSON.parse(code)))
      }
    }
  }
}

test.for(Object.keys(needs))(
  'each command of %s succeeds, and each answer is as it is shown',
  async (name, { skip }) => {
    const lack = lackOf(name)
    skip(lack !== undefined, lack)
    const page = await open(name)
    const ran = await runCommands(page)
    const failed = ran.filter(({ code, ended }) => ended !== code)
    expect(
      failed.map(({ at, text, ended, stdout, stderr }) => [at, text, ended, stderr || stdout]),
    ).toEqual([])
    await expectShown(page, ran)
  },
)

/** The programs of all pages in these languages. */
async function programsIn(languages: readonly string[]): Promise<Program[]> {
  const found: Program[] = []
  for (const [name, own] of Object.entries(needs)) {
    if (lackOf(name) !== undefined) continue
    const text = isServed(name) ? (await gateway.request('GET', name)).body : await readText(name)
    if (!blocksOf(name, text).some(({ language }) => languages.includes(language))) continue
    const { blocks, fill, folder, variables } = await open(name)
    const parts = blocks
      .filter(({ language, code }) => languages.includes(language) && !isLeft(own, code))
      .map(({ at, code }) => ({ at, code: fill(code), folder, variables }))
    const [first] = parts
    const whole = parts.map(({ code }) => code).join('\n')
    if (own.apart || languages === python || isServed(name)) found.push(...parts)
    else if (first !== undefined) found.push({ ...first, code: whole })
  }
  return found
}

const expectAllWell = (ends: Ends) =>
  expect(Object.entries(ends).filter(([, end]) => end !== 'ok')).toEqual([])

test.skipIf(!areOraclesInstalled())('each program in TypeScript runs to its end', async () => {
  const found = await programsIn(scripts)
  const folder = await mkdtemp(path.join(home, 'scripts-'))
  const ends = await runScripts(found, folder)
  expect(Object.keys(ends)).toHaveLength(found.length)
  expectAllWell(ends)
})

test.skipIf((await findPython()) === undefined)(
  'each program in Python runs to its end',
  async () => {
    const found = await programsIn(python)
    const ends = await runPythonPrograms(found)
    expect(Object.keys(ends)).toHaveLength(found.length)
    expectAllWell(ends)
  },
)

test('each block has a place in the list, and the list names nothing else', async () => {
  const pages = (await readdir(path.join(root, 'docs/use'))).map((name) => `docs/use/${name}`)
  for (const page of [...pages, ...Object.keys(needs)]) {
    const own = needs[page]
    const text = isServed(page) ? (await gateway.request('GET', page)).body : await readText(page)
    const blocks = blocksOf(page, text)
    if (own === undefined) {
      expect(blocks, `${page} is not in the list`).toEqual([])
      continue
    }
    const others = blocks.filter((block) => !isProgram(block))
    expect(own.shown?.length ?? 0, page).toBe(others.length)
    const codes = [
      ...commandsOn({ needs: own, blocks }).map((command) => command.text),
      ...blocks.map(({ code }) => code),
    ]
    for (const start of [own.left, own.typed, own.ends].flatMap((one) => Object.keys(one ?? {})))
      expect(
        codes.some((code) => code.startsWith(start)),
        `${page}: ${start}`,
      ).toBe(true)
    for (const fill of Object.keys(own.fills ?? {})) expect(text, page).toContain(fill)
    for (const heading of Object.keys(own.before ?? {}))
      expect(
        blocks.map((block) => block.heading),
        page,
      ).toContain(heading)
  }
  expect(await verify(gateway)).toMatchObject({ ok: true })
})
