import { existsSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { anchorOf } from '#surfaces/doors/guide.ts'
import { limits } from './limits.ts'
import { filesIn, isTest, readText, root, sources } from './sources.ts'

const documents = readdirSync(root)
  .concat(filesIn('docs'), filesIn('reader'), filesIn('clients'))
  .filter((file) => file.endsWith('.md'))

/** Written by `npm run generate`. */
const isWritten = (file: string) =>
  /^docs\/reference\/|^docs\/use\/command\.md$|^SKILL\.md$/.test(file)

const anchorsOf = (text: string) =>
  [...text.matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) => anchorOf(heading))

test('a link to a heading leads to one', () => {
  const broken = documents.flatMap((file) =>
    [...readText(file).matchAll(/\]\(([^):#\s]*)#([^)\s]+)\)/g)].flatMap(
      ([, target = '', anchor = '']) => {
        const at = target === '' ? file : path.posix.join(path.posix.dirname(file), target)
        return anchorsOf(readText(at)).includes(anchor) ? [] : [`${file}: ${target}#${anchor}`]
      },
    ),
  )
  expect(broken).toEqual([])
})

test('the README leads to the start of each guide, and the start to each of its pages', () => {
  const linksIn = (file: string) =>
    [...readText(file).matchAll(/\]\(([^):#\s]+\.md)/g)].map(([, target = '']) =>
      path.posix.join(path.posix.dirname(file), target),
    )
  const guides = ['docs/use', 'docs/operate', 'docs/decisions']
  const starts = [
    ...guides.map((guide) => `${guide}/README.md`),
    'docs/extend.md',
    'ARCHITECTURE.md',
  ]
  expect(linksIn('README.md')).toEqual(expect.arrayContaining(starts))
  for (const guide of guides) {
    const start = `${guide}/README.md`
    expect([start, ...linksIn(start)]).toEqual(expect.arrayContaining(filesIn(guide)))
  }
})

test('a document has one title, and its links lead somewhere', () => {
  const problems = documents.flatMap((file) => {
    const prose = readText(file).replace(/```[\s\S]*?```/g, '')
    const titles = prose.match(/^# /gm)?.length ?? 0
    const broken = [...prose.matchAll(/\]\((?!https?:|#|mailto:)([^)#\s]+)/g)]
      .map((match) => match[1] ?? '')
      .filter((link) => !existsSync(path.join(root, path.dirname(file), link)))
    return [
      ...(titles === 1 ? [] : [`${file}: ${titles} titles`]),
      ...broken.map((link) => `${file}: ${link} does not exist`),
    ]
  })
  expect(problems).toEqual([])
})

/** Without code blocks and tables, whose lines cannot wrap, and without references of links. */
const wrapping = (text: string) =>
  text
    .replace(/^ *(```|~~~)[\s\S]*?^ *\1/gm, '')
    .split('\n')
    .filter((line) => !/^\s*(\||<|\[[^\]]+\]:|#)/.test(line))

test('a document wraps, except for a word that is longer than a line', () => {
  const wide = documents
    .filter((file) => !isWritten(file))
    .flatMap((file) =>
      wrapping(readText(file))
        .filter((line) => line.length > limits.columns && !/\S{60}/.test(line))
        .map((line) => `${file}: ${line.slice(0, 60)}`),
    )
  expect(wide).toEqual([])
})

/** Files that a walk or an operator creates. */
const examples = new Set([
  'src/catalog/ns_scholar/venues.ts',
  'src/money/schema/migrations/0006_add_note.sql',
  'tides.ts',
])

test('a file that a document names exists', () => {
  const known = [
    'bench',
    'bin',
    'clients',
    'console',
    'docs',
    'examples',
    'models',
    'reader',
    'scripts',
    'src',
    'test',
  ]
    .flatMap((folder) => filesIn(folder))
    .concat(readdirSync(root))
    .map((file) => `/${file}`)
  const missing = documents.flatMap((document) =>
    [...readText(document).matchAll(/`(\w[\w./-]*\.(?:ts|js|sql|tsv|json))`/g)]
      .map(([, file = '']) => file)
      .filter((file) => !examples.has(file) && !known.some((each) => each.endsWith(`/${file}`)))
      .map((file) => `${document}: ${file}`),
  )
  expect(missing).toEqual([])
})

test('the guide for operators quotes every operator alert', () => {
  const alerts = sources
    .filter(({ file }) => file.startsWith('src/') && !isTest(file))
    .flatMap(({ text }) => [...text.matchAll(/Operator alert: ((?:\$\{\w+\}|[^.,;'`$])+)/g)])
    .map(([, alert = '']) => alert.replaceAll(/\$\{\w+\}/g, '…').trim())
  const quoted = [...readText('docs/operate/trouble.md').matchAll(/^\| `([^`]+)`/gm)]
  expect(quoted.map(([, alert]) => alert).sort()).toEqual([...new Set(alerts)].sort())
})
