// Rules for names, words and leftovers.
import path from 'node:path'
import { expect, test } from 'vitest'
import { expectOnlyExceptions } from './exceptions.ts'
import { filesIn, isFixture, isTable, isTest, readText, sources } from './sources.ts'

const isTidy = (file: string) => file.startsWith('test/tidy/')

test('names are specific, and no leftovers remain', () => {
  const problems = sources.flatMap(({ file, text }) => [
    ...(/(^|\/)(utils?|helpers?|common|shared|misc)(\/|\.ts$)/.test(file)
      ? [`${file}: a name that says nothing`]
      : []),
    ...(/^export \* from/m.test(text) ? [`${file}: a barrel`] : []),
    ...(/\b(FIXME|XXX|HACK)\b/.test(text) && !isTidy(file) ? [`${file}: a leftover`] : []),
    ...(/^\s*(class|export class|export default)\b(?!=|.*extends Error)/m.test(text) &&
    !isTidy(file)
      ? [`${file}: a class or default export`]
      : []),
    ...(/\b(test|describe|it)\.(only|skip)\(/.test(text) && !isTidy(file)
      ? [`${file}: a test switched off`]
      : []),
  ])
  expect(problems).toEqual([])
})

test('only test/support/database.ts opens the shared database, so that imports tell which tests need it', () => {
  const openers = sources
    .filter(({ file, text }) => /\binject\('databaseUrl'\)/.test(text) && !isTidy(file))
    .map(({ file }) => file)
  expect(openers).toEqual(['test/support/database.ts'])
})

test('the folder of a provider shows what it sells, and the path of an action is its name', () => {
  const texts = new Map(sources.map(({ file, text }) => [file, text]))
  const odd = sources.flatMap(({ file }) => {
    const [, catalog, folder = '', name] = file.split('/')
    if (catalog !== 'catalog' || folder === 'lib' || folder === 'providers.ts') return []
    if (name === undefined) return [`${file} is not in the folder of a provider or in lib/`]
    if (name === 'lib' || name === 'provider.ts' || isTable(folder)) return []
    const subject = file.replace(/\.test\.ts$/, '.ts')
    const declared = /define(?:Action|Job|Session)\(\s*'([^']+)'/.exec(
      texts.get(subject) ?? '',
    )?.[1]
    if (declared === undefined) return [`${file} is not an action and belongs in ${folder}/lib/`]
    const expected = path.posix.basename(subject, '.ts')
    return declared === expected ? [] : [`${file} defines ${declared}`]
  })
  expect(odd).toEqual([])
})

const exportedType = /^export (?:interface|type) (\w+)(?=[ <])/gm

test('the name of an exported type has one meaning', () => {
  const names = sources
    .filter(({ file }) => /^(src|reader)\//.test(file) && !isTest(file))
    .flatMap(({ text }) => [...text.matchAll(exportedType)].map(([, name = '']) => name))
  const places = Map.groupBy(names, (name) => name)
  const shared = [...places].filter(([, declared]) => declared.length > 1)
  expect(shared.map(([name]) => name)).toEqual([])
})

/**
 * Words of a translator, not of a technical writer. "There is no" and "is no longer" are plain. `nobody` is also a user
 * of Unix, and names in test data and addresses are quoted or follow a slash or a colon.
 */
const oddWords =
  /\b(whoever|whatever|(?<!['"`]|user |chown -R )nobody(?!['’]s)|(?<![/:])somebody|anybody(?!['’]s)|(?<!there )(?:is|are) no (?!longer\b|more than\b)|whose the|that which|all that there is)/gi

/** The pairs at the end of CONTRIBUTING. */
const shownOnPurpose = /^## Plain English\n[\s\S]*/m

test('comments, messages and documents are in plain English', () => {
  const documents = filesIn('docs')
    .concat(['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', 'SECURITY.md'])
    .concat(filesIn('src').filter((file) => file.endsWith('.sql')))
    .filter((file) => /\.(md|sql)$/.test(file) && !file.startsWith('docs/reference/'))
    .map((file) => ({ file, text: readText(file).replace(shownOnPurpose, '') }))
  const counted = sources
    .filter(({ file }) => !isFixture(file) && !isTidy(file))
    .concat(documents)
    .map(({ file, text }) => [file, [...text.matchAll(oddWords)].length] as const)
  expectOnlyExceptions('odd-words', new Map(counted.filter(([, count]) => count > 0)))
})
