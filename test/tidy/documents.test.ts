import { existsSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { filesIn, readText, root } from './sources.ts'

const documents = readdirSync(root)
  .concat(filesIn('docs'), filesIn('reader'))
  .filter((file) => file.endsWith('.md'))

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
