// The components: finished pictures with a layout of their own.
import { z } from 'zod'
import { caption, captions } from './captions.ts'
import {
  align,
  type Css,
  colour,
  drawing,
  element,
  font,
  fontCss,
  motionProps,
  place,
  shadow,
  size,
  text,
  units,
} from './drawing.ts'

const base = { font, ...motionProps }
/** A line of text, if there is one. */
const lineOf = (css: Css, content: string | undefined) =>
  content === undefined ? undefined : element(css, content)

const headline = { 'font-weight': 700, 'line-height': 1.12, 'letter-spacing': '-0.01em' }

const titleCard = drawing({
  id: 'title-card',
  summary: 'A title over the whole region, with a line of text beneath it.',
  props: z.strictObject({
    title: text(300),
    subtitle: text(300).optional(),
    color: colour.default('#ffffff'),
    background: colour.default('#000000').describe('Fills the region.'),
    accent: colour.optional().describe('A rule between title and subtitle.'),
    align,
    ...base,
  }),
  example: { title: 'Two days in Lisbon', subtitle: 'March 2026', background: '#10243e' },
  place: () => 'center',
  html: (props) =>
    element(
      {
        width: '100%',
        height: '100%',
        'box-sizing': 'border-box',
        padding: units(8),
        display: 'flex',
        'flex-direction': 'column',
        'justify-content': 'center',
        'text-align': props.align,
        background: props.background,
        color: props.color,
        'font-family': fontCss(props.font),
      },
      element({ ...headline, 'font-size': units(11) }, props.title),
      props.accent === undefined ? undefined : rule(props.accent, props.align),
      lineOf({ 'font-size': units(5), 'margin-top': units(2), opacity: 0.85 }, props.subtitle),
    ).html,
})

function rule(color: string, side: 'left' | 'center' | 'right') {
  const margins = { left: '0 auto 0 0', center: '0 auto', right: '0 0 0 auto' }
  return element({
    width: units(16),
    height: units(0.8),
    background: color,
    margin: margins[side],
    'margin-top': units(3),
  })
}

const lowerThird = drawing({
  id: 'lower-third',
  isRead: true,
  summary: 'A name and a role in a box at the lower edge.',
  props: z.strictObject({
    name: text(120),
    role: text(160).optional(),
    color: colour.default('#ffffff'),
    background: colour.default('#0b1a2bd9'),
    accent: colour.default('#f2b134'),
    place: place('bottom-left'),
    ...base,
    entrance: motionProps.entrance.default('slide-right'),
  }),
  example: { name: 'Ada Moreno', role: 'Marine biologist' },
  place: ({ place }) => place,
  html: (props) =>
    element(
      {
        margin: units(6),
        padding: `${units(1.8)} ${units(3)}`,
        background: props.background,
        color: props.color,
        'border-inline-start': `${units(0.8)} solid ${props.accent}`,
        'font-family': fontCss(props.font),
      },
      element({ ...headline, 'font-size': units(5) }, props.name),
      lineOf({ 'font-size': units(3.4), 'margin-top': units(0.6), opacity: 0.85 }, props.role),
    ).html,
})

const quote = drawing({
  id: 'quote',
  isRead: true,
  summary: 'A quotation with its author.',
  props: z.strictObject({
    text: text(500),
    author: text(120).optional(),
    color: colour.default('#ffffff'),
    accent: colour.default('#f2b134'),
    ...base,
    font: font.default('serif'),
  }),
  example: { text: 'The sea is never the same twice.', author: 'A fisherman' },
  place: () => 'center',
  html: (props) =>
    element(
      {
        'max-width': '76%',
        padding: units(2),
        color: props.color,
        'text-shadow': shadow,
        'font-family': fontCss(props.font),
        'text-align': 'center',
      },
      element({ 'font-size': units(16), 'line-height': 0.7, color: props.accent }, '“'),
      element({ 'font-size': units(6.5), 'line-height': 1.25, 'font-style': 'italic' }, props.text),
      lineOf(
        { 'font-size': units(3.6), 'margin-top': units(2.4) },
        props.author && `— ${props.author}`,
      ),
    ).html,
})

const bulletList = drawing({
  id: 'bullet-list',
  isRead: true,
  summary: 'Up to eight lines, which appear one after the other.',
  props: z.strictObject({
    title: text(160).optional(),
    items: z.array(text(200)).min(1).max(8),
    color: colour.default('#ffffff'),
    accent: colour.default('#f2b134'),
    together: z.boolean().default(false).describe('True: all lines are there from the start.'),
    ...base,
  }),
  example: { title: 'What you need', items: ['A boat', 'Patience', 'Warm socks'] },
  place: () => 'center',
  isMoving: ({ together }) => !together,
  html: (props, { progress }) => {
    // The last line is there after 70 % of the clip.
    const shown = Math.ceil((progress / 0.7) * props.items.length + 0.001)
    return element(
      {
        'max-width': '80%',
        color: props.color,
        'text-shadow': shadow,
        'font-family': fontCss(props.font),
      },
      lineOf({ ...headline, 'font-size': units(7), 'margin-bottom': units(2.5) }, props.title),
      ...props.items.map((item, index) =>
        element(
          {
            display: 'flex',
            gap: units(2),
            'font-size': units(5),
            'margin-top': units(1.5),
            visibility: props.together || index < shown ? 'visible' : 'hidden',
          },
          element({ color: props.accent }, '●'),
          element({}, item),
        ),
      ),
    ).html
  },
})

const progressBar = drawing({
  id: 'progress-bar',
  summary: 'A bar that fills from the start of the clip to its end.',
  props: z.strictObject({
    color: colour.default('#f2b134'),
    background: colour.default('#ffffff40'),
    size: z.number().min(0.3).max(20).default(1.2).describe('Its height.'),
    from: z.number().min(0).max(1).default(0),
    to: z.number().min(0).max(1).default(1),
    place: place('bottom'),
    ...motionProps,
    entrance: motionProps.entrance.default('none'),
    exit: motionProps.exit.default('none'),
  }),
  example: { color: '#e94f37' },
  place: ({ place }) => place,
  isMoving: () => true,
  html: (props, { progress }) => {
    const part = props.from + (props.to - props.from) * progress
    return element(
      { width: '100%', height: units(props.size), background: props.background },
      element({ width: `${(part * 100).toFixed(2)}%`, height: '100%', background: props.color }),
    ).html
  },
})

const counter = drawing({
  id: 'counter',
  isRead: true,
  summary: 'A number that counts from one value to another.',
  props: z.strictObject({
    from: z.number().min(-1e12).max(1e12).default(0),
    to: z.number().min(-1e12).max(1e12),
    decimals: z.int().min(0).max(6).default(0),
    prefix: text(20).optional(),
    suffix: text(20).optional(),
    label: text(160).optional(),
    color: colour.default('#ffffff'),
    size: size(16),
    ...base,
  }),
  example: { to: 12_500, suffix: ' km', label: 'from nest to nest' },
  place: () => 'center',
  isMoving: () => true,
  html: (props, { progress }) => {
    // It slows down and rests on its last value for a third of the clip.
    const part = 1 - (1 - Math.min(1, progress * 1.5)) ** 3
    const number = (props.from + (props.to - props.from) * part).toFixed(props.decimals)
    const grouped = number.replace(/\B(?=(\d{3})+(?!\d))(?<!\.\d*)/g, ',')
    return element(
      {
        color: props.color,
        'text-shadow': shadow,
        'font-family': fontCss(props.font),
        'text-align': 'center',
      },
      element(
        { ...headline, 'font-size': units(props.size), 'font-variant-numeric': 'tabular-nums' },
        `${props.prefix ?? ''}${grouped}${props.suffix ?? ''}`,
      ),
      lineOf({ 'font-size': units(props.size / 4), 'margin-top': units(1) }, props.label),
    ).html
  },
})

const callToAction = drawing({
  id: 'call-to-action',
  isRead: true,
  summary: 'A button with a line of text beneath it.',
  props: z.strictObject({
    text: text(120),
    detail: text(160).optional(),
    color: colour.default('#10243e'),
    background: colour.default('#f2b134'),
    detailColor: colour.default('#ffffff'),
    ...base,
    entrance: motionProps.entrance.default('slide-up'),
  }),
  example: { text: 'Book a seat', detail: 'boats leave daily' },
  place: () => 'center',
  html: (props) =>
    element(
      { 'font-family': fontCss(props.font), 'text-align': 'center' },
      element(
        {
          display: 'inline-block',
          padding: `${units(2.4)} ${units(5)}`,
          'border-radius': units(10),
          background: props.background,
          color: props.color,
          'font-size': units(6),
          'font-weight': 700,
        },
        props.text,
      ),
      lineOf(
        {
          color: props.detailColor,
          'font-size': units(3.6),
          'margin-top': units(2),
          'text-shadow': shadow,
        },
        props.detail,
      ),
    ).html,
})

export const components = [
  titleCard,
  lowerThird,
  caption,
  captions,
  quote,
  bulletList,
  progressBar,
  counter,
  callToAction,
]
