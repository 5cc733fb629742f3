// What the checks let through is drawn without boxes, in Chromium and with the fonts of this machine. Fontconfig, which
// reads fonts by code of its own, says what the fonts have that Chromium took. SCRIPT_STRINGS=200 draws as many for
// each script as are asked for.
import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { chromium } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { findChromium, launchChromium } from '#platform/chromium/chromium.ts'
import { findProgram } from '#platform/sandbox/sandbox.ts'
import { emojiFace, fontCss } from '../components/drawing.ts'
import { createDice } from '../render/broken-media.fixture.ts'
import { installedFonts } from './installed.ts'
import type { FontShelf } from './shelf.ts'

const run = promisify(execFile)
const strings = Number(process.env.SCRIPT_STRINGS ?? 20)
const scriptsMin = 60
/** New versions of Unicode add letters that the fonts of a Debian release do not have yet. */
const lettersShareMin = 0.9
const scripts = [
  ...[
    'Latin',
    'Cyrillic',
    'Greek',
    'Armenian',
    'Georgian',
    'Hebrew',
    'Arabic',
    'Syriac',
    'Thaana',
    'Nko',
  ],
  ...[
    'Samaritan',
    'Mandaic',
    'Devanagari',
    'Bengali',
    'Gurmukhi',
    'Gujarati',
    'Oriya',
    'Tamil',
    'Telugu',
  ],
  ...[
    'Kannada',
    'Malayalam',
    'Sinhala',
    'Thai',
    'Lao',
    'Myanmar',
    'Ethiopic',
    'Cherokee',
    'Ogham',
    'Runic',
  ],
  ...[
    'Canadian_Aboriginal',
    'Tagalog',
    'Hanunoo',
    'Buhid',
    'Tagbanwa',
    'Khmer',
    'Mongolian',
    'Limbu',
    'Tai_Le',
  ],
  ...[
    'New_Tai_Lue',
    'Buginese',
    'Balinese',
    'Sundanese',
    'Batak',
    'Lepcha',
    'Ol_Chiki',
    'Glagolitic',
    'Coptic',
  ],
  ...[
    'Tifinagh',
    'Yi',
    'Lisu',
    'Vai',
    'Bamum',
    'Syloti_Nagri',
    'Phags_Pa',
    'Saurashtra',
    'Kayah_Li',
    'Rejang',
  ],
  ...[
    'Javanese',
    'Cham',
    'Tai_Viet',
    'Meetei_Mayek',
    'Gothic',
    'Deseret',
    'Osmanya',
    'Chakma',
    'Adlam',
  ],
  ...['Han', 'Hiragana', 'Katakana', 'Hangul'],
]
const hasFontconfig = (await findProgram('fc-list')) !== undefined
const executablePath = (await findChromium(undefined)) ?? ''

function charactersOf(script: string, kind: 'L' | 'M'): string[] {
  const form = new RegExp(`^(?=\\p{Script=${script}})\\p{${kind}}$`, 'u')
  const all = Array.from({ length: 0x30000 }, (_, code) => code).filter(
    (code) => code >> 11 !== 0x1b,
  )
  return all.map((code) => String.fromCodePoint(code)).filter((character) => form.test(character))
}

/** Letters of the script in any order, some of them with marks. */
function textsOf(script: string, seed: number): string[] {
  const [letters, marks] = [charactersOf(script, 'L'), charactersOf(script, 'M')]
  const dice = createDice(seed)
  const pick = (list: readonly string[]) => list[Math.floor(dice() * list.length)] ?? ''
  return Array.from({ length: strings }, () =>
    Array.from({ length: 2 + Math.floor(dice() * 10) }, () =>
      dice() < 0.15 ? `${pick(letters)}${pick(marks)}` : pick(letters),
    ).join(dice() < 0.2 ? ' ' : ''),
  )
}

type Charset = readonly (readonly [first: number, last: number])[]

/** By the PostScript name of each font. */
async function charsetsByFont(): Promise<Map<string, Charset>> {
  const format = '%{postscriptname}\t%{charset}\n'
  const { stdout } = await run('fc-list', ['--format', format], { maxBuffer: 100_000_000 })
  return new Map(
    stdout.split('\n').map((line) => {
      const [name = '', ranges = ''] = line.split('\t')
      const pairs = ranges.split(' ').map((range): [number, number] => {
        const [first = '', last = first] = range.split('-')
        return [Number.parseInt(first, 16), Number.parseInt(last, 16)]
      })
      return [name, pairs]
    }),
  )
}

/** The fonts that Chromium draws each text with. */
async function fontsFor(texts: readonly string[], shelf: FontShelf): Promise<string[][]> {
  const fallbackOf = (text: string) =>
    [...shelf.familiesFor(text).map((name) => JSON.stringify(name)), 'sans-serif'].join()
  const running = await launchChromium({
    executablePath,
    sandbox: true,
    driver: chromium,
    proxyUrl: 'http://127.0.0.1:9',
    hasPictures: true,
  })
  try {
    const page = await (await running.browser.newContext({ offline: true })).newPage()
    const style = `<style>${emojiFace()}p{font-family:${fontCss('sans')}}</style>`
    const escaped = texts.map(
      (text) =>
        `<p style='--fallback:${fallbackOf(text)}'>${text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')}</p>`,
    )
    await page.setContent(`<!doctype html><meta charset="utf-8">${style}${escaped.join('')}`)
    const devtools = await page.context().newCDPSession(page)
    await devtools.send('DOM.enable')
    await devtools.send('CSS.enable')
    const { root } = await devtools.send('DOM.getDocument')
    const all = { nodeId: root.nodeId, selector: 'p' }
    const { nodeIds } = await devtools.send('DOM.querySelectorAll', all)
    const found: string[][] = []
    for (const nodeId of nodeIds) {
      const { fonts } = await devtools.send('CSS.getPlatformFontsForNode', { nodeId })
      found.push(fonts.map(({ postScriptName }) => postScriptName))
    }
    return found
  } finally {
    await running.close()
  }
}

const drawsNothing = /^[\p{White_Space}\p{Default_Ignorable_Code_Point}]$/u

function boxesIn(text: string, charsets: readonly Charset[]): string[] {
  const has = (character: string) =>
    [...character].every((each) => {
      const code = each.codePointAt(0) ?? 0
      return charsets.some((ranges) =>
        ranges.some(([first, last]) => first <= code && code <= last),
      )
    })
  return [...text].filter(
    (each) =>
      !drawsNothing.test(each) &&
      !has(each) &&
      !has(each.normalize('NFD')) &&
      !has(text.normalize('NFC')),
  )
}

describe.skipIf(!hasFontconfig || executablePath === '')('texts of many scripts', () => {
  test('that validate lets through have no box', { timeout: 1_800_000 }, async () => {
    const shelf = await installedFonts()
    if (shelf === undefined) throw new Error('No font was found.')
    const charsets = await charsetsByFont()
    const drawn = scripts.map((script, seed) => ({ script, texts: textsOf(script, seed) }))
    const sold = drawn.flatMap(({ script, texts }) =>
      texts.filter((text) => shelf.missing(text).length === 0).map((text) => ({ script, text })),
    )
    const fonts = await fontsFor(
      sold.map(({ text }) => text),
      shelf,
    )
    const boxes = sold.flatMap(({ script, text }, index) => {
      const own = (fonts[index] ?? []).flatMap((name) => charsets.get(name) ?? [])
      const found = boxesIn(text, [own])
      return found.length === 0 ? [] : [{ script, text, found, fonts: fonts[index] }]
    })
    expect(boxes).toEqual([])
    const written = scripts.filter((script) => {
      const letters = charactersOf(script, 'L')
      const drawable = letters.filter((letter) => shelf.missing(letter).length === 0)
      return drawable.length >= letters.length * lettersShareMin
    })
    const hasPackages = charsets.has('NotoSansBalinese-Regular')
    if (hasPackages) expect(written.length).toBeGreaterThanOrEqual(scriptsMin)
    const told = process.env.SCRIPTS_REPORT
    const report = { strings: scripts.length * strings, sold: sold.length, scripts: written.length }
    if (told !== undefined) await writeFile(told, JSON.stringify(report))
  })
})
