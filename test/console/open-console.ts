// The console of a whole gateway in a real Chromium.
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { glob, mkdir, mkdtemp, rename, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import { type BrowserContext, chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll } from 'vitest'
import { findChromium } from '#platform/chromium/chromium.ts'
import type { AtEnd } from '#test/database.ts'
import { type LlmGateway, startLlmGateway } from '#test/llm-gateway.ts'
import { buildConsole, consoleSources } from '../../console/build.ts'

type LlmGatewayOptions = NonNullable<Parameters<typeof startLlmGateway>[0]>

export interface OpenConsole {
  readonly gateway: LlmGateway
  /** The built console. */
  readonly folder: string
  /** A browser of its own for one person, who has signed in with this key or token. */
  signIn(secret: string): Promise<Visit>
  /** A browser of its own, which has opened nothing yet. */
  visit(): Promise<Visit>
}

export interface Visit {
  readonly context: BrowserContext
  readonly page: Page
  /** What the page reported: errors, and what its policy refused. */
  readonly complaints: string[]
  /** Opens a page of the console and waits until it has loaded what it shows. */
  enter(path: string): Promise<void>
  /** Presses a button by the keyboard. */
  press(name: string): Promise<void>
}

/** Browsers report each answer of 4xx, also one that the page shows to the person. */
export const withoutRefusals = (complaints: readonly string[]) =>
  complaints.filter((text) => !/the server responded with a status of 4\d\d/.test(text))

export const chromiumPath = await findChromium()

const root = path.join(import.meta.dirname, '../..')
const cache = path.join(root, '.cache')

/**
 * The folder of the built console. The first file of a run builds it, and the others use it for as long as its sources
 * stay the same.
 */
async function builtConsole(): Promise<string> {
  const hash = createHash('sha256')
  const files: string[] = []
  for await (const file of glob([...consoleSources, 'package-lock.json'], { cwd: root }))
    files.push(file)
  for (const file of files.sort()) {
    const { size, mtimeMs } = await stat(path.join(root, file))
    hash.update(`${file} ${size} ${mtimeMs}\n`)
  }
  const folder = path.join(cache, `console-${hash.digest('hex').slice(0, 12)}`)
  if (existsSync(folder)) return folder
  // Two files may build at the same time, and each must find a whole console.
  await mkdir(cache, { recursive: true })
  const unfinished = await mkdtemp(path.join(cache, 'unfinished-'))
  await buildConsole(unfinished)
  await rename(unfinished, folder).catch(() => rm(unfinished, { recursive: true }))
  return folder
}

/**
 * One gateway and one browser for all tests of a file. The options may be made by what runs beside the
 * gateway.
 */
export function shareConsole(
  options: LlmGatewayOptions | ((atEnd: AtEnd) => Promise<LlmGatewayOptions>) = {},
): () => OpenConsole {
  let opened: OpenConsole | undefined
  const endings: (() => Promise<unknown>)[] = []
  beforeAll(async () => {
    const folder = await builtConsole()
    const atEnd: AtEnd = (work) => void endings.unshift(work)
    const chosen = typeof options === 'function' ? await options(atEnd) : options
    const gateway = await startLlmGateway({ ...chosen, consoleFolder: folder }, atEnd)
    const browser = await chromium.launch({ executablePath: chromiumPath ?? '' })
    endings.unshift(() => browser.close())
    const visit = async () =>
      await openVisit(await browser.newContext({ timezoneId: 'Asia/Kolkata' }), gateway.url)
    opened = {
      gateway,
      folder,
      visit,
      async signIn(secret) {
        const visited = await visit()
        const { page } = visited
        await page.goto(`${gateway.url}/sign-in?next=/console`)
        await page.getByLabel('API key').fill(secret)
        await page.getByRole('button', { name: 'Sign in' }).click()
        await page.waitForURL(({ pathname }) => pathname === '/console')
        return visited
      },
    }
  })
  afterAll(async () => {
    for (const end of endings) await end()
  })
  return () => {
    if (opened === undefined) throw new Error('The console exists only while a test runs.')
    return opened
  }
}

async function openVisit(context: BrowserContext, url: string): Promise<Visit> {
  const page = await context.newPage()
  const complaints: string[] = []
  page.on('pageerror', (error) => complaints.push(error.message))
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text())
  })
  return {
    context,
    page,
    complaints,
    async enter(at) {
      await page.goto(`${url}/console${at}`)
      await page.getByRole('heading', { level: 1 }).waitFor()
      await page.waitForFunction(() => !document.body.textContent?.includes('Loading …'))
    },
    async press(name) {
      await page.getByRole('button', { name, exact: true }).press('Enter')
    },
  }
}
