// Trees of documentation with a line of description for each of many pages: what `apropos` would print. The question is
// the description, and the page that it describes is right. All trees have pages that list the others, often with the
// same descriptions. The manuals are fetched as packages; none of these pages is part of the repository.
import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { readBody } from '@tollway/reader'
import { marked } from 'marked'
import { type DocumentationPage, filesBelow, unpackManual } from './documentation-pages.ts'

export interface Tree {
  readonly name: string
  readonly pages: readonly DocumentationPage[]
  readonly questions: readonly KnownItem[]
}

export interface KnownItem {
  readonly question: string
  /** The pages that answer it. */
  readonly urls: readonly string[]
}

interface TreeSource {
  /** A Debian package. */
  readonly package: string
  /** Below `/usr/share/doc`. */
  readonly folder: string
  /** What a page is described with, from its file or its title. */
  readonly describe: (page: DocumentationPage, html: string) => string | undefined
}

/** `json — JSON encoder and decoder` */
const afterDash = ({ title }: DocumentationPage) => /^\S+ [—-] (.+)$/u.exec(cleanTitle(title))?.[1]
const cleanTitle = (title: string) => title.replace(/¶$/, '')

const sources: Readonly<Record<string, TreeSource>> = {
  git: {
    package: 'git-doc',
    folder: 'git/html',
    describe: (_, html) =>
      /<h2>NAME<\/h2>\s*<div class="sectionbody">\s*<p>[\w-]+ -\s+([^<]+?)\s*<\/p>/.exec(html)?.[1],
  },
  fish: { package: 'fish-common', folder: 'fish', describe: afterDash },
  Python: { package: 'python3.11-doc', folder: 'python3.11/html', describe: afterDash },
  PostgreSQL: {
    package: 'postgresql-doc-15',
    folder: 'postgresql-doc-15/html',
    describe: (_, html) =>
      /class="refnamediv"><h2>.{1,300}?<p>[^<]{1,100} — ([^<]+)<\/p>/s
        .exec(html)?.[1]
        ?.replaceAll(/\s+/g, ' '),
  },
  Django: {
    package: 'python-django-doc',
    folder: 'python-django-doc/html',
    describe: ({ title }) => cleanTitle(title),
  },
}
const leftOut = /_modules|\/releases\/|changelog/
const questionsMax = 80
const descriptionWordsMin = 3
const descriptionCharactersMax = 200
const pageCharactersMax = 2_000_000
const textCharactersMin = 50

/** `folder` keeps the unpacked manuals. */
export function* readTrees(folder: string): Generator<Tree> {
  for (const [name, source] of Object.entries(sources)) {
    const base = path.join(unpackManual(source.package, folder), 'usr/share/doc', source.folder)
    const files = filesBelow(base, '.html').filter((file) => !leftOut.test(file))
    const described = files.flatMap((file) => {
      const html = readFileSync(file, 'utf8')
      const url = `https://${name.toLowerCase()}.example/${path.relative(base, file)}`
      return readPage(url, html).map((page) => ({ page, said: source.describe(page, html) }))
    })
    yield treeOf(name, described)
  }
  yield treeOf('npm', readPackages())
}

/** The READMEs of installed packages; each package describes itself in its package.json. */
function readPackages() {
  const base = path.join(import.meta.dirname, '../../node_modules')
  return filesBelow(base, 'readme.md').flatMap((file) => {
    const html = marked.parse(readFileSync(file, 'utf8'), { async: false })
    const title = path.relative(base, path.dirname(file))
    const page = `<!doctype html><title>${title}</title><main>${html}</main>`
    const manifest = path.join(path.dirname(file), 'package.json')
    const said = existsSync(manifest)
      ? JSON.parse(readFileSync(manifest, 'utf8')).description
      : undefined
    const url = `https://packages.example/${path.relative(base, file)}`
    return readPage(url, page).map((read) => ({ page: read, said }))
  })
}

function readPage(url: string, html: string): DocumentationPage[] {
  if (html.length > pageCharactersMax) return []
  const { content, title, forms } = readBody(
    { kind: 'html', body: html, finalUrl: url },
    { format: 'html', mainContent: true, also: ['markdown'] },
  )
  const text = forms.markdown ?? ''
  return text.length < textCharactersMin ? [] : [{ url, title: title ?? url, content, text }]
}

interface DescribedPage {
  readonly page: DocumentationPage
  readonly said: string | undefined
}

function treeOf(name: string, described: readonly DescribedPage[]): Tree {
  const bySaid = Map.groupBy(described, ({ said }) => said?.replaceAll(/[`*_\\[\]]|&\w+;/g, ''))
  const questions = [...bySaid].flatMap(([said, pages]) =>
    said !== undefined && isQuestion(said)
      ? [{ question: said, urls: pages.map(({ page }) => page.url) }]
      : [],
  )
  return {
    name,
    pages: described.map(({ page }) => page),
    questions: chooseByHash(questions, ({ question }) => question).slice(0, questionsMax),
  }
}

const isQuestion = (said: string) =>
  said.length <= descriptionCharactersMax &&
  (said.match(/[\p{L}\p{N}]+/gu) ?? []).length >= descriptionWordsMin

/** In an order that is always the same. */
const chooseByHash = <Value>(values: readonly Value[], textOf: (value: Value) => string) =>
  values
    .map((value) => ({
      value,
      hash: createHash('sha256').update(textOf(value)).digest('hex'),
    }))
    .sort((one, other) => (one.hash < other.hash ? -1 : 1))
    .map(({ value }) => value)

const wrongLetters = 'etaoinsr'
const misspeltLettersMin = 5

/**
 * The question with an error in its longest word: a letter left out, swapped, doubled or changed. Undefined if it has
 * only short words.
 */
export function misspell(question: string): string | undefined {
  const words = [...question.matchAll(new RegExp(`[A-Za-z]{${misspeltLettersMin},}`, 'g'))]
  const [longest] = words.toSorted((one, other) => other[0].length - one[0].length)
  if (longest === undefined) return undefined
  const [word] = longest
  const [place = 0, kind = 0, letter = 0] = createHash('sha256').update(question).digest()
  const at = 1 + (place % (word.length - 2))
  const [before, here = '', next = ''] = [word.slice(0, at), word[at], word[at + 1]]
  const rest = word.slice(at + 1)
  const wrong = [
    before + rest,
    before + next + here + word.slice(at + 2),
    before + here + here + rest,
    before + wrongLetters[letter % wrongLetters.length] + rest,
  ][kind % 4] as string
  if (wrong === word) return undefined
  return question.slice(0, longest.index) + wrong + question.slice(longest.index + word.length)
}
