// The overlay primitives: text and shapes.
import { z } from 'zod'
import {
  align,
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

const textProps = {
  text: text(),
  color: colour.default('#ffffff'),
  background: colour.optional(),
  bold: z.boolean().default(false),
  italic: z.boolean().default(false),
  shadow: z.boolean().default(true),
  align,
  font,
  place: place('center'),
  maxWidth: z.number().min(0.05).max(1).default(0.9).describe('Fraction of the region.'),
  ...motionProps,
}

function lines(props: z.output<z.ZodObject<typeof textProps>>, fontSize: number): string {
  return element(
    {
      'max-width': `${props.maxWidth * 100}%`,
      margin: units(4),
      color: props.color,
      'font-family': fontCss(props.font),
      'font-size': units(fontSize),
      'font-weight': props.bold ? 800 : 400,
      'font-style': props.italic ? 'italic' : 'normal',
      'line-height': 1.2,
      'text-align': props.align,
      ...(props.shadow ? { 'text-shadow': shadow } : {}),
      ...(props.background === undefined
        ? {}
        : { background: props.background, padding: `${units(1)} ${units(2)}` }),
    },
    props.text,
  ).html
}

const plainText = drawing({
  id: 'text',
  isRead: true,
  summary: 'Text of any length. Line breaks are kept.',
  props: z.strictObject({ ...textProps, size: size(6) }),
  example: { text: 'Day one', size: 8, bold: true },
  place: ({ place }) => place,
  html: (props) => lines(props, props.size),
})

const typedText = drawing({
  id: 'typewriter',
  isRead: true,
  summary: 'Text that appears letter by letter.',
  props: z.strictObject({
    ...textProps,
    size: size(6),
    lettersPerSecond: z.number().min(1).max(120).default(20),
  }),
  example: { text: 'Once upon a time …', font: 'mono' },
  place: ({ place }) => place,
  isMoving: () => true,
  html: (props, { seconds }) => {
    const letters = [...new Intl.Segmenter(undefined).segment(props.text)].map(
      (each) => each.segment,
    )
    const count = Math.max(1, Math.floor(seconds * props.lettersPerSecond) + 1)
    return lines({ ...props, text: letters.slice(0, count).join('') }, props.size)
  },
})

const percent = (usual: number) => z.number().min(0.001).max(1).default(usual)
const shapeProps = {
  width: percent(0.5).describe('Fraction of the region.'),
  height: percent(0.2).describe('Fraction of the region.'),
  color: colour.default('#ffffff'),
  borderColor: colour.optional(),
  borderWidth: z.number().min(0.1).max(20).default(0.5),
  place: place('center'),
  ...motionProps,
}

const shape = (props: z.output<z.ZodObject<typeof shapeProps>>, radius: string): string =>
  element({
    width: `${props.width * 100}%`,
    height: `${props.height * 100}%`,
    'box-sizing': 'border-box',
    background: props.color,
    'border-radius': radius,
    ...(props.borderColor === undefined
      ? {}
      : { border: `${units(props.borderWidth)} solid ${props.borderColor}` }),
  }).html

const rectangle = drawing({
  id: 'rectangle',
  summary: 'A rectangle, rounded if wanted.',
  props: z.strictObject({
    ...shapeProps,
    radius: z.number().min(0).max(50).default(0).describe('Of its corners.'),
  }),
  example: { width: 0.3, height: 0.1, color: '#e94f37', radius: 2 },
  place: ({ place }) => place,
  html: (props) => shape(props, units(props.radius)),
})

const ellipse = drawing({
  id: 'ellipse',
  summary: 'An ellipse, or a ring.',
  props: z.strictObject({ ...shapeProps, color: colour.default('#ffffff00') }),
  example: { width: 0.2, height: 0.2, borderColor: '#f2b134', borderWidth: 1 },
  place: ({ place }) => place,
  html: (props) => shape(props, '50%'),
})

const line = drawing({
  id: 'line',
  summary: 'A straight line. Rotate the clip to incline it.',
  props: z.strictObject({
    length: percent(0.5).describe('Fraction of the width of the region.'),
    width: z.number().min(0.1).max(20).default(0.5),
    color: colour.default('#ffffff'),
    place: place('center'),
    ...motionProps,
  }),
  example: { length: 0.4, color: '#f2b134' },
  place: ({ place }) => place,
  html: (props) =>
    element({
      width: `${props.length * 100}%`,
      height: units(props.width),
      background: props.color,
    }).html,
})

const gradient = drawing({
  id: 'gradient',
  summary: 'A gradient over the whole region, for example behind text.',
  props: z.strictObject({
    from: colour.default('#00000000'),
    to: colour.default('#000000cc'),
    angle: z.number().min(0).max(360).default(180).describe('180 runs from the top to the bottom.'),
    ...motionProps,
    entrance: motionProps.entrance.default('none'),
    exit: motionProps.exit.default('none'),
  }),
  example: { to: '#10243e' },
  place: () => 'center',
  html: (props) =>
    element({
      width: '100%',
      height: '100%',
      background: `linear-gradient(${props.angle}deg,${props.from},${props.to})`,
    }).html,
})

export const overlays = [plainText, typedText, rectangle, ellipse, line, gradient]
