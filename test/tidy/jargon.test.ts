// The gateway's own words for its parts stay out of what people see, unless the page explains them.
import path from 'node:path'
import { expect, test } from 'vitest'
import { filesIn, isTest, readText, sources } from './sources.ts'

/** How each of them is written, and the word by whose explanation it is explained too. */
const jargon: readonly (readonly [word: RegExp, explainedBy: string])[] = [
  [/\brungs?\b/i, 'rung|ladder'],
  [/\bladders?\b/i, 'ladder'],
  [/\brails?\b/i, 'rail'],
  [/\bhops?\b/i, 'hop|ladder'],
  [/\bfits\b/i, 'fits'],
]

/** A heading, a definition, a word in bold, or a link to where it is explained. */
const isExplained = (text: string, word: string) =>
  new RegExp(
    `^#+ .*(?:${word})|\\b[Aa] (?:${word}) is\\b|\\*\\*[^*\\n]*(?:${word})|\\[[^\\]]*(?:${word})[^\\]]*\\]\\(|\\]\\([^)]*#[^)]*(?:${word})`,
    'im',
  ).test(text)

const jargonIn = (text: string) => jargon.filter(([word]) => word.test(text))

test('a document for people explains the words of the gateway that it uses', () => {
  const unexplained = ['docs/use', 'docs/operate']
    .flatMap((folder) => filesIn(folder).filter((file) => file.endsWith('.md')))
    .flatMap((file) => {
      const text = readText(file)
      const prose = text.replaceAll(/```[\s\S]*?```/g, '').replaceAll(/`[^`\n]*`/g, '')
      return jargonIn(prose)
        .filter(([, word]) => !isExplained(text, word))
        .map(([word]) => `${file}: ${word.exec(prose)?.[0]}`)
    })
  expect(unexplained).toEqual([])
})

test('no message of an error, and no text of the console, has one of them', () => {
  const shown = sources
    .filter(({ file }) => !isTest(file) && /^(src|console\/src|clients\/command\/src)\//.test(file))
    .flatMap(({ file, text }) => textsOf(file, text).map((each) => ({ file, each })))
  expect(shown.length).toBeGreaterThan(1_000)
  const found = shown
    .filter(({ each }) => jargonIn(each).length > 0)
    .map(({ file, each }) => `${file}: ${each}`)
  expect(found).toEqual([])
})

/** Messages of errors, and in pages of the console what stands between tags and in attributes. */
function textsOf(file: string, text: string): string[] {
  const messages = [...text.matchAll(/message:\s*(['`])([^'`]*)\1/g)].map(
    ([, , words = '']) => words,
  )
  const isPage = path.extname(file) === '.tsx'
  const between = isPage ? [...text.matchAll(/>([^<>{}=;()]*[a-z][^<>{}=;()]*)</g)] : []
  const named = isPage
    ? [
        ...text.matchAll(
          /(?:title|label|caption|empty|about|question|confirm|name)(?:=|: )["']([^"']+)["']/g,
        ),
      ]
    : []
  return [...messages, ...[...between, ...named].map(([, words = '']) => words)]
    .map((words) => words.replaceAll(/\$\{[^}]*\}/g, '').trim())
    .filter((words) => words !== '')
}
