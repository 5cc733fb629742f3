// Two thousand pages to search: the manuals of Debian packages, the documentation of installed npm packages, and
// samples of the reader. The manuals are fetched as packages; none of these pages is part of the repository.
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import path from 'node:path'
import { readBody } from '@tollway/reader'
import { marked } from 'marked'
import { readSamples } from '../../reader/samples/read-samples.ts'

export interface DocumentationPage {
  readonly url: string
  readonly title: string
  /** As page reading returns it to an index: HTML. */
  readonly content: string
  /** The same as Markdown. */
  readonly text: string
}

interface Manual {
  readonly package: string
  /** Below `/usr/share`. */
  readonly folder: string
  readonly pages: number
  readonly leftOut?: RegExp
}

const manuals: readonly Manual[] = [
  { package: 'postgresql-doc-15', folder: 'doc/postgresql-doc-15', pages: 660 },
  {
    package: 'python3.11-doc',
    folder: 'doc/python3.11/html',
    pages: 370,
    leftOut: /genindex|search\.html|modindex/,
  },
  {
    package: 'python-django-doc',
    folder: 'doc/python-django-doc/html',
    pages: 270,
    leftOut: /genindex|search\.html|_modules|releases|modindex/,
  },
  { package: 'git-doc', folder: 'doc/git', pages: 160 },
  { package: 'nodejs-doc', folder: 'doc/nodejs', pages: 60, leftOut: /all\.html/ },
  ...['de', 'es', 'fr', 'ja'].map((language) => ({
    package: `debian-reference-${language}`,
    folder: 'debian-reference',
    pages: 14,
  })),
  ...['de', 'fr'].map((language) => ({
    package: `developers-reference-${language}`,
    folder: `developers-reference/${language}`,
    pages: 12,
  })),
]
const pageCount = 2_000
const samplePages = 160
const textCharacters = { min: 500, max: 200_000 } as const

/** The pages, always the same ones from the same packages. `folder` keeps the unpacked manuals. */
export function readDocumentation(folder: string): DocumentationPage[] {
  const manualPages = manuals.flatMap((manual) =>
    readManual(unpackManual(manual.package, folder), manual),
  )
  const samples = choose(samplesOfReader(), samplePages)
  const rest = pageCount - manualPages.length - samples.length
  return [...manualPages, ...samples, ...choose(documentsOfPackages(), rest)]
}

/** Where the package is unpacked in the folder. */
export function unpackManual(name: string, folder: string): string {
  const target = path.join(folder, name)
  if (existsSync(target)) return target
  const downloads = path.join(folder, `${name}.download`)
  rmSync(downloads, { recursive: true, force: true })
  mkdirSync(downloads, { recursive: true })
  execFileSync('apt-get', ['download', '-qq', name], { cwd: downloads, stdio: 'pipe' })
  for (const file of readdirSync(downloads))
    execFileSync('dpkg-deb', ['-x', path.join(downloads, file), target])
  rmSync(downloads, { recursive: true })
  return target
}

function readManual(root: string, { package: name, folder, pages, leftOut }: Manual) {
  const base = path.join(root, 'usr/share', folder)
  const files = filesBelow(base, '.html').filter((file) => !leftOut?.test(file))
  const found = files.flatMap((file) =>
    readPage(`https://${name}.example/${path.relative(base, file)}`, readFileSync(file, 'utf8')),
  )
  return choose(found, pages)
}

function documentsOfPackages() {
  const base = path.join(import.meta.dirname, '../../node_modules')
  return filesBelow(base, '.md')
    .filter((file) => !/changelog|license|history|security|code_of/i.test(file))
    .flatMap((file) => {
      const html = marked.parse(readFileSync(file, 'utf8'), { async: false })
      const title = path.relative(base, path.dirname(file))
      const page = `<!doctype html><title>${title}</title><main>${html}</main>`
      return readPage(`https://packages.example/${path.relative(base, file)}`, page)
    })
}

function samplesOfReader() {
  return readSamples().flatMap(({ name: source, samples }) =>
    samples
      .filter(({ kind, status = 200 }) => kind === 'page' && status === 200)
      .flatMap(({ name, html }) =>
        readPage(`https://${source}.example/${encodeURIComponent(name)}`, html),
      ),
  )
}

function readPage(url: string, html: string): DocumentationPage[] {
  if (html.length > 2_000_000) return []
  const page = readBody(
    { kind: 'html', body: html, finalUrl: url },
    { format: 'html', mainContent: true, also: ['markdown'] },
  )
  const { content, title, forms } = page
  const text = forms.markdown ?? ''
  if (title === null || text.length < textCharacters.min || text.length > textCharacters.max)
    return []
  return [{ url, title, content, text }]
}

/** The first pages by a hash of their addresses: always the same ones, spread over all. */
function choose(pages: readonly DocumentationPage[], count: number): DocumentationPage[] {
  const hashOf = ({ url }: DocumentationPage) => createHash('sha256').update(url).digest('hex')
  const byText = new Map(pages.map((page) => [page.text, page]))
  return [...byText.values()]
    .map((page) => ({ page, hash: hashOf(page) }))
    .sort((one, other) => (one.hash < other.hash ? -1 : 1))
    .slice(0, count)
    .map(({ page }) => page)
}

export function filesBelow(folder: string, ending: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.toLowerCase().endsWith(ending))
    .map((entry) => path.join(entry.parentPath, entry.name))
    .toSorted()
}
