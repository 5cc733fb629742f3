// Captions: one line of words, or all that is said in a film.
import { z } from 'zod'
import type { Cue } from '../captions/cue.ts'
import { cuesOfWords, gapBefore } from '../captions/spoken.ts'
import { readSubtitles } from '../captions/subtitles.ts'
import { captionStates } from '../captions/timeline.ts'
import { compositionLimits as limits } from '../composition/limits.ts'
import {
  colour,
  drawing,
  element,
  font,
  fontCss,
  motionProps,
  place,
  size,
  span,
  text,
  units,
} from './drawing.ts'

const look = {
  color: colour.default('#ffffff'),
  background: colour.default('#000000b3'),
  size: size(5),
  place: place('bottom'),
  font,
}

/** Words on a plate. */
function plate(
  props: z.output<z.ZodObject<typeof look>>,
  ...children: Parameters<typeof element>[1][]
): string {
  return element(
    {
      margin: units(6),
      'max-width': '80%',
      padding: `${units(1)} ${units(2)}`,
      background: props.background,
      color: props.color,
      'border-radius': units(0.8),
      'font-family': fontCss(props.font),
      'font-size': units(props.size),
      'font-weight': 600,
      'line-height': 1.25,
      'text-align': 'center',
    },
    ...children,
  ).html
}

export const caption = drawing({
  id: 'caption',
  isRead: true,
  summary: 'Words of speech on a plate at the lower edge.',
  props: z.strictObject({
    text: text(500),
    ...look,
    ...motionProps,
    entrance: motionProps.entrance.default('none'),
    exit: motionProps.exit.default('none'),
  }),
  example: { text: 'We heard them before we saw them.' },
  place: ({ place }) => place,
  html: (props) => plate(props, props.text),
})

const seconds = z.number().min(0).max(86_400)
const file = z.string().min(1).max(limits.captionCharacters).optional()
const shown = (value: { readonly text?: string | undefined; readonly word?: string | undefined }) =>
  (value.text ?? value.word ?? '').trim()

const word = z
  .looseObject({
    text: z.string().max(100).optional(),
    word: z.string().max(100).optional(),
    start: seconds,
    end: seconds,
  })
  .refine((value) => shown(value) !== '', 'Give each word a text.')
  .refine(({ start, end }) => end >= start, 'A word ends before it starts.')

const cue = z
  .strictObject({ start: seconds, end: seconds, text: text(500) })
  .refine(({ start, end }) => end > start, 'A caption ends before it starts.')

const sources = ['words', 'cues', 'srt', 'vtt'] as const

export const captionsSchema = z
  .strictObject({
    words: z
      .array(word)
      .min(1)
      .max(limits.captionWords)
      .optional()
      .describe(
        'Each {text, start, end}, as speech recognition answers them. word may stand for text.',
      ),
    cues: z.array(cue).min(1).max(limits.captionCues).optional(),
    srt: file.describe('The text of a SubRip file.'),
    vtt: file.describe('The text of a WebVTT file.'),
    offsetSec: z
      .number()
      .min(-86_400)
      .max(86_400)
      .default(0)
      .describe('Added to all times. By itself 0 is the start of the film, or of the clip.'),
    charactersMax: z
      .int()
      .min(5)
      .max(200)
      .default(42)
      .describe('Of a caption that is made of words.'),
    highlight: colour.optional().describe('The colour of the word that is spoken, with words.'),
    ...look,
  })
  .superRefine((props, context) => {
    const given = sources.filter((name) => props[name] !== undefined)
    if (given.length !== 1)
      context.addIssue({ code: 'custom', message: `Give captions one of ${sources.join(', ')}.` })
    for (const name of ['srt', 'vtt'] as const) {
      const read = props[name] === undefined ? undefined : readSubtitles(props[name])
      if (read === undefined) continue
      const message =
        'problem' in read
          ? `Write the file in its form: ${read.problem}.`
          : read.cues.length > limits.captionCues
            ? `Give the file at most ${limits.captionCues} captions.`
            : undefined
      if (message !== undefined) context.addIssue({ code: 'custom', path: [name], message })
    }
  })
type CaptionsProps = z.output<typeof captionsSchema>

function cuesOf(props: CaptionsProps): Cue[] {
  const later = <Timed extends Cue>(timed: Timed): Timed => ({
    ...timed,
    start: timed.start + props.offsetSec,
    end: timed.end + props.offsetSec,
  })
  if (props.words !== undefined) {
    const words = props.words
      .map(({ start, end, ...rest }) => ({ start, end, text: shown(rest) }))
      .toSorted((one, other) => one.start - other.start)
    return cuesOfWords(words.map(later), props.charactersMax)
  }
  const read = readSubtitles(props.srt ?? props.vtt ?? '')
  const cues = props.cues ?? ('cues' in read ? read.cues : [])
  return cues.map(later)
}

export const captions = drawing({
  id: 'captions',
  isRead: true,
  summary: 'All captions of a film, from the words of a transcript, or from an SRT or WebVTT file.',
  props: captionsSchema,
  example: {
    words: [
      { text: 'We', start: 0.2, end: 0.4 },
      { text: 'heard', start: 0.4, end: 0.7 },
      { text: 'them.', start: 0.7, end: 1.1 },
    ],
    highlight: '#f2b134',
  },
  place: ({ place }) => place,
  html: (props) => plate(props, ...cuesOf(props).map(({ text }) => text)),
  states(props, span) {
    const byWord = props.highlight !== undefined
    return captionStates(cuesOf(props), span, byWord).map((state) => ({
      frames: state.frames,
      html:
        state.cues.length === 0
          ? element({}).html
          : plate(props, ...state.cues.map((each) => wordsOf(each, props, state.spoken))),
    }))
  },
})

/** One cue as a line of the plate, with the spoken word in its colour. */
function wordsOf(cue: Cue, { highlight }: CaptionsProps, spoken: number | undefined) {
  if (!('words' in cue) || highlight === undefined) return element({}, cue.text)
  const { words } = cue as Cue & { readonly words: readonly Cue[] }
  const spans = words.map(({ text }, index) => ({
    html: `${gapBefore(words, index)}${span(index === spoken ? { color: highlight } : {}, text)}`,
  }))
  return element({}, ...spans)
}
