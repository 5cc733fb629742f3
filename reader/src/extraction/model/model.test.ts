import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { loadModel, modelFile, readModel, type WrittenModel } from './model.ts'

const text = readFileSync(modelFile, 'utf8')
const written = JSON.parse(text) as WrittenModel

test('the model in the repository loads, is small and says what it was trained on', () => {
  expect(loadModel().second.article.roots.length).toBeGreaterThan(50)
  expect(text.length).toBeLessThanOrEqual(1_000_000)
  expect(written.credits).toMatch(/WCXB.*Murrough Foley.*CC-BY-4\.0/)
  expect(written.credits).toMatch(/trafilatura.*Adrien Barbaresi.*Apache-2\.0/)
})

test('a model of other features, or of another version, is refused', () => {
  expect(() => readModel({ ...written, features: written.features + 1 })).toThrow('npm run train')
  expect(() => readModel({ ...written, version: written.version + 1 })).toThrow('npm run train')
})

test('every jump in the trees leads forward and stays inside its tree', () => {
  const { pageType, first, second } = loadModel()
  for (const { features, rights, roots } of [pageType, first, second.article, second.other]) {
    roots.forEach((root, tree) => {
      const end = roots[tree + 1] ?? features.length
      for (let node = root; node < end; node += 1) {
        if (features[node] === 0xffff) continue
        expect(root + (rights[node] as number)).toBeGreaterThan(node + 1)
        expect(root + (rights[node] as number)).toBeLessThan(end)
      }
    })
  }
})
