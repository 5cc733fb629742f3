import path from 'node:path'
import { expect, test } from 'vitest'
import { expectOnlyExceptions } from './exceptions.ts'
import { readText } from './sources.ts'

interface LockedPackage {
  readonly optionalDependencies?: Record<string, string>
  readonly engines?: object
  readonly integrity?: string
  /** A workspace: its folder is the package. */
  readonly link?: boolean
  readonly optional?: boolean
}

interface Lock {
  readonly packages: Record<string, LockedPackage>
}

const lockFiles = ['package-lock.json', 'oracles/package-lock.json']

test.each(lockFiles)(
  '%s names no address, and lists each optional binary of a tool for every platform',
  (file) => {
    const text = readText(file)
    expect(text).not.toMatch(/"resolved": "(?!reader"|clients\/)/)
    const { packages } = JSON.parse(text) as Lock
    const missing = Object.entries(packages).flatMap(([place, { optionalDependencies = {} }]) =>
      Object.keys(optionalDependencies).filter(
        (name) =>
          !(`node_modules/${name}` in packages || `${place}/node_modules/${name}` in packages),
      ),
    )
    expect(missing, 'run `npm run lock`').toEqual([])
    const warned = Object.keys(packages).filter((place) => place !== '' && packages[place]?.engines)
    expect(warned, 'run `npm run lock`: `npm ci` would warn about these').toEqual([])
  },
)

test('every package has a hash, but for binaries of other platforms that the registry did not have', () => {
  const unhashed = lockFiles.flatMap((file) => {
    const { packages } = JSON.parse(readText(file)) as Lock
    return Object.entries(packages)
      .filter(
        ([place, { link, integrity }]) =>
          place.includes('node_modules/') &&
          link !== true &&
          !/^sha512-[\w+/]{86}==$/.test(integrity ?? ''),
      )
      .map(([place, locked]) => [path.posix.join(path.dirname(file), place), locked] as const)
  })
  expectOnlyExceptions('packages-without-hash', new Map(unhashed.map(([place]) => [place, 1])))
  expect(unhashed.filter(([, { optional }]) => optional !== true)).toEqual([])
})
