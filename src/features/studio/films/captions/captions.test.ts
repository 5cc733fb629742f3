import { describe, expect, test } from 'vitest'
import { validate } from '../composition/composition.ts'
import { cuesOfWords } from './spoken.ts'
import { readSubtitles } from './subtitles.ts'
import { captionStates } from './timeline.ts'

const film = (captions: unknown) => ({
  v: 1,
  format: { aspectRatio: '16:9' },
  captions,
  tracks: [
    {
      id: 'a',
      kind: 'image',
      contents: [{ id: 'b', startTime: 0, duration: 9, source: { kind: 'media', mediaId: 'm' } }],
    },
  ],
})

describe('an SRT file', () => {
  test('is read with its numbers, markup, entities and line breaks', () => {
    const srt =
      '\uFEFF1\r\n00:00:01,000 --> 00:00:02,500\r\n<i>Rise</i> &amp; shine,\r\n{\\an8}said she.\r\n\r\n2\r\n00:01:00,040 --> 01:00:00,5 X1:40\r\n<font color="#fff">2 < 3</font>\r\n'
    expect(readSubtitles(srt)).toEqual({
      cues: [
        { start: 1, end: 2.5, text: 'Rise & shine,\nsaid she.' },
        { start: 60.04, end: 3_600.5, text: '2 < 3' },
      ],
    })
  })

  test('without empty lines between its captions is read too', () => {
    const srt =
      '1\n00:00:01,000 --> 00:00:02,000\nOne\n2\n00:00:03,000 --> 00:00:04,000\nTwo\nlines'
    expect(readSubtitles(srt)).toMatchObject({ cues: [{ text: 'One' }, { text: 'Two\nlines' }] })
  })

  test.each([
    ['00:00:01,000 --> soon\nWords', 'line 1 is not a timing: 00:00:01,000 --> soon'],
    ['1\n00:00:02,000 --> 00:00:01,000\nWords', 'line 2 ends before it starts'],
    ['Words and no times', 'no line holds a timing with words below it'],
    ['1\n00:00:01,000 --> 00:00:02,000\n\n', 'no line holds a timing with words below it'],
  ])('%j has the problem: %s', (srt, problem) => {
    expect(readSubtitles(srt)).toEqual({ problem })
    const { errors } = validate(film({ srt }))
    expect(errors).toEqual([
      expect.objectContaining({
        path: 'captions.srt',
        fix: `Write the file in its form: ${problem}.`,
      }),
    ])
  })
})

test('a WebVTT file is read without its header, notes, styles, settings and tags', () => {
  const vtt =
    'WEBVTT - Title\nKind: captions\n\nSTYLE\n::cue { color: red }\n\nNOTE 00:09.000 --> 00:10.000\nnot said\n\nintro\n00:01.000 --> 00:02.000 align:start line:0%\n<v Ann>Hello <00:01.500><c.loud>there</c>\n\n01:00:00.000 --> 01:00:01.000\nEnd\n'
  expect(readSubtitles(vtt)).toEqual({
    cues: [
      { start: 1, end: 2, text: 'Hello there' },
      { start: 3_600, end: 3_601, text: 'End' },
    ],
  })
})

const spoken = (...words: [string, number, number][]) =>
  words.map(([text, start, end]) => ({ text, start, end }))

describe('words', () => {
  test('form captions that end with sentences, pauses and full lines', () => {
    const words = spoken(
      ['We', 0, 0.2],
      ['heard', 0.2, 0.5],
      ['them.', 0.5, 1],
      ['Then', 1.1, 1.4],
      [',', 1.4, 1.4],
      ['nothing', 3, 3.5],
      ['at', 3.5, 3.6],
      ['all', 3.6, 4],
    )
    const cues = cuesOfWords(words, 14)
    expect(cues.map(({ text }) => text)).toEqual(['We heard them.', 'Then,', 'nothing at all'])
    // The first stays until the second, the second ends with its last word.
    expect(cues.map(({ start, end }) => [start, end])).toEqual([
      [0, 1.1],
      [1.1, 1.4],
      [3, 4],
    ])
    expect(cuesOfWords(words, 8).map(({ text }) => text)).toContain('nothing')
  })

  test('of scripts without spaces are joined without spaces', () => {
    const [cue] = cuesOfWords(spoken(['我们', 0, 1], ['听见', 1, 2], ['了。', 2, 3]), 40)
    expect(cue?.text).toBe('我们听见了。')
  })
})

describe('the timeline of captions', () => {
  const cues = [
    { start: 1, end: 2, text: 'One' },
    { start: 1.5, end: 3, text: 'Two' },
    { start: 9, end: 11, text: 'Late' },
  ]
  const span = { frames: 100, fps: 10 }

  test('fills the film, with what overlaps together and nothing between', () => {
    const states = captionStates(cues, span, false)
    expect(
      states.map((state) => [state.frames, state.cues.map(({ text }) => text).join('+')]),
    ).toEqual([
      [10, ''],
      [5, 'One'],
      [5, 'One+Two'],
      [10, 'Two'],
      [60, ''],
      [10, 'Late'],
    ])
  })

  test('changes with each word where the spoken word is marked', () => {
    const words = cuesOfWords(spoken(['a', 0, 1], ['b', 1, 2], ['c', 2, 3]), 40)
    const states = captionStates(words, { frames: 40, fps: 10 }, true)
    expect(states.map(({ frames, spoken: word }) => [frames, word])).toEqual([
      [10, 0],
      [10, 1],
      [10, 2],
      [10, undefined],
    ])
  })
})

test.each([
  [{ words: [{ text: 'Hi', start: 0, end: 1, confidence: 0.9 }], highlight: '#ff0' }, []],
  [{ words: [{ word: ' Hi', start: 0, end: 1 }] }, []],
  [{ cues: [{ start: 0, end: 1, text: 'Hi' }], place: 'top', size: 7 }, []],
  [{}, ['captions']],
  [{ srt: 'a', vtt: 'b' }, ['captions', 'captions.srt', 'captions.vtt']],
  [{ words: [] }, ['captions.words']],
  [{ words: [{ start: 0, end: 1 }] }, ['captions.words[0]']],
  [{ cues: [{ start: 2, end: 1, text: 'x' }] }, ['captions.cues[0]']],
  [{ cues: [{ start: 0, end: 1, text: 'x' }], colour: 'red' }, ['captions.colour']],
])('captions %j have problems at %j', (captions, paths) => {
  const { errors } = validate(film(captions))
  expect(errors.map(({ path }) => path)).toEqual(paths)
})
