// Reads the words of a command line by what the verbs declare.
import { type ParseArgsConfig, parseArgs } from 'node:util'
import { inOurOptions } from './meant/options.ts'
import { didYouMean, nearest } from './meant/suggestions.ts'
import { asSentence } from './own-words.ts'
import { errorOf, UsageError } from './usage-error.ts'
import { type FieldWords, globalOptions, type Option, type Verb } from './verb.ts'

export interface Parsed {
  readonly verb: Verb
  readonly operands: Readonly<Record<string, string | readonly string[] | undefined>>
  readonly options: Readonly<Record<string, string | boolean | readonly string[] | undefined>>
  readonly fieldWords: readonly FieldWords[]
}

/** The verb that the first words name, and the words after it. Undefined where no verb has this name. */
export function findVerb(verbs: readonly Verb[], words: readonly string[]) {
  const [first = '', second = ''] = words
  const long = verbs.find(({ name }) => name === `${first} ${second}`)
  if (long !== undefined) return { verb: long, rest: words.slice(2) }
  const short = verbs.find(({ name }) => name === first)
  return short && { verb: short, rest: words.slice(1) }
}

export const optionsOf = (verb: Verb): Readonly<Record<string, Option>> => ({
  ...verb.options,
  ...globalOptions,
})

/** What the options of other programs are looked up in. */
export function ownOptions(verb: Verb) {
  const options = optionsOf(verb)
  return { has: (option: string) => Object.hasOwn(options, option), verb: verb.name }
}

/** Throws UsageError. With `--help` anything may be missing. */
export function parseWords(verb: Verb, words: readonly string[]): Parsed {
  const { before, command } = splitCommand(verb, words)
  const { own, fieldWords } = verb.takesFields
    ? splitFields(verb, before)
    : { own: before, fieldWords: [] }
  const { values, positionals } = readOptions(verb, own)
  checkChoices(verb, values)
  const operands = values.help === true ? {} : readOperands(verb, positionals, { command, values })
  return { verb, operands, options: values, fieldWords }
}

/** Another program's command line is not read as options of the verb. */
function splitCommand({ operands = {} }: Verb, words: readonly string[]) {
  const takesCommand = Object.values(operands).some(({ kind }) => kind === 'command')
  const at = takesCommand ? words.indexOf('--') : -1
  return at === -1
    ? { before: words, command: [] }
    : { before: words.slice(0, at), command: words.slice(at + 1) }
}

/**
 * An option that the verb does not declare is a field of the action. Its values are the words up to the next option.
 */
function splitFields(verb: Verb, words: readonly string[]) {
  const declared = optionsOf(verb)
  const own: string[] = []
  const fieldWords: FieldWords[] = []
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? ''
    const [, name, , value] = /^--([^=]+)(=(.*))?$/s.exec(word) ?? []
    // A field may be called as what each object inherits: constructor.
    const option = name !== undefined && Object.hasOwn(declared, name) ? declared[name] : undefined
    if (name === undefined || option !== undefined) {
      own.push(word)
      const next = words[at + 1]
      if (option?.value === undefined || value !== undefined || next === undefined) continue
      own.push(next)
      at++
    } else {
      const values = value === undefined ? [] : [value]
      while (value === undefined && words[at + 1]?.startsWith('--') === false)
        values.push(words[++at] ?? '')
      fieldWords.push({ name, values })
    }
  }
  return { own, fieldWords }
}

function readOptions(verb: Verb, words: readonly string[]) {
  const declared = optionsOf(verb)
  const options: NonNullable<ParseArgsConfig['options']> = {}
  for (const [name, { value, many }] of Object.entries(declared)) {
    const type = value === undefined ? ('boolean' as const) : ('string' as const)
    options[name] = { type, ...(many && { multiple: true, default: [] }) }
  }
  options.help = { type: 'boolean', short: 'h' }
  const { values, positionals, tokens } = separate(words, options, verb)
  if (values.help !== true) refuseRepeated(tokens, declared)
  return { values: values as Parsed['options'], positionals }
}

function separate(
  words: readonly string[],
  options: NonNullable<ParseArgsConfig['options']>,
  verb: Verb,
) {
  try {
    return parseArgs({ args: [...words], options, allowPositionals: true, tokens: true })
  } catch (error) {
    throw new UsageError(explain(errorOf(error), verb))
  }
}

/** The last value would be taken silently. A switch says the same however often it is given. */
function refuseRepeated(
  tokens: readonly { readonly kind: string; readonly name?: string }[],
  declared: Readonly<Record<string, Option>>,
) {
  const given = Map.groupBy(tokens, ({ kind, name }) => (kind === 'option' ? name : undefined))
  for (const [name, { value, many }] of Object.entries(declared)) {
    const { length: times = 0 } = given.get(name) ?? []
    if (value !== undefined && !many && times > 1) throw new UsageError(givenAgain(name, times))
  }
}

export const givenAgain = (name: string, times: number) =>
  `--${name} may be given once, and was given ${times === 2 ? 'twice' : `${times} times`}.`

function checkChoices(verb: Verb, values: Parsed['options']): void {
  for (const [name, { choices }] of Object.entries(optionsOf(verb))) {
    const given = values[name]
    if (choices === undefined || given === undefined || choices.includes(String(given))) continue
    throw new UsageError(`--${name} takes ${choices.join(', ')}, and not "${given}".`)
  }
}

function explain({ code, message }: NodeJS.ErrnoException, verb: Verb): string {
  if (!code?.startsWith('ERR_PARSE_ARGS')) return message
  const help = `\`tollway ${verb.name} --help\` lists its options.`
  const [, dashes, unknown] = /^Unknown option '(-*)([^']+)'/.exec(message) ?? []
  if (unknown !== undefined) {
    const names = Object.keys(optionsOf(verb))
    const suggestion = unknown.length > 1 ? nearest(unknown, names) : undefined
    const meant =
      inOurOptions(unknown, ownOptions(verb)) ?? didYouMean(suggestion && `--${suggestion}`).trim()
    return `\`tollway ${verb.name}\` has no option ${dashes}${unknown}. ${meant === '' ? '' : `${meant} `}${help}`
  }
  const [, valued] = /^Option '(--[\w-]+).*' argument is ambiguous/.exec(message) ?? []
  if (valued !== undefined)
    return `Option '${valued}' argument is ambiguous. ${help} A value that begins with a dash is written ${valued}=-1.`
  const [, lacking = ''] =
    /^Option '(?:-\w, )?--([\w-]+) <value>' argument missing/.exec(message) ?? []
  if (lacking !== '')
    return `--${lacking} needs a value: --${lacking} ${optionsOf(verb)[lacking]?.value ?? 'VALUE'}. ${help}`
  return `${asSentence(message.split(/\. |\n/)[0] ?? message)} ${help}`
}

/** Global options before the verb are moved behind it: `tollway --json balance`. */
export function withVerbFirst(words: readonly string[]): readonly string[] {
  const moved: string[] = []
  let at = 0
  while (at < words.length) {
    const word = words[at] ?? ''
    const [, name = '', assigned] = /^--([a-z]+)(=.*)?$/s.exec(word) ?? []
    const option: Option | undefined = Object.hasOwn(globalOptions, name)
      ? globalOptions[name as keyof typeof globalOptions]
      : undefined
    if (option === undefined || name === 'help') break
    moved.push(word)
    at++
    if (option.value === undefined || assigned !== undefined || at === words.length) continue
    moved.push(words[at] ?? '')
    at++
  }
  return at === words.length ? words : [...words.slice(at), ...moved]
}

function readOperands(
  verb: Verb,
  words: readonly string[],
  { command, values }: { command: readonly string[]; values: Parsed['options'] },
) {
  const left = [...words]
  const found: Record<string, string | readonly string[]> = {}
  for (const [name, { kind, idOf, listedBy }] of Object.entries(verb.operands ?? {})) {
    if (kind === 'command') {
      found[name] = command
      continue
    }
    if (left.length === 0 && kind !== 'optional')
      throw new UsageError(
        `${placeholder(name)} is missing: ${usageLine(verb)}${toFind(verb, name)}`,
      )
    const taken = left.splice(0, kind === 'many' ? left.length : 1)
    for (const word of taken) if (idOf !== undefined) requireId(word, idOf, listedBy)
    if (kind === 'many') found[name] = taken
    else if (taken[0] !== undefined) found[name] = taken[0]
  }
  if (left.length > 0) throw new UsageError(tooMany(verb, { words, left, values }))
  return found
}

/** How the missing operand is found. */
function toFind({ operands = {}, examples = [] }: Verb, name: string): string {
  const { listedBy, completes } = operands[name] ?? {}
  if (completes === 'action') return '. `tollway discover QUESTION` finds an action.'
  if (listedBy !== undefined) return `. \`tollway ${listedBy}\` lists the ids.`
  const [example] = examples
  return example === undefined ? '' : `. For example: \`tollway ${example}\`.`
}

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

function requireId(word: string, idOf: string, listedBy: string | undefined): void {
  if (uuid.test(word)) return
  throw new UsageError(
    `"${word}" is not the id of ${idOf}. A whole id is such as 0198e6a4-7d1c-7cc3-9f0e-1c0b3f1f2a11, and \`tollway ${listedBy}\` lists them.`,
  )
}

/** What the first word that is left was meant for. */
function tooMany(
  verb: Verb,
  { words, left, values }: { words: readonly string[]; left: string[]; values: Parsed['options'] },
): string {
  const [word = '', ...others] = left
  const problem = `"${word}" is one word too many: ${usageLine(verb)}.`
  const options = Object.entries(optionsOf(verb))
  const ofChoice = options.find(([, { choices }]) => choices?.includes(word))
  if (ofChoice !== undefined) return `${problem} Did you mean --${ofChoice[0]} ${word}?`
  if (options.some(([name]) => name === word)) return `${problem} Did you mean --${word}?`
  if (!verb.takesFields) {
    if (/^https?:/.test(word)) return `${problem} Did you mean --gateway ${word}?`
    const texts = options.filter(([, { value }]) => value === 'TEXT')
    const [text] = texts.length === 1 ? texts : []
    const whole = [values[text?.[0] ?? ''] ?? [], left].flat().join(' ')
    const named = text === undefined ? '' : ` Did you mean --${text[0]} "${whole}"?`
    return `${problem}${named} Quote text that has spaces.`
  }
  const [action = 'ACTION'] = words
  const [, field, value] = /^([\w-]+)=(.*)$/s.exec(word) ?? []
  if (/^\s*[{[]/.test(word))
    return `${problem} Fields as JSON are given by --body: --body '${word}'.`
  if (field !== undefined) return `${problem} Did you mean --${field} ${value}?`
  if (!action.includes('/') && others.length === 0 && /^[\w-]+$/.test(word))
    return `${problem} Did you mean \`tollway ${verb.name} ${action}/${word}\`?`
  return `${problem} Each value follows the name of its field: --FIELD "${left.join(' ')}". \`tollway show ${action}\` lists the fields.`
}

/** `file` is written FILE, `transactionId` TRANSACTION_ID. */
export const placeholder = (name: string) =>
  name.replaceAll(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()

/** `tollway run [options] ACTION [--field value …]` */
export function usageLine({ name, operands = {}, takesFields }: Verb): string {
  const words = Object.entries(operands).map(([operand, { kind }]) => {
    const shown = placeholder(operand)
    if (kind === 'optional') return `[${shown}]`
    if (kind === 'command') return `[-- ${shown}…]`
    return kind === 'many' ? `${shown}…` : shown
  })
  const fields = takesFields ? ['[--field value …]'] : []
  return ['tollway', name, '[options]', ...words, ...fields].join(' ')
}
