// What is drawn by the browser: HTML made from checked props. Lengths are in `--u`, a hundredth of the frame's shorter
// side.
import { z } from 'zod'
import { compositionLimits } from '../composition/limits.ts'

/** Where a picture lies in its region unless the clip has a position. */
export const places = [
  'center',
  'top',
  'bottom',
  'left',
  'right',
  'top-left',
  'top-right',
  'bottom-left',
  'bottom-right',
] as const
export type Place = (typeof places)[number]

/** The part of a clip that a picture shows, 0 at its start and 1 at its end. */
export interface Moment {
  readonly progress: number
  readonly seconds: number
}

/** A picture and the frames for which it is shown. */
export interface DrawnState {
  readonly html: string
  readonly frames: number
}

/** The frames of a clip. */
export interface FrameSpan {
  readonly frames: number
  readonly fps: number
}

export interface Drawing {
  readonly id: string
  readonly summary: string
  readonly props: z.ZodObject
  readonly example: Readonly<Record<string, unknown>>
  readonly place: (props: never) => Place
  /** Whether it is words to read, which stay within the safe area of the film. */
  readonly isRead: boolean
  /** Whether the picture changes during the clip. If not, it is drawn once. */
  readonly isMoving: (props: never) => boolean
  /** One element. Its text is escaped. */
  readonly html: (props: never, moment: Moment) => string
  /** Of a drawing that knows when it changes: its pictures, which fill the clip. */
  readonly states?: (props: never, span: FrameSpan) => readonly DrawnState[]
}

interface DrawingOf<Props extends z.ZodObject> {
  readonly id: string
  readonly summary: string
  readonly props: Props
  readonly example: Readonly<Record<string, unknown>>
  readonly place: (props: z.output<Props>) => Place
  readonly isRead?: true
  readonly isMoving?: (props: z.output<Props>) => boolean
  readonly html: (props: z.output<Props>, moment: Moment) => string
  readonly states?: (props: z.output<Props>, span: FrameSpan) => readonly DrawnState[]
}

export const drawing = <Props extends z.ZodObject>(declared: DrawingOf<Props>): Drawing => ({
  isMoving: () => false,
  ...declared,
  isRead: declared.isRead ?? false,
})

export const motions = [
  'none',
  'fade',
  'slide-up',
  'slide-down',
  'slide-left',
  'slide-right',
] as const

/** How a drawn clip comes and goes. */
export const motionProps = {
  entrance: z.enum(motions).default('fade').describe('How it comes.'),
  exit: z.enum(motions).default('fade').describe('How it goes.'),
  motionMs: z.number().min(1).max(10_000).default(300).describe('How long each takes.'),
}

export const colour = z
  .string()
  .regex(
    /^#(?:[0-9a-f]{3}|[0-9a-f]{6}|[0-9a-f]{8})$/i,
    'Write the colour as #rgb, #rrggbb or #rrggbbaa.',
  )
export const text = (characters: number = compositionLimits.textCharacters) =>
  z.string().min(1).max(characters)
export const fonts = ['sans', 'serif', 'mono'] as const
export const font = z.enum(fonts).default('sans')
export const align = z.enum(['left', 'center', 'right']).default('center')
export const place = (usual: Place) =>
  z.enum(places).default(usual).describe('Where it lies in its region.')
/** In hundredths of the frame's shorter side. */
export const size = (usual: number) => z.number().min(1).max(100).default(usual)

const families: Record<(typeof fonts)[number], string> = {
  sans: "Inter,'Noto Sans','DejaVu Sans',sans-serif",
  serif: "'Noto Serif','DejaVu Serif',serif",
  mono: "'Noto Sans Mono','DejaVu Sans Mono',monospace",
}
const emojiFamilies = ["'Noto Color Emoji'", "'Apple Color Emoji'"]
/** A family of the page with the coloured emoji alone, since text fonts have some of them in black. */
const emojiFirst = 'emoji-first'
/** Joiners and tags are in it, because a font draws a sequence only if it has all of it. */
const emojiBesides = ['U+200D', 'U+FE0F', 'U+E0020-E007F']

export type Css = Readonly<Record<string, string | number>>

/** An element with text of the caller, or with elements made by this function. */
export function element(
  css: Css,
  ...children: readonly (string | { readonly html: string } | undefined)[]
) {
  const inner = children.map((child) =>
    typeof child === 'string' ? escapeText(child) : (child?.html ?? ''),
  )
  return { html: `<div dir="auto" style="${styleOf(css)}">${inner.join('')}</div>` }
}

/** A piece of a line, which leaves the direction of the line as it is. */
export const span = (css: Css, content: string) =>
  `<span style="${styleOf(css)}">${escapeText(content)}</span>`

const styleOf = (css: Css) =>
  escapeText(
    Object.entries(css)
      .map(([name, value]) => `${name}:${value}`)
      .join(';'),
  )

export const units = (number: number) => `calc(${number} * var(--u))`
export const fontCss = (name: (typeof fonts)[number]) =>
  [emojiFirst, families[name], 'var(--fallback)', ...emojiFamilies].join()

/** What the page of a drawing needs for `fontCss`. */
export const emojiFace = () =>
  `@font-face{font-family:${emojiFirst};src:${emojiFamilies.map((name) => `local(${name})`).join()};unicode-range:${[...emojiRanges(), ...emojiBesides].join()}}`

/** Characters that are emoji by themselves. */
function emojiRanges(): string[] {
  const last = 0x1ffff
  const isEmoji = (character: number) =>
    character <= last && /\p{Emoji_Presentation}/u.test(String.fromCodePoint(character))
  const ranges: string[] = []
  let first: number | undefined
  for (let character = 0x80; character <= last + 1; character++) {
    if (isEmoji(character)) first ??= character
    else if (first !== undefined) {
      ranges.push(`U+${first.toString(16)}-${(character - 1).toString(16)}`)
      first = undefined
    }
  }
  return ranges
}
export const shadow = '0 calc(0.3 * var(--u)) calc(1.2 * var(--u)) rgba(0,0,0,.55)'

const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

const escapeText = (raw: string) => raw.replaceAll(/[&<>"']/g, (sign) => entities[sign] ?? '')
