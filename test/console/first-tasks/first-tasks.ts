// First tasks of people, done in Chromium by what is on the screen alone: the words of links, buttons and fields, from
// the start page on. A script of a task gives no address of a page, no selector, and asks the API only what came of it.
import type { Locator, Page } from 'playwright-core'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import type { OpenConsole, Visit } from '../open-console.ts'

/** A person gives up on a way that is much longer. */
const pressesMax = 8

/** A part of the page, as a person sees it. A name is what is written there; screen readers may add of what it is. */
export interface Screen {
  /** All links of this name must lead to the same place. */
  follow(name: string | RegExp): Promise<void>
  press(name: string | RegExp): Promise<void>
  /** Opens what a line with a triangle hides. */
  unfold(name: string): Promise<void>
  fill(label: string, text: string): Promise<void>
  choose(label: string, option: string): Promise<void>
  /** Waits until it is there to be read. */
  see(text: string | RegExp): Promise<void>
  /** Presses a button, and answers with what is in the clipboard then. */
  copy(name?: string): Promise<string>
  /** Sends a form by the Enter key. */
  enter(label: string, text: string): Promise<void>
  /** The first row of a table with this text. */
  row(text: string): Screen
  region(name: string): Screen
  /** A block of code. */
  block(text: string): Screen
  dialog(): Screen
  /** The words that it shows. */
  words(): Promise<string>
}

interface Counts {
  presses: number
  fields: number
}

interface Done extends Counts {
  readonly task: string
  readonly seconds: number
}

/** The tasks of one person, in order. At the end of the file it prints what each took. */
export function firstTasksOf(person: string, opened: () => OpenConsole) {
  const done: Done[] = []
  let visit: Visit | undefined

  afterAll(() => {
    if (done.length > 0) process.stdout.write(`${tableOf(person, done)}\n`)
  })

  /** Their own browser, from their first task to their last. */
  async function browser(): Promise<Visit> {
    visit ??= await opened().visit()
    await visit.context.grantPermissions(['clipboard-read', 'clipboard-write'])
    return visit
  }

  return function task(
    title: string,
    work: (begin: (link?: string) => Promise<{ screen: Screen; page: Page }>) => Promise<void>,
  ) {
    test(title, async () => {
      const counts = { presses: 0, fields: 0 }
      let began = 0
      await work(async (link = opened().gateway.url) => {
        const page = await (await browser()).context.newPage()
        onTestFinished(() => page.close())
        began = performance.now()
        await page.goto(link)
        return { screen: screenOf(page, page.locator('body'), counts), page }
      })
      done.push({ task: title, ...counts, seconds: (performance.now() - began) / 1_000 })
      expect(counts.presses, 'presses').toBeLessThanOrEqual(pressesMax)
    })
  }
}

const escaped = (text: string) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')
/** `Revoke` is the name of a button that screen readers call `Revoke: Weather robot`. */
const named = (name: string | RegExp) =>
  typeof name === 'string' ? new RegExp(`^${escaped(name)}(: .*)?$`) : name

function screenOf(page: Page, place: Locator, counts: Counts): Screen {
  const within = (part: Locator) => screenOf(page, part, counts)
  const click = async (what: Locator) => {
    counts.presses += 1
    await what.click()
  }
  const type = async (label: string, text: string) => {
    counts.fields += 1
    await place.getByLabel(label, { exact: true }).fill(text)
  }
  const press = (name: string | RegExp) => click(place.getByRole('button', { name: named(name) }))
  return {
    press,
    async follow(name) {
      const links = place.getByRole('link', { name: named(name) })
      await links.first().waitFor()
      const places = await links.evaluateAll((all) =>
        all.map((link) => (link as HTMLAnchorElement).href),
      )
      expect(new Set(places).size, `places behind ${name}: ${places.join(' ')}`).toBe(1)
      await click(links.first())
    },
    unfold: (name) => click(place.getByText(name, { exact: true })),
    fill: type,
    async enter(label, text) {
      await type(label, text)
      counts.presses += 1
      await page.keyboard.press('Enter')
    },
    async choose(label, option) {
      counts.fields += 1
      await place.getByLabel(label, { exact: true }).selectOption({ label: option })
    },
    see: (text) => place.getByText(text).filter({ visible: true }).first().waitFor(),
    async copy(name = 'Copy') {
      await press(name)
      await place.getByText('Copied', { exact: false }).first().waitFor()
      return await page.evaluate(() => navigator.clipboard.readText())
    },
    row: (text) => within(place.getByRole('row').filter({ hasText: text }).first()),
    block: (text) => within(place.getByRole('figure').filter({ hasText: text })),
    region: (name) => within(place.getByRole('region', { name })),
    dialog: () => within(page.getByRole('dialog')),
    words: async () => (await place.textContent()) ?? '',
  }
}

function tableOf(person: string, done: readonly Done[]): string {
  const rows = done.map(({ task, presses, fields, seconds }) => [
    task,
    String(presses),
    String(fields),
    seconds.toFixed(1),
  ])
  const sum = (of: (each: Done) => number) => done.reduce((total, each) => total + of(each), 0)
  const total = [
    `All ${done.length}`,
    String(sum(({ presses }) => presses)),
    String(sum(({ fields }) => fields)),
    sum(({ seconds }) => seconds).toFixed(1),
  ]
  const lines = [[person, 'Presses', 'Fields', 'Seconds'], ...rows, total]
  const widths = [0, 1, 2, 3].map((column) =>
    Math.max(...lines.map((line) => line[column]?.length ?? 0)),
  )
  return lines
    .map((line) => line.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  '))
    .join('\n')
}
