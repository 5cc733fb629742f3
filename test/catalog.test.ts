// The one contract that every action of the catalog keeps: it says what it is, and speaks as its fixture does.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { providers } from '#catalog/providers.ts'
import { z } from '#core/action.ts'
import { quotePrice } from '#core/price.ts'
import { baseUrlName } from '#core/provider.ts'
import type { Fixture } from './replay-server.ts'
import { replayAction } from './run-action.ts'

const catalog = path.join(import.meta.dirname, '../src/catalog')
const sentence = /^[A-Z].*[^.]\.$/

test('the list of providers is alphabetical and free of doubles', () => {
  const ids = providers.map(({ id }) => id)
  expect(ids).toEqual([...new Set(ids)].toSorted())
})

test('every folder of the catalog is in the list', () => {
  const folders = readdirSync(catalog, { withFileTypes: true }).filter((entry) =>
    entry.isDirectory(),
  )
  expect(folders.map(({ name }) => name).toSorted()).toEqual(providers.map(({ id }) => id))
})

test('every fixture belongs to an action', () => {
  const strays = providers.flatMap(({ id, actions }) => {
    const folder = path.join(catalog, id, 'fixtures')
    const names = existsSync(folder) ? readdirSync(folder) : []
    return names.filter((name) => !actions.some((action) => `${action.name}.json` === name))
  })
  expect(strays).toEqual([])
})

describe.each(providers)('$id', (provider) => {
  test('says who answers and where that is documented', () => {
    expect(provider.title).not.toBe('')
    // Who answers through others is documented where they are.
    expect(URL.canParse(provider.docs ?? '')).toBe(provider.through === undefined)
    expect(baseUrlName(provider)).toMatch(/^[A-Z0-9_]+_BASE_URL$/)
  })

  describe.each([...provider.actions])('$name', (action) => {
    const fixturePath = path.join(catalog, provider.id, 'fixtures', `${action.name}.json`)
    const readFixture = () => JSON.parse(readFileSync(fixturePath, 'utf8')) as Fixture

    test('is defined in the file of its name', () => {
      expect(existsSync(path.join(catalog, provider.id, `${action.name}.ts`))).toBe(true)
    })

    test('is described: one sentence, notes and synonyms', () => {
      expect(action.summary).toMatch(sentence)
      expect(action.summary.slice(0, -1)).not.toContain('. ')
      expect(action.notes ?? '').toMatch(sentence)
      expect(action.synonyms?.length ?? 0).toBeGreaterThan(2)
    })

    test('its schemas can be published, name what is promised and describe every parameter', () => {
      const input = z.toJSONSchema(action.input, { io: 'input' })
      const output = z.toJSONSchema(action.output, { io: 'output' })
      expect(input).toMatchObject({ type: 'object', additionalProperties: false })
      expect(Object.keys(output.properties ?? {}).length).toBeGreaterThan(0)
      const mute = Object.entries(input.properties ?? {}).filter(
        ([, schema]) => typeof schema === 'boolean' || schema.description === undefined,
      )
      expect(mute.map(([name]) => name)).toEqual([])
    })

    test('its example is accepted and costs what it says', () => {
      const input = action.input.parse(action.example.input)
      expect(() => action.check?.(input)).not.toThrow()
      expect(quotePrice(action.price, input).micros).toBe(action.example.cents * 10_000)
    })

    test('refuses a field that it does not know', () => {
      const input = { ...(action.example.input as object), unknown_field: 1 }
      expect(action.input.safeParse(input).error?.issues).toMatchObject([
        { code: 'unrecognized_keys', keys: ['unknown_field'] },
      ])
    })

    test('sends exactly the requests of its fixture and understands the replies', async () => {
      const { exchanges, output } = readFixture()
      const { input } = action.example
      expect(await replayAction(provider, action.name, { exchanges, input })).toEqual({ output })
    })

    test('its fixture says where it comes from, and what a keyless provider answers names it', () => {
      const { origin, source, output } = readFixture()
      expect(['recorded', 'docs']).toContain(origin)
      expect(source).toMatch(sentence)
      const { upstream } = provider
      if (
        upstream !== undefined &&
        (upstream.credential?.optional ?? upstream.credential === undefined)
      ) {
        expect(output).toMatchObject({ provider: provider.title })
      }
    })
  })
})
