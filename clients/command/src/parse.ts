// Reads the words of a command line by what the verbs declare.
import { type ParseArgsConfig, parseArgs } from 'node:util'
import { asSentence } from './own-words.ts'
import { didYouMean, nearest } from './suggestions.ts'
import { UsageError } from './usage-error.ts'
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

/** Throws UsageError. With `--help` anything may be missing. */
export function parseWords(verb: Verb, words: readonly string[]): Parsed {
  const { before, command } = splitCommand(verb, words)
  const { own, fieldWords } = verb.takesFields
    ? splitFields(verb, before)
    : { own: before, fieldWords: [] }
  const { values, positionals } = readOptions(verb, own)
  checkChoices(verb, values)
  const operands = values.help === true ? {} : readOperands(verb, positionals, command)
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
  try {
    const { values, positionals } = parseArgs({ args: [...words], options, allowPositionals: true })
    return { values: values as Parsed['options'], positionals }
  } catch (error) {
    throw new UsageError(explain(error as NodeJS.ErrnoException, verb))
  }
}

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
  const [, unknown] = /^Unknown option '-*([^']+)'/.exec(message) ?? []
  if (unknown !== undefined) {
    const suggestion = nearest(unknown, Object.keys(optionsOf(verb)))
    return `\`tollway ${verb.name}\` has no option --${unknown}.${didYouMean(suggestion && `--${suggestion}`)} ${help}`
  }
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

function readOperands(verb: Verb, words: readonly string[], command: readonly string[]) {
  const left = [...words]
  const found: Record<string, string | readonly string[]> = {}
  for (const [name, { kind }] of Object.entries(verb.operands ?? {})) {
    if (kind === 'command') {
      found[name] = command
      continue
    }
    if (left.length === 0 && kind !== 'optional')
      throw new UsageError(`${placeholder(name)} is missing: ${usageLine(verb)}`)
    if (kind === 'many') found[name] = left.splice(0)
    else if (left.length > 0) found[name] = left.shift() ?? ''
  }
  if (left.length > 0)
    throw new UsageError(
      `"${left[0]}" is one word too many: ${usageLine(verb)}. Quote text that has spaces.`,
    )
  return found
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
