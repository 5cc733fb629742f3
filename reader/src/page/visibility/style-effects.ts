// What a list of CSS declarations does to the text of an element: whether each of a few properties hides it or shows
// it.

/**
 * The ways to hide a text that are followed. `place` is everything that moves it off the page or leaves it a box that
 * no text fits in.
 */
export const aspects = ['display', 'visibility', 'opacity', 'fontSize', 'place'] as const
export type Aspect = (typeof aspects)[number]

export interface StyleEffect {
  readonly aspect: Aspect
  readonly hides: boolean
  readonly isImportant: boolean
}

/** Most declarations do nothing of the kind. */
const relevant =
  /(?:^|[;\s{])(?:display|visibility|opacity|font|font-size|text-indent|margin-left|margin-top|clip|clip-path|overflow|position|transform)\s*:/i
const opacityMin = 0.05
/** Smaller letters cannot be read. */
const fontSizePxMin = 2
const offPagePx = -500
const pxPerEm = 16
const boxPxMax = 1

/** `isStill` says that no script or animation will change the page any more. */
export function readStyleEffects(declarations: string, isStill: boolean): StyleEffect[] {
  if (!relevant.test(declarations)) return []
  const properties = readDeclarations(declarations)
  const judgements: readonly (readonly [Aspect, string, boolean | undefined])[] = [
    ['display', 'display', judge(properties, 'display', (value) => value === 'none')],
    [
      'visibility',
      'visibility',
      judge(properties, 'visibility', (value) => value === 'hidden' || value === 'collapse'),
    ],
    ['opacity', 'opacity', isStill || !isMoving(properties) ? judgeOpacity(properties) : undefined],
    ['fontSize', 'font-size', judgeFontSize(properties)],
    ['place', 'position', judgePlace(properties, isStill)],
  ]
  return judgements.flatMap(([aspect, property, hides]) =>
    hides === undefined
      ? []
      : [{ aspect, hides, isImportant: properties.get(property)?.isImportant ?? false }],
  )
}

interface Declared {
  readonly value: string
  readonly isImportant: boolean
}

type Properties = ReadonlyMap<string, Declared>

function readDeclarations(text: string): Properties {
  const properties = new Map<string, Declared>()
  for (const declaration of text.split(';')) {
    const colon = declaration.indexOf(':')
    if (colon === -1) continue
    const written = declaration
      .slice(colon + 1)
      .trim()
      .toLowerCase()
    const mark = written.lastIndexOf('!')
    const isImportant = mark !== -1 && written.slice(mark + 1).trim() === 'important'
    const property = declaration.slice(0, colon).trim().toLowerCase()
    properties.set(property, {
      value: isImportant ? written.slice(0, mark).trim() : written,
      isImportant,
    })
  }
  return properties
}

function judge(properties: Properties, name: string, hides: (value: string) => boolean) {
  const declared = properties.get(name)
  return declared === undefined ? undefined : hides(declared.value)
}

/** A text that is about to appear: its style says how it will move or fade in. */
function isMoving(properties: Properties): boolean {
  return [...properties.keys()].some((name) =>
    /^(?:-webkit-)?(?:transition|animation|transform|translate|will-change)/.test(name),
  )
}

function judgeOpacity(properties: Properties): boolean | undefined {
  return judge(properties, 'opacity', (value) => Number.parseFloat(value) < opacityMin)
}

function judgeFontSize(properties: Properties): boolean | undefined {
  return (
    judge(properties, 'font-size', (value) => (pixels(value) ?? fontSizePxMin) < fontSizePxMin) ??
    judge(properties, 'font', (value) => /(?:^|\s)0(?:px|r?em|%)?(?:\/|\s)/.test(value))
  )
}

function judgePlace(properties: Properties, isStill: boolean): boolean | undefined {
  const value = (name: string) => properties.get(name)?.value ?? ''
  const length = (name: string) => pixels(value(name)) ?? 0
  const position = value('position')
  const isFree = position === 'absolute' || position === 'fixed'
  const offsets = ['text-indent', 'margin-left', 'margin-top']
  if (isFree) offsets.push('left', 'top', 'right', 'bottom')
  if (offsets.some((name) => length(name) <= offPagePx)) return true
  if (/translate(?:3d|[xy])?\(\s*-\d{4,}px/.test(value('transform'))) return true
  if (isFree && /^rect\(\s*[01](?:px)?[\s,]+[01](?:px)?[\s,]/.test(value('clip'))) return true
  if (/^(?:inset\(\s*(?:50|100)%|circle\(\s*0)/.test(value('clip-path'))) return true
  if (isClosedBox(properties) && (isStill || !isMoving(properties))) return true
  return position === 'static' || position === 'relative' ? false : undefined
}

/** Boxes that keep the ratio of a picture have no height and a padding instead. */
function isClosedBox(properties: Properties): boolean {
  if (!/^(?:hidden|clip)/.test(properties.get('overflow')?.value ?? '')) return false
  if ([...properties.keys()].some((name) => name.startsWith('padding'))) return false
  return ['width', 'height', 'max-width', 'max-height'].some((name) => {
    const length = pixels(properties.get(name)?.value ?? '')
    return length !== undefined && length >= 0 && length <= boxPxMax
  })
}

/** Undefined for lengths that depend on what is around, other than 0. */
function pixels(value: string): number | undefined {
  const [, number, unit = ''] = /^(-?(?:\d+(?:\.\d*)?|\.\d+))([a-z%]*)$/.exec(value) ?? []
  if (number === undefined) return undefined
  const length = Number(number)
  if (length === 0 || unit === 'px' || unit === 'pt' || unit === '') return length
  if (unit === 'em' || unit === 'rem') return length * pxPerEm
  // A hundred per cent to the left of a page is off the page.
  return length < 0 ? length * pxPerEm : undefined
}
