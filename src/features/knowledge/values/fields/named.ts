// Values that are said by the name of their field or by their own: `full page`, `status recruiting`.
import {
  type FieldSchema,
  type Filled,
  type FillFields,
  type InputField,
  isNumeric,
  schemaOfOne,
  takesSeveral,
  wordsOfName,
} from '../field.ts'
import { placeOf, type Said } from '../said-value.ts'
import { isBound } from './bounds.ts'
import { isCount } from './counts.ts'

const escaped = (text: string) => text.replaceAll(/[^\w\s]/g, String.raw`\$&`)
/** Most texts do not have a word at all, and a search for it costs less than making its expression. */
const hasAnyCase = (text: string, word: string) => text.toLowerCase().includes(word.toLowerCase())
const loose = (words: readonly string[]) => words.map(escaped).join(String.raw`[\s_-]?`)
/** Words of a request, or of any sentence, that also are values of some field. */
const everyday =
  /^(?:read|write|all|auto|general|standard|single|text|html|links?|images?|date|name|none|default|web|person|final|low|medium|high|replies|search|value|right|left|action|public|private|action|price|amount)$/

/** A value of a list, in the caller's words. */
export const fillChoices: FillFields = (fields, { plain }) =>
  fields.flatMap((field): readonly Filled[] => {
    const { name, schema } = field
    const values = choicesOf(schema)
    if (values.length === 0 && Object.keys(field.saidAs).length === 0) return []
    const found = [...new Set([...values, ...Object.keys(field.saidAs)])]
      .flatMap((value) => {
        const match = findSynonym(field, value, plain) ?? findChoice(field, value, plain)
        return match === undefined ? [] : [{ value, place: match }]
      })
      .toSorted((one, other) => lengthOf(other.place) - lengthOf(one.place))
      // `deep` inside of `deep reasoning` is not said.
      .filter(({ place }, at, all) =>
        all
          .slice(0, at)
          .every((longer) => place.end <= longer.place.start || longer.place.end <= place.start),
      )
      .toSorted((one, other) => one.place.start - other.place.start)
    if (found.length === 0) return []
    const isJoined = !takesSeveral(schema) && /commas?/i.test(schema.description ?? '')
    if (isJoined && found.length > 1) {
      const value = found.map((one) => one.value).join(',')
      return [{ name, value, from: found.map(({ place }) => place) }]
    }
    if (takesSeveral(schema) && found.length > 1)
      return [
        { name, value: found.map(({ value }) => value), from: found.map(({ place }) => place) },
      ]
    const [first] = found
    if (first === undefined || found.length > 1) return []
    const value = schema.type === 'array' ? [first.value] : first.value
    return [{ name, value, from: [first.place] }]
  })

const lengthOf = ({ start, end }: Said) => end - start

/** Values in capitals that a description names, as in `Form: TABLET, INJECTION`, are values too. */
function choicesOf(schema: FieldSchema): readonly string[] {
  const { enum: values, type, pattern } = schemaOfOne(schema)
  if (values !== undefined) return values.filter((value) => typeof value === 'string')
  if (type !== 'string' || /\\d/.test(pattern ?? '')) return []
  return schema.description?.match(/\b[A-Z][A-Z_]{3,}\d?\b(?=,|\.|$|\s*\.\.\.)/g) ?? []
}

function findSynonym({ saidAs }: InputField, value: string, text: string): Said | undefined {
  for (const said of saidAs[value] ?? []) {
    const match = new RegExp(String.raw`(?<![\p{L}\d])(?:${said})(?![\p{L}\d])`, 'iu').exec(text)
    if (match !== null) return placeOf(match)
  }
  return undefined
}

const stemFrom = 7

function findChoice(field: InputField, value: string, text: string): Said | undefined {
  const words = wordsOfName(value)
  // Other languages share the beginning of many words: `finanzas`, `Marketingabteilung`.
  const [first = ''] = words
  const stem = words.length === 1 && first.length >= stemFrom ? first.slice(0, -2) : undefined
  const said = loose(words)
  if (said === '' || !hasAnyCase(text, stem ?? first)) return undefined
  const isShort =
    words.length === 1 && (everyday.test(value.toLowerCase()) || /^[a-z]{1,2}$/i.test(value))
  const nameWord = field.words.findLast((word) => word.length > 2)
  if (isShort) {
    if (nameWord === undefined) return undefined
    const beside = new RegExp(
      String.raw`\b${escaped(nameWord)}\s*[:=]?\s*(?:is\s+)?${said}\b|\b${said}[\s-]+${escaped(nameWord)}s?\b`,
      'i',
    ).exec(text)
    return beside === null ? undefined : placeOf(beside)
  }
  const form = stem === undefined ? `${said}(?:s|en?)?` : String.raw`${escaped(stem)}\p{L}{0,5}`
  const match = new RegExp(String.raw`(?<![\p{L}\d])${form}(?![\p{L}\d])`, 'iu').exec(text)
  return match === null ? undefined : placeOf(match)
}

const fillers = new Set(['include', 'is', 'with', 'only', 'return', 'required', 'add', 'no'])
/** What people say for a flag instead of its name. */
const otherWords: Readonly<Record<string, readonly string[]>> = {
  mobile: ['as a phone', 'on a phone', 'phone view', 'as mobile', 'smartphone'],
  color: ['colour', 'in color', 'in colour'],
  recording: ['record'],
  keepAlive: ['keep alive', 'stay open', 'keep open'],
  include_phone: ['phone numbers?', 'phones?', 'mobile numbers?'],
  include_raw_content: ['raw content'],
  renderJs: ['run scripts', 'javascript', 'with js'],
  render_js: ['run scripts', 'javascript', 'with js'],
  certified: ['proof of delivery'],
  includeInlineCitations: ['inline cit\\w*', 'inline cites?'],
  include_evidence: ['as proof', 'evidence', 'attach the ad'],
  store: ['keep (?:it|them) in my files', 'in my files'],
  reply_all: ['reply to all', 'answer all'],
  fidelityRequired: ['full text', 'in full'],
  main_content: ['navigation'],
  onlyMainContent: ['navigation'],
  lite_enrich: ['lite', 'only the essentials'],
}
/** Flags that people switch by naming the opposite. */
const opposite = /^(?:main_content|onlyMainContent|only_main_content)$/
const negation = String.raw`(?:\b(?:no|without|not|don[’']?t|skip|disable|ohne|sans|sin|non|senza|zonder)\s+(?:the\s+|any\s+)?)`

/** What is switched on or off. */
export const fillFlags: FillFields = (fields, { plain }) =>
  fields.flatMap((field): readonly Filled[] => {
    const { name, schema, words } = field
    if (schema.type !== 'boolean' || name === 'consent') return []
    const own = words.filter((word) => !fillers.has(word))
    if (own.length === 0) return []
    const isCommon = own.length === 1 && (own[0]?.length ?? 0) < 4
    const alternatives = isCommon && own[0] !== 'ocr' ? [] : [loose(own)]
    const off = new RegExp(
      String.raw`${negation}(?:${alternatives.join('|') || '(?!)'})s?\b|\b(?:${alternatives.join('|') || '(?!)'})\s*[:=]?\s*(?:off|false|disabled|aus)\b`,
      'i',
    ).exec(plain)
    if (off !== null) return [{ name, value: false, from: [placeOf(off)] }]
    const others = (otherWords[name] ?? []).join('|')
    const isOpposite = opposite.test(name)
    const other =
      others === ''
        ? null
        : new RegExp(String.raw`(${negation})?\b(?:${others})\b`, 'i').exec(plain)
    if (other !== null)
      return [{ name, value: isOpposite === (other[1] !== undefined), from: [placeOf(other)] }]
    if (alternatives.length === 0 || isOpposite || schema.default === true) return []
    const on = new RegExp(
      String.raw`(?<![\p{L}\d])${alternatives[0]}(?:ed|s)?(?![\p{L}\d])`,
      'iu',
    ).exec(plain)
    return on === null ? [] : [{ name, value: true, from: [placeOf(on)] }]
  })

/** Names that say nothing of what they hold, or that other rules fill. */
const unnamed = new Set(
  'q query search term text name type id url urls title prompt input objective model body html message messages subject note ref task key filter fields select cursor page_token token country state from to date system command roast function mode kind format agent'.split(
    ' ',
  ),
)
const notValue =
  /^(?:a|an|and|are|at|by|for|from|in|is|it|its|of|on|or|the|their|this|that|these|those|to|was|were|who|which|with|what|as|but|not|be|my|your|our|all|any|only|first|last|new|und|oder|der|die|das|et|ou|le|la|les|y|o|el|los|please|me|us|i|we|you|also|than|then|about)$/i

/** Words of names that label nothing. */
const noLabel = /^(?:or|and|not|gte|lte|id|name|code|slug|iata|usd|min|max|in|seconds|minutes|ms)$/
const labelsOf = ({ words, name }: InputField): readonly string[] => {
  if (unnamed.has(name) || /budget|cost|cents/i.test(name)) return []
  return words
    .filter((word) => word.length > 2 && !noLabel.test(word) && !unnamed.has(word))
    .toReversed()
}

/** A number behind the name of its field or before it: `temperature 0.2`, `256 dimensions`, `second page`. */
export const fillNumbers: FillFields = (fields, { plain }) =>
  fields.flatMap((field): readonly Filled[] => {
    const { name, schema } = field
    const isNumber =
      isNumeric(schemaOfOne(schema)) || schema.enum?.every((each) => typeof each === 'number')
    if (!isNumber || isCount(field) || isBound(field)) return []
    if (name === 'offset') return fillOffset(field, plain)
    if (name === 'page') return fillPage(field, plain)
    if (name === 'first_page') return []
    return (
      labelsOf(field)
        .map((word) => fillNumber(field, word, plain))
        .find((filled) => filled.length > 0) ?? []
    )
  })

const skipped =
  /\bskip(?:ping)?\s+(?:the\s+)?(?:first\s+)?(\d{1,6})\b|\boffset\s*[:=]?\s*(\d{1,6})\b/i

function fillOffset({ name, schema }: InputField, text: string): readonly Filled[] {
  const match = skipped.exec(text)
  const value = Number(match?.[1] ?? match?.[2])
  if (match === null || value > (schema.maximum ?? value)) return []
  return [{ name, value, from: [placeOf(match)] }]
}

const ordinals = ['first', 'second', 'third', 'fourth', 'fifth']
const pagePattern = new RegExp(
  String.raw`\bpage\s+(\d{1,4})\b(?!\s*(?:-|to|until))|\b(${ordinals.slice(1).join('|')})\s+page\b`,
  'i',
)

function fillPage({ name, schema }: InputField, text: string): readonly Filled[] {
  const match = pagePattern.exec(text)
  if (match === null) return []
  const place =
    match[1] === undefined ? ordinals.indexOf(match[2]?.toLowerCase() ?? '') + 1 : Number(match[1])
  const isFromZero = schema.minimum === 0
  return [{ name, value: isFromZero ? place - 1 : place, from: [placeOf(match)] }]
}

const modelPattern =
  /(?<![\w/.-])((?:[\w.-]+\/)?(?:claude|gpt|o[1345]|gemini|llama|mistral|mixtral|deepseek|qwen|grok|command-r|text-embedding|flux|veo|kling|sora|pixverse|elevenlabs|ace-step|recraft|ideogram)[\w.:/-]*[\w])(?![\w/])/i

/** A model that is written out. Where names have a vendor, one without it is left out. */
export const fillModels: FillFields = (fields, { plain }) => {
  const field = fields.find(({ name, schema }) => name === 'model' && schema.enum === undefined)
  const match = modelPattern.exec(plain)
  const said = match?.[1]
  if (field === undefined || match === null || said === undefined || !/[-\d/]/.test(said)) return []
  return isAccepted(field.schema, said)
    ? [{ name: field.name, value: said, from: [placeOf(match)] }]
    : []
}

/** A word, a name in capitals, or a quotation behind the name of its field or before it. */
export const fillNamed: FillFields = (fields, { text }) =>
  fields.flatMap((field): readonly Filled[] => {
    const { schema, name } = field
    const one = schemaOfOne(schema)
    if (one.type !== 'string' || one.enum !== undefined) return []
    if (/_id$|Id$|url|domain|email|date|countr|^lang|not$/i.test(name)) return []
    return (
      labelsOf(field)
        .map((word) => fillWord(field, word, text))
        .find((filled) => filled.length > 0) ?? []
    )
  })

/** Other words for a number of this name. */
const numberLabels: Readonly<Record<string, readonly string[]>> = {
  temperature: ['temp'],
  depth: ['deep', 'level'],
}

function fillNumber({ name, schema }: InputField, word: string, text: string): readonly Filled[] {
  const labels = [word.replace(/s$/, ''), ...(numberLabels[word] ?? [])]
  if (!labels.some((one) => hasAnyCase(text, one))) return []
  const label = labels.map(escaped).join('|')
  const match = new RegExp(
    String.raw`(?<![\p{L}\d])(?:${label})s?(?!\p{L})\s*(?:=|:|of|is|to|at|#)?\s*(-?\d+(?:\.\d+)?)(?![\d.]*[\p{L}\d])|(?<![\p{L}\d.-])(\d+(?:\.\d+)?)[\s-]+(?:links?\s+)?(?:${label})s?(?!\p{L})`,
    'iu',
  ).exec(text)
  const value = Number(match?.[1] ?? match?.[2])
  const { minimum = value, maximum = value } = schema
  if (match === null || !(value >= minimum && value <= maximum)) return []
  if (schema.type === 'integer' && !Number.isInteger(value)) return []
  return [{ name, value, from: [placeOf(match)] }]
}

const oneValue = String.raw`(?:["“«'‘]([^"”»'’]{1,200})["”»'’]|((?:\p{Lu}[\p{L}\d&.’'-]*)(?:\s\p{Lu}[\p{L}\d&.’'-]*){0,3})|([\p{L}\d][\p{L}\d._/:-]*[\p{L}\d]|\d+))`
const furtherValue = new RegExp(
  String.raw`^\s*(?:,\s*(?:and\s+)?|\s(?:and|und|et|y|or)\s+)${oneValue}`,
  'u',
)
const valuesMax = 10

function fillWord({ name, schema }: InputField, word: string, text: string): readonly Filled[] {
  const stem = word.replace(/(?<=\p{L}{3})s$/u, '')
  if (!text.includes(stem)) return []
  const label = String.raw`(?<![\p{L}\d])${escaped(stem)}s?(?!\p{L})`
  const behind = new RegExp(
    String.raw`${label}\s*(?:[=:]|\bis\b|\bof\b|\bnamed\b|\bcalled\b)?\s*${oneValue}`,
    'u',
  )
  const before = new RegExp(
    String.raw`(?<![\p{L}\d])(?:the|a|an)\s+(\p{Lu}[\p{L}\d.+#-]*|[\p{L}\d.-]*\d[\p{L}\d.-]*)\s+${word}(?!\p{L})`,
    'u',
  )
  const match = behind.exec(text)
  const found = match?.slice(1).find((group) => group !== undefined)
  if (match !== null && found !== undefined && !notValue.test(found) && isAccepted(schema, found)) {
    const [values, end] = withFurther(schema, found, text, match.index + match[0].length)
    return [{ name, value: listOf(schema, values), from: [{ start: match.index, end }] }]
  }
  const other = before.exec(text)
  if (other?.[1] !== undefined && isAccepted(schema, other[1]))
    return [{ name, value: listOf(schema, [other[1]]), from: [placeOf(other)] }]
  return []
}

/** The other values of a list, where a field takes several: `tags census and draft`. */
function withFurther(
  schema: FieldSchema,
  first: string,
  text: string,
  from: number,
): readonly [values: readonly string[], end: number] {
  const values = [first]
  let end = from
  if (!takesSeveral(schema) && separatorOf(schema) === undefined) return [values, end]
  while (values.length < valuesMax) {
    const match = furtherValue.exec(text.slice(end))
    const value = match?.slice(1).find((group) => group !== undefined)
    if (match === null || value === undefined || notValue.test(value)) break
    if (!isAccepted(schema, value)) break
    values.push(value)
    end += match[0].length
  }
  return [values, end]
}

const separatorOf = ({ description = '' }: FieldSchema): string | undefined => {
  if (/separated by spaces/i.test(description)) return ' '
  return /with commas|comma-separated/i.test(description) ? ',' : undefined
}

function listOf(schema: FieldSchema, values: readonly string[]): unknown {
  if (takesSeveral(schema)) return values
  const separator = separatorOf(schema)
  return separator === undefined ? values[0] : values.join(separator)
}

function isAccepted(schema: FieldSchema, value: string): boolean {
  const { pattern, maxLength = value.length } = schemaOfOne(schema)
  return (
    value.length <= maxLength && (pattern === undefined || new RegExp(pattern, 'u').test(value))
  )
}

/** Who does what the field names: `acquisitions by Salesforce`. */
export const fillAgents: FillFields = (fields, { text }) => {
  const field = fields.find(({ name }) => name === 'acquiring_company' || name === 'investor_name')
  const match =
    /(?<!\p{L})(?:by|backed by|von|par|por)\s+((?:\p{Lu}[\p{L}\d&.’'-]*)(?:\s\p{Lu}[\p{L}\d&.’'-]*){0,3}|\p{Ll}[\p{L}\d]{2,})/u.exec(
      text,
    )
  const who = match?.[1]
  if (field === undefined || match === null || who === undefined || notValue.test(who)) return []
  return [{ name: field.name, value: who, from: [placeOf(match)] }]
}

const rounds = /(?<![\p{L}\d])(pre-?seed|seed|series[\s-][a-h])(?![\p{L}\d])/giu

/** Rounds of funding, which a field takes with commas. */
export const fillRounds: FillFields = (fields, { plain }) => {
  const field = fields.find(({ name, schema }) => name === 'round' && schema.enum === undefined)
  const found = [...plain.matchAll(rounds)]
  if (field === undefined || found.length === 0) return []
  const written = found.map(([said]) =>
    /^pre/i.test(said)
      ? 'Pre-Seed'
      : /^seed/i.test(said)
        ? 'Seed'
        : `Series ${said.slice(-1).toUpperCase()}`,
  )
  const from = found.map(placeOf)
  return [{ name: field.name, value: [...new Set(written)].join(','), from }]
}

const formTypes =
  /(?<![\p{L}\d-])(10-[KQ]|8-K|6-K|20-F|40-F|11-K|S-[1348]|F-[134]|13F-HR|13F|SC 13[DG]|DEF 14A|Form [345D])(\/A)?(?![\p{L}\d])/giu
const formWords: readonly (readonly [RegExp, string])[] = [
  [/\bannual reports?\b|\bjahresbericht\p{L}*/giu, '10-K'],
  [/\bquarterly reports?\b|\bquartalsbericht\p{L}*/giu, '10-Q'],
  [/\bcurrent reports?\b/giu, '8-K'],
  [/\bproxy statements?\b/giu, 'DEF 14A'],
]

/** Types of SEC filings, which a field takes with commas. */
export const fillForms: FillFields = (fields, { plain }) => {
  const field = fields.find(({ name }) => name === 'forms')
  if (field === undefined) return []
  const written = [...plain.matchAll(formTypes)].map((match) => ({
    form: match[0].replace(/^form /i, '').toUpperCase(),
    place: placeOf(match),
  }))
  const worded = formWords.flatMap(([pattern, form]) =>
    [...plain.matchAll(pattern)].map((match) => ({
      form,
      place: placeOf(match),
    })),
  )
  const found = written.length > 0 ? written : worded
  if (found.length === 0) return []
  const value = [...new Set(found.map(({ form }) => form))].join(',')
  return [{ name: field.name, value, from: found.map(({ place }) => place) }]
}
