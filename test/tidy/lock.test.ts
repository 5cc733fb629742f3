import { expect, test } from 'vitest'
import { readText } from './sources.ts'

interface Lock {
  readonly packages: Record<
    string,
    { readonly optionalDependencies?: Record<string, string>; readonly engines?: object }
  >
}

test('the lock file names no address, and lists each optional binary of a tool for every platform', () => {
  const text = readText('package-lock.json')
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
})
