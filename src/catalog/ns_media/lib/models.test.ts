import { readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { mediaTypes, quoteMedia } from '#core/media-model.ts'
import { modelRow } from './model-row.ts'
import { listMediaModels, shippedRows } from './models.ts'
import { createParameterReader } from './parameters.ts'
import { centsRangeOf } from './price-range.ts'

const models = listMediaModels()
const modelsMin = 60

describe('the table of models', () => {
  test('has at least sixty models, and some of each type', () => {
    const shipped = [...models.values()].filter(({ provider }) => provider === 'vendor')
    expect(shipped.length).toBeGreaterThanOrEqual(modelsMin)
    for (const type of mediaTypes)
      expect(shipped.filter((model) => model.type === type).length, type).toBeGreaterThan(0)
  })

  test('is sorted, and has each key once', () => {
    const keys = mediaTypes.map((type) => Object.keys(shippedRows[type]))
    for (const rows of keys) expect(rows).toEqual(rows.toSorted())
    expect(keys.flat().toSorted()).toEqual([...new Set(keys.flat())].toSorted())
  })

  const rows = mediaTypes.flatMap((type) => Object.entries(shippedRows[type]))
  test.each(rows)(
    '%s is complete: its source, its date, an example that has a price',
    (key, row) => {
      const read = modelRow.safeParse(row)
      expect(read.error?.issues ?? []).toEqual([])
      expect(row.source).toBe(`https://fal.ai/models/${row.endpoint}/llms.txt`)
      const model = models.get(key)
      if (model === undefined) throw new Error('It is not sold.')
      const parsed = createParameterReader(model)(model.example)
      const [least, most] = centsRangeOf(model)
      const cents = quoteMedia(model.price, parsed.data ?? {}) / 1e4
      expect(cents).toBeGreaterThanOrEqual(least)
      expect(cents).toBeLessThanOrEqual(most)
    },
  )
})

describe('parameters', () => {
  const read = (key: string, given: object) => {
    const model = models.get(key)
    if (model === undefined) throw new Error(`There is no ${key}.`)
    return createParameterReader(model)({ prompt: 'x', ...given })
  }

  test.each([
    ['flux/dev', { image_size: '1024x768' }, { image_size: { width: 1024, height: 768 } }],
    ['flux/dev', { image_size: 'landscape_4_3' }, { image_size: 'landscape_4_3' }],
    ['flux/dev', {}, { image_size: 'landscape_4_3', num_images: 1 }],
    ['veo3.1', { duration: 6 }, { duration: '6s' }],
    ['veo3.1', { duration: '6' }, { duration: '6s' }],
    ['veo3.1', {}, { duration: '8s', generate_audio: true }],
    ['kling-video/v2.6/pro/text-to-video', { duration: 10 }, { duration: '10' }],
    ['kling-video/v2.6/pro/text-to-video', { duration: '10s' }, { duration: '10' }],
    ['kling-video/v2.6/pro/text-to-video', {}, { duration: '5' }],
    ['pixverse/v6/text-to-video', { duration: '7s' }, { duration: 7 }],
  ])('%s reads %j as %j', (key, given, expected) => {
    expect(read(key, given).data).toMatchObject(expected)
  })

  test.each([
    ['flux/dev', { image_size: '10000x10000' }, 'image_size'],
    ['flux/dev', { num_images: 5 }, 'num_images'],
    ['flux/dev', { size: 1 }, ''],
    ['veo3.1', { duration: 7 }, 'duration'],
    ['veo3/image-to-video', { image_url: 'file:///etc/passwd' }, 'image_url'],
    ['veo3/image-to-video', { image_url: 'javascript:alert(1)' }, 'image_url'],
    ['bytedance/seedream/v4/edit', { image_urls: ['ftp://a.example/b'] }, 'image_urls'],
    ['bytedance/seedream/v4/edit', { image_urls: [] }, 'image_urls'],
  ])('%s refuses %j at %j', (key, given, place) => {
    expect(read(key, given).error?.issues[0]?.path[0] ?? '').toBe(place)
  })
})

describe('the operator’s changes', () => {
  const own = {
    ...(shippedRows.music as Record<string, object>).lyria2,
    title: 'Ours',
    type: 'music',
  }

  test('add, replace and remove models', () => {
    const changed = listMediaModels({
      lyria2: own as never,
      'our/song': own as never,
      'flux/dev': null,
    })
    expect(changed.get('lyria2')?.title).toBe('Ours')
    expect(changed.get('our/song')?.provider).toBe('vendor')
    expect(changed.has('flux/dev')).toBe(false)
    expect(changed.size).toBe(models.size)
    expect([...changed.keys()]).toEqual([...changed.keys()].toSorted())
  })

  test('can be all that is sold, beside what this machine makes', () => {
    expect([...listMediaModels({ 'our/song': own as never }, true).keys()]).toEqual([
      'espeak-ng',
      'our/song',
    ])
  })
})

describe('prices reckoned by hand from the vendor’s pages', () => {
  const rows = readFileSync(path.join(import.meta.dirname, 'prices.tsv'), 'utf8')
    .trim()
    .split('\n')
    .slice(1)
    .map((line) => line.split('\t'))

  test.each(rows)('%s with %s costs %s¢: %s', (key, parameters, cents) => {
    const model = models.get(key)
    if (model === undefined) throw new Error(`There is no ${key}.`)
    const parsed = createParameterReader(model)(JSON.parse(parameters))
    expect(parsed.error?.issues ?? []).toEqual([])
    expect(quoteMedia(model.price, parsed.data ?? {}) / 1e4).toBe(Number(cents))
  })

  test('are at least forty', () => expect(rows.length).toBeGreaterThanOrEqual(40))
})
