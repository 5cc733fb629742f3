// How long files and functions may be, and how many files a folder may hold.
import path from 'node:path'
import { expect, test } from 'vitest'
import { compare, expectOnlyExceptions } from './exceptions.ts'
import { limits } from './limits.ts'
import { allFiles, isAction, isFixture, isGenerated, isTest, readText, sources } from './sources.ts'
import { commentLines, foldedProperties, functionsOf } from './syntax.ts'

const measured = sources.filter(
  ({ file }) => !isTest(file) && !isFixture(file) && !isGenerated(file),
)
const cannotWrap = (text: string) => /\S{60}|biome-ignore/.test(text)
const linesOf = (text: string) => text.split('\n').length - 1

test('a file is short, and an action is shorter', () => {
  const long = measured
    .map(({ file, text }) => ({
      file,
      lines: linesOf(text),
      most: isAction(file) ? limits.actionFileLines : limits.fileLines,
    }))
    .filter(({ lines, most }) => lines > most)
    .map(({ file, lines, most }) => `${file}: ${lines}, at most ${most}`)
  expect(long).toEqual([])
})

test('a function is short', () => {
  const long = measured
    .filter(({ text }) => linesOf(text) > limits.functionStatements)
    .flatMap(functionsOf)
    .filter(({ statements }) => statements > limits.functionStatements)
  expect(long.map(({ file, name, statements }) => `${file} ${name}: ${statements}`)).toEqual([])
})

test('each property of an object has a line or a place of its own', () => {
  expect(sources.filter(({ file }) => !isGenerated(file)).flatMap(foldedProperties)).toEqual([])
})

test('comments wrap, except for a word that is longer than a line', () => {
  const wide = sources
    .filter(({ file }) => !isFixture(file) && !isGenerated(file))
    .filter(({ text }) => /.{121}/.test(text))
    .flatMap((source) =>
      commentLines(source)
        .filter(({ text }) => text.length > limits.columns && !cannotWrap(text))
        .map(({ line }) => `${source.file}:${line}`),
    )
  expect(wide).toEqual([])
})

test('a folder of code is seen at a glance', () => {
  const counts = new Map<string, number>()
  for (const file of allFiles) {
    const folder = path.posix.dirname(file)
    // A sequence, of which only the last ones are read.
    if (folder.endsWith('/migrations')) continue
    if (/\.(ts|js|sql)$/.test(file)) counts.set(folder, (counts.get(folder) ?? 0) + 1)
  }
  const full = [...counts].filter(([, count]) => count > limits.filesInFolder)
  expectOnlyExceptions('files-in-folder', new Map(full))
})

test('CONTRIBUTING states the limits that are enforced', () => {
  const sentence = `files at most ${limits.fileLines} lines, actions ${limits.actionFileLines}, functions ${limits.functionStatements} statements`
  expect(readText('CONTRIBUTING.md').toLowerCase().replaceAll(/\s+/g, ' ')).toContain(sentence)
})

test('a list of exceptions can only shrink', () => {
  const allowed = new Map([
    ['shrunk', 5],
    ['grown', 5],
    ['mended', 5],
  ])
  const found = new Map([
    ['shrunk', 4],
    ['grown', 6],
    ['new', 1],
  ])
  expect(compare(found, allowed)).toEqual({
    broken: ['grown: 6, at most 5', 'new: 1'],
    outdated: ['mended'],
  })
})

test('large tables lie in models/ or with what trains them, not between the code', () => {
  const large = allFiles
    .filter((file) => /^src\/.*\.(tsv|jsonl)$/.test(file))
    .filter((file) => readText(file).length > limits.tableCharacters)
  expect(large).toEqual([])
})
