import { existsSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { filesIn, readText, root } from './sources.ts'

const documents = readdirSync(root)
  .concat(filesIn('docs'), filesIn('reader'))
  .filter((file) => file.endsWith('.md'))

/** The fragments by which code hosts, and the served guide, link to the headings of a document. */
const anchorsOf = (text: string) =>
  [...text.matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-'),
  )

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
