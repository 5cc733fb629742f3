// What a verb declares. Its help, its completion and its page of the guide are made from this.

import type { Connection } from './connection.ts'
import type { Input } from './input.ts'
import type { Output } from './output.ts'

export interface Operand {
  readonly about: string
  /**
   * `many`: all words that are left, at least one. `command`: all words after `--`, as they are. Default: exactly one
   * word.
   */
  readonly kind?: 'optional' | 'many' | 'command'
  /** What a shell completes it with. Default: nothing. */
  readonly completes?: 'action' | 'file' | 'shell'
  /** It is the id `a job` has. */
  readonly idOf?: string
  /** The verb that lists such ids. */
  readonly listedBy?: string
}

export interface Option {
  readonly about: string
  /** The placeholder of its value: `CENTS`. Without it the option is a switch. */
  readonly value?: string
  /** It may be given several times. */
  readonly many?: true
  /** The values that it takes. */
  readonly choices?: readonly string[]
}

type Operands = Readonly<Record<string, Operand>>
type Options = Readonly<Record<string, Option>>

type OperandValues<Declared extends Operands> = {
  readonly [Name in keyof Declared]: Declared[Name] extends { kind: 'many' | 'command' }
    ? readonly string[]
    : Declared[Name] extends { kind: 'optional' }
      ? string | undefined
      : string
}

type OptionValues<Declared extends Options> = {
  readonly [Name in keyof Declared]: Declared[Name] extends { many: true }
    ? readonly string[]
    : Declared[Name] extends { choices: readonly (infer Choice)[] }
      ? Choice | undefined
      : Declared[Name] extends { value: string }
        ? string | undefined
        : boolean
}

/** What a verb is run with. */
export interface Surroundings {
  readonly environment: Readonly<Record<string, string | undefined>>
  /** Of the settings and the data of a gateway. */
  readonly folder: string
  /** The working directory: files are named from it. In a clone, npm runs scripts in the `folder` of the clone. */
  readonly typedIn: string
  readonly input: Input
  readonly output: Output
  /** The gateway of `--gateway`, of the environment or of the last login. */
  readonly connection: Connection
  /** Aborted by Ctrl-C. */
  readonly signal: AbortSignal
}

/** `--urls a b`. A switch has no values. */
export interface FieldWords {
  /** As it was written. */
  readonly name: string
  readonly values: readonly string[]
}

export interface VerbCall<DeclaredOperands extends Operands, DeclaredOptions extends Options> {
  readonly operands: OperandValues<DeclaredOperands>
  readonly options: OptionValues<DeclaredOptions>
  /** Of a verb that `takesFields`. */
  readonly fieldWords: readonly FieldWords[]
  /** What is run. */
  readonly verb: Verb
}

interface Declaration<DeclaredOperands extends Operands, DeclaredOptions extends Options> {
  /** One word, or two: `keys create`. */
  readonly name: string
  /** A sentence. */
  readonly summary: string
  /** More of it for its help and its page, in Markdown. */
  readonly details?: string
  /** In the order in which they are written. */
  readonly operands?: DeclaredOperands
  readonly options?: DeclaredOptions
  /** Options that it does not declare are fields of an action: `--query text`. */
  readonly takesFields?: true
  /** Its errors name operations of an API that is sold. They are not addresses of the gateway. */
  readonly namesOtherApis?: true
  /** It stores or forgets the key of a gateway. */
  readonly signsIn?: true
  /** Ctrl-C does not leave it where it is: it puts something in order first, and ends soon by `signal`. */
  readonly endsItself?: true
  /** Without the word `tollway`. */
  readonly examples?: readonly string[]
  /** Resolves to an exit code, or to nothing for 0. Throws UsageError, TollwayError. */
  run(
    call: VerbCall<DeclaredOperands, DeclaredOptions>,
    surroundings: Surroundings,
  ): Promise<number | undefined> | Promise<void>
}

export type Verb = Declaration<Operands, Options>

/** Infers what `run` receives from what is declared. */
export function defineVerb<
  const DeclaredOperands extends Operands = Record<never, never>,
  const DeclaredOptions extends Options = Record<never, never>,
>(declaration: Declaration<DeclaredOperands, DeclaredOptions>): Verb {
  return declaration as unknown as Verb
}

/** Every verb takes these. */
export const globalOptions = {
  gateway: {
    about: 'The address of the gateway, or its name in `tollway gateways`.',
    value: 'URL',
  },
  json: { about: 'Print one JSON document, for programs.' },
  pick: {
    about: 'Print a part of that document, a value on each line: `data.rows[].title`.',
    value: 'PATH',
  },
  jq: {
    about: 'Print what a program of jq makes of that document: `.data.rows | length`.',
    value: 'PROGRAM',
  },
  help: { about: 'Explain the verb.' },
} as const satisfies Options
