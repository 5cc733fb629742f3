// What something looks like, and in which order it comes: sizes, ratios, resolutions, sorting, and pages of a document.
import type { FieldSchema, Filled, FillFields, InputField } from '../field.ts'
import { isOf, placeOf, type SaidOf } from '../said-value.ts'

export const fillSizes: FillFields = (fields, { values }) =>
  values.filter(isOf('size')).flatMap((said): readonly Filled[] => {
    const { width, height } = said
    const place = (name: string, value: number | undefined): readonly Filled[] =>
      value !== undefined && fields.some((field) => field.name === name)
        ? [{ name, value, from: [said] }]
        : []
    const both = [...place('width', width), ...place('height', height)]
    if (both.length > 0) return both
    const listed = fields.find(({ schema }) => schema.enum?.includes(`${width}x${height}`))
    return listed ? [{ name: listed.name, value: `${width}x${height}`, from: [said] }] : []
  })

const sizePattern = /^(\d+)x(\d+)$/

export const fillRatios: FillFields = (fields, { values }) => {
  const [said] = values.filter(isOf('ratio'))
  if (said === undefined) return []
  for (const { name, schema } of fields) {
    if (/^aspect_?ratio$/i.test(name)) return [{ name, value: said.ratio, from: [said] }]
    const size = (schema.enum ?? []).find((each) => isShaped(String(each), said.ratio))
    if (size !== undefined) return [{ name, value: size, from: [said] }]
  }
  return []
}

/** Whether a size such as `1024x1536` lies the same way as the ratio. */
function isShaped(size: string, ratio: string): boolean {
  const [, across, down] = sizePattern.exec(size) ?? []
  const [wide = 1, high = 1] = ratio.split(':').map(Number)
  if (across === undefined || down === undefined) return false
  return Math.sign(Number(across) - Number(down)) === Math.sign(wide - high)
}

const resolutions = /\b(4k|2k|1k|2160p|1440p|1080p|720p|540p|480p|360p)\b/i

export const fillResolution: FillFields = (fields, { plain }) => {
  const field = fields.find(
    ({ name, schema }) => name === 'resolution' && schema.enum === undefined,
  )
  const match = resolutions.exec(plain)
  if (field === undefined || match?.[1] === undefined) return []
  const value = /k$/i.test(match[1]) ? match[1].toUpperCase() : match[1].toLowerCase()
  return [{ name: field.name, value, from: [placeOf(match)] }]
}

const orderWords: Readonly<Record<SaidOf<'order'>['by'], RegExp>> = {
  date: /date|occurred|recent|create|publish|filed|edit|oldest|newest/i,
  citations: /cite|citation/i,
  amount: /amount|raise|price|size/i,
}
const isDown = /desc|most_recent|newest|largest/i
const isUp = /asc|oldest|smallest/i

export const fillOrders: FillFields = (fields, { values }) => {
  const [said] = values.filter(isOf('order'))
  if (said === undefined) return []
  const by = fields.find(({ name }) => /^(?:sort|sort_by|order_by|order)$/i.test(name))
  const way = fields.find(({ name }) => /^(?:sort_order|order_direction|direction)$/i.test(name))
  if (by === undefined) return []
  const value = writeOrder(by.schema, said, way !== undefined)
  if (value === undefined) return []
  const filled = [{ name: by.name, value, from: [said] }]
  return way === undefined
    ? filled
    : [...filled, { name: way.name, value: said.direction, from: [said] }]
}

function writeOrder(
  { enum: values, description = '' }: FieldSchema,
  { by, direction }: SaidOf<'order'>,
  isSplit: boolean,
): unknown {
  const offered = values ?? description.match(/[a-z_]+(?::(?:asc|desc))/g) ?? []
  const fitting = offered.map(String).filter((each) => orderWords[by].test(each))
  if (isSplit) return fitting[0]
  const way = direction === 'desc' ? isDown : isUp
  const exact = fitting.find((each) => way.test(each))
  if (exact !== undefined) return exact
  // An order that is written out may be turned round.
  const [other] = values === undefined ? fitting : []
  return other?.replace(/:(?:asc|desc)$/, `:${direction}`)
}

export const fillPages: FillFields = (fields, { values }) => {
  const [said] = values.filter(isOf('pages'))
  const has = (name: string) => fields.some((field) => field.name === name)
  if (said === undefined || !has('first_page') || !has('max_pages')) return []
  return [
    { name: 'first_page', value: said.first, from: [said] },
    { name: 'max_pages', value: said.last - said.first + 1, from: [said] },
  ]
}

/** `MODE=test` for an object of names, and `limit=5` for a field of that name. */
export const fillAssignments: FillFields = (fields, { values }) => {
  const assigned = values.filter(isOf('assignment'))
  const named = assigned.flatMap((said): readonly Filled[] => {
    const field = fields.find(({ name }) => name === said.name)
    const value = field && assignedValue(field, said.value)
    return field && value !== undefined ? [{ name: field.name, value, from: [said] }] : []
  })
  const others = assigned.filter((said) => named.every(({ from }) => from[0] !== said))
  const map = fields.find(({ name }) => name === 'envs')
  if (map === undefined || others.length === 0) return named
  const value = Object.fromEntries(others.map((one) => [one.name, one.value]))
  return [...named, { name: map.name, value, from: others }]
}

function assignedValue({ schema: { type, enum: values } }: InputField, text: string): unknown {
  if (values !== undefined) return values.find((value) => String(value) === text)
  if (type === 'string') return text
  if (type === 'boolean') return text === 'true' ? true : text === 'false' ? false : undefined
  if (type !== 'integer' && type !== 'number') return undefined
  return /^-?\d+(?:\.\d+)?$/.test(text) ? Number(text) : undefined
}
