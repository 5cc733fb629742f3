import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { keepValid, validate } from '../composition/composition.ts'
import { covers, readFontFile } from './font-file.ts'
import { createFontShelf } from './shelf.ts'

const font = (family: string, ...ranges: [string, string][]) => ({
  family,
  coverage: Uint32Array.from(ranges.flat().map((character) => character.codePointAt(0) ?? 0)),
  place: { file: family },
})
const shelf = createFontShelf([
  font('Plain Serif', [' ', '~'], ['é', 'é']),
  font('Noto Sans Tifinagh', ['ⴰ', '\u2D7F']),
  font('DejaVu Sans', [' ', '~'], ['\u0301', '\u0301'], ['●', '●'], ['ⴰ', 'ⵥ']),
  font('Noto Color Emoji', ['👩', '👩'], ['💻', '💻']),
])

describe('a shelf of fonts', () => {
  test('misses what no font has, once, and no spaces, joiners or marks of direction', () => {
    expect(shelf.missing('a\tb\u200F\u00ADc\n\u{10FFFF} ཀ ཀ')).toEqual(['\u{10FFFF}', 'ཀ'])
  })

  test('takes a letter with its mark from one font, whichever way it is composed', () => {
    expect(shelf.missing('e\u0301 é a\u0301')).toEqual([])
    expect(shelf.familiesFor('ⴶ\u2D7F')).toEqual(['Noto Sans Tifinagh'])
    // One font has the letter and another the mark.
    expect(shelf.missing('ⵯ\u0301')).toEqual(['ⵯ\u0301'])
  })

  test('draws a sequence of pictures one by one where no font joins it', () => {
    expect(shelf.missing('👩\u200D💻')).toEqual([])
    expect(shelf.missing('👩\u200D🚀')).toEqual(['👩\u200D🚀'])
  })

  test('prefers plain families', () => {
    expect(shelf.familiesFor('abc')).toEqual(['DejaVu Sans'])
    expect(shelf.familiesFor('abc é')).toEqual(['DejaVu Sans'])
  })
})

const film = (source: object, captions?: object) => ({
  v: 1,
  format: { aspectRatio: '16:9' },
  ...(captions && { captions }),
  tracks: [
    { id: 'a', kind: 'overlay', contents: [{ id: 'b', startTime: 0, duration: 2, source }] },
  ],
})
const text = (words: string) => ({ kind: 'overlay', primitiveId: 'text', params: { text: words } })
const list = (...items: string[]) => ({
  kind: 'component',
  componentId: 'bullet-list',
  props: { items },
})

describe('a text that a font lacks', () => {
  test.each([
    [text('Hello ཀ'), undefined, 'tracks[0].contents[0].source.params.text'],
    [list('one', 'two ཀ'), undefined, 'tracks[0].contents[0].source.props.items[1]'],
    [text('Hello'), { cues: [{ start: 0, end: 1, text: 'ཀ' }] }, 'captions.cues[0].text'],
    [text('Hello'), { srt: '00:00:01,000 --> 00:00:02,000\nཀ' }, 'captions.srt'],
    [
      {
        kind: 'overlay',
        primitiveId: 'typewriter',
        params: { text: 'slowly ཀ', lettersPerSecond: 1 },
      },
      undefined,
      'tracks[0].contents[0].source.params.text',
    ],
  ])('%j with captions %j is no_glyph at %s', (source, captions, path) => {
    const { errors } = validate(film(source, captions), undefined, shelf)
    expect(errors).toEqual([
      expect.objectContaining({
        code: 'no_glyph',
        path,
        message: 'No font of this gateway has "ཀ" (U+0F40), so boxes would be drawn.',
        fix: `Remove "ཀ" (U+0F40) from ${path}.`,
      }),
    ])
  })

  test('is dropped on save, and passes where fonts are not asked', () => {
    expect(keepValid(film(text('ཀ')), undefined, shelf).dropped).toHaveLength(1)
    expect(keepValid(film(text('ཀ'))).dropped).toEqual([])
  })

  test('of markup is read as it is shown', () => {
    expect(validate(film(text('a < b & "c"')), undefined, shelf).errors).toEqual([])
  })
})

const dejaVu = '/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf'

describe('a font file', () => {
  test.skipIf(!existsSync(dejaVu))('has its family and its characters', async () => {
    const read = await readFontFile(dejaVu)
    expect(read?.family).toBe('DejaVu Sans')
    const has = (character: string) => read && covers(read.coverage, character.codePointAt(0) ?? 0)
    expect(['A', 'é', 'Ж', '☃'].map(has)).toEqual([true, true, true, true])
    expect(['中', 'क', '\u{10FFFF}', '\u0000'].map(has)).toEqual([false, false, false, false])
  })

  test.each([
    ['nothing', Buffer.alloc(0)],
    ['a text', Buffer.from('This is not a font, but a text.')],
    ['a head alone', Buffer.from([0, 1, 0, 0, 0, 9, 0, 0, 0, 0, 0, 0])],
    [
      'a table beyond the file',
      Buffer.concat([
        Buffer.from([0, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0]),
        Buffer.from('cmap'),
        Buffer.alloc(12, 0x7f),
      ]),
    ],
  ])('with %s is not a font', async (_what, bytes) => {
    const folder = await mkdtemp(path.join(tmpdir(), 'tollway-font-'))
    onTestFinished(() => rm(folder, { recursive: true }))
    const file = path.join(folder, 'font.ttf')
    await writeFile(file, bytes)
    expect(await readFontFile(file)).toBeUndefined()
  })
})
