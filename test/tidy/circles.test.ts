// Files that import each other in a circle must be read together, and those that need each other's values may start
// half made.
import path from 'node:path'
import { expect, test } from 'vitest'
import { limits } from './limits.ts'
import { isTest, type Source, sources } from './sources.ts'

type Graph = ReadonlyMap<string, readonly string[]>

const statement = /^(?:import|export)( type)?\s([^;'"]*?)from '([^']+)'/gm

/** The file that a specifier names, if it is one of the repository's own. */
function fileOf(importer: string, from: string): string | undefined {
  if (from.startsWith('.')) return path.posix.join(path.posix.dirname(importer), from)
  if (from.startsWith('#test/')) return `test/support/${from.slice('#test/'.length)}`
  return from.startsWith('#') ? `src/${from.slice(1)}` : undefined
}

/** `import { type A, type B }` also imports no value. */
const namesTypesAlone = (names: string) =>
  names.trim().startsWith('{') &&
  names
    .replaceAll(/[{}]/g, '')
    .split(',')
    .every((name) => name.trim() === '' || name.trim().startsWith('type '))

function graphOf(files: readonly Source[], withTypes: boolean): Graph {
  return new Map(
    files.map(({ file, text }) => [
      file,
      [...text.matchAll(statement)].flatMap(([, isType, names = '', from = '']) => {
        const isOfTypes = isType !== undefined || namesTypesAlone(names)
        return isOfTypes && !withTypes ? [] : (fileOf(file, from) ?? [])
      }),
    ]),
  )
}

/** The files that a file imports, directly or by others. */
function reachedFrom(graph: Graph, start: string): Set<string> {
  const reached = new Set<string>()
  const waiting = [...(graph.get(start) ?? [])]
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    if (reached.has(file)) continue
    reached.add(file)
    waiting.push(...(graph.get(file) ?? []))
  }
  return reached
}

/** Each circle of at least two files, once. */
function circlesIn(graph: Graph): string[][] {
  const reached = new Map([...graph.keys()].map((file) => [file, reachedFrom(graph, file)]))
  const inOne = (one: string, other: string) =>
    reached.get(one)?.has(other) === true && reached.get(other)?.has(one) === true
  const circles = [...graph.keys()]
    .filter((file) => reached.get(file)?.has(file))
    .map((file) => [...graph.keys()].filter((other) => inOne(file, other)).sort())
  return [...new Map(circles.map((circle) => [circle.join(' '), circle])).values()]
}

const measured = sources.filter(({ file }) => !isTest(file))

test('no files need each other’s values', () => {
  expect(circlesIn(graphOf(measured, false))).toEqual([])
})

test('no more than a few files need each other’s types', () => {
  const large = circlesIn(graphOf(measured, true)).filter(
    ({ length }) => length > limits.filesInCircle,
  )
  expect(large).toEqual([])
})

test('a circle is found, and files before and behind it are no part of it', () => {
  const files = [
    { file: 'src/a.ts', text: `import { b } from './b.ts'` },
    { file: 'src/b.ts', text: `import { c } from '#c.ts'` },
    { file: 'src/c.ts', text: `import { type B } from './b.ts'\nimport { d } from './d.ts'` },
    { file: 'src/d.ts', text: '' },
  ]
  expect(circlesIn(graphOf(files, false))).toEqual([])
  expect(circlesIn(graphOf(files, true))).toEqual([['src/b.ts', 'src/c.ts']])
})
