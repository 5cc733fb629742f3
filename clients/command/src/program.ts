// Reads the words of a command line, runs the verb, and says what went wrong.
import type { Readable } from 'node:stream'
import { TollwayError } from '@tollway/client'
import { completionVerb } from './completion.ts'
import { openConnection } from './connection.ts'
import { exitCodeOf, exitCodes } from './exit-codes.ts'
import { explainVerb, overview, type VerbGroup } from './help.ts'
import { openInput } from './input.ts'
import { isInterruption, untilInterrupted } from './interruption.ts'
import { didYouMean, inOurWords, nearest } from './meant/suggestions.ts'
import { meantCommand } from './meant/verbs.ts'
import { type Output, openOutput, type Stream } from './output.ts'
import {
  asOptions,
  asTyped,
  inOwnWords,
  noAnswer,
  noGateway,
  pageInstead,
  startCommand,
  typedName,
  unknownKey,
  withoutKey,
} from './own-words.ts'
import { findVerb, parseWords, withVerbFirst } from './parse.ts'
import { readSelection, type Selection } from './select.ts'
import { UsageError } from './usage-error.ts'
import type { Surroundings, Verb } from './verb.ts'

export interface ProgramOptions {
  readonly groups: readonly VerbGroup[]
  readonly version: string
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly stdin: Readable & { readonly isTTY?: boolean }
  readonly stdout: Stream
  readonly stderr: Stream
  /** Of the settings and the data of a gateway. */
  readonly folder: string
  /** Files are named from it. Default: `folder`. */
  readonly typedIn?: string
  /** Aborted by Ctrl-C. */
  readonly signal: AbortSignal
}

/** Resolves to the exit code. */
export async function runProgram(
  given: readonly string[],
  options: ProgramOptions,
): Promise<number> {
  const words = withVerbFirst(given)
  const { environment, folder, typedIn = folder, signal } = options
  const groups = withCompletion(options.groups)
  const verbs = groups.flatMap((group) => group.verbs)
  const noColor = Boolean(environment.NO_COLOR)
  const name = typedName(environment)
  const outputFor = (json: boolean, selection?: Selection) =>
    openOutput(options, { json, noColor, selection, toHint: (text) => asTyped(text, name) })
  // Before the words are understood, an error must already be in the form that was asked for.
  let output = outputFor(words.includes('--json'))
  let verb: Verb | undefined
  let baseUrl = ''
  let hasKey = true
  let action: string | undefined
  try {
    if (words.length === 0 || ['help', '--help', '-h'].includes(words[0] ?? '')) {
      const found = findVerb(verbs, words.slice(1))
      const [asked] = words.slice(1).filter((word) => word !== 'help')
      if (found === undefined && asked !== undefined)
        throw new UsageError(withoutVerb(asked, verbs))
      const help = found === undefined ? overview(groups, options.version) : explainVerb(found.verb)
      output.write(asTyped(`${help}\n`, name))
      return exitCodes.done
    }
    if (['--version', '-v', '-V'].includes(words[0] ?? '')) {
      output.write(`${options.version}\n`)
      return exitCodes.done
    }
    const found = findVerb(verbs, words)
    if (found === undefined) throw new UsageError(withoutVerb(words[0] ?? '', verbs))
    verb = found.verb
    if (asksForHelp(found)) {
      output.write(asTyped(`${explainVerb(verb)}\n`, name))
      return exitCodes.done
    }
    const call = parseWords(found.verb, found.rest)
    const { operands, options: values } = call
    const { pick, jq, gateway } = values as Readonly<Record<string, string | undefined>>
    output = outputFor(values.json === true, await readSelection({ pick, jq }))
    if (values.help === true) {
      output.write(asTyped(`${explainVerb(found.verb)}\n`, name))
      return exitCodes.done
    }
    const { address, action: named } = operands as Readonly<Record<string, string | undefined>>
    action = named
    const opened = await openConnection(environment, {
      gateway: found.verb.signsIn ? (address ?? gateway) : gateway,
      folder,
      signsIn: found.verb.signsIn,
    }).catch((problem: Error) => problem)
    if (!(opened instanceof Error)) ({ baseUrl, hasKey } = opened)
    const surroundings: Surroundings = {
      environment,
      folder,
      typedIn,
      input: openInput(options.stdin, options.stderr),
      output,
      signal,
      /** Verbs that ask no gateway work without one: what is wrong with it is told when it is needed. */
      get connection() {
        if (opened instanceof Error) throw opened
        return opened
      },
    }
    const running = found.verb.run(call as never, surroundings)
    const code = await (found.verb.endsItself ? running : untilInterrupted(running, signal))
    return code ?? exitCodes.done
  } catch (error) {
    // An error is shown whole, not the part of an answer that was asked for.
    const meant = error instanceof UsageError ? meantCommand(words, verbs) : undefined
    const told =
      meant === undefined
        ? error
        : new UsageError(
            `There is no verb "${words.slice(0, 2).join(' ')}".${didYouMean(`\`tollway ${meant}\``)} \`tollway help\` lists the verbs.`,
          )
    report(told, outputFor(output.json), { verb, baseUrl, hasKey, action })
    return exitCodeOf(error)
  }
}

/** `keys help` and `keys create help`. Where words are texts or files, `help` may be one. */
function asksForHelp({ verb, rest }: { readonly verb: Verb; readonly rest: readonly string[] }) {
  const isText = Object.values(verb.operands ?? {}).some(({ kind }) => kind === 'many')
  return rest.length === 1 && rest[0] === 'help' && !isText
}

function withoutVerb(word: string, verbs: readonly Verb[]): string {
  if (/^--?(help|version|h|usage)$/i.test(word))
    return `Did you mean \`tollway ${/v/.test(word) ? '--version' : 'help'}\`?`
  if (word.startsWith('-')) return `Name a verb first: \`tollway VERB ${word}\`.`
  // The name of an action instead of a verb is meant to be run.
  if (/^[\w-]+\/[\w-]+$/.test(word))
    return `"${word}" is the name of an action. Run it: \`tollway run ${word}\`.`
  const suggestion =
    inOurWords(word) ??
    nearest(
      word,
      verbs.map(({ name }) => name),
    )
  const meant = didYouMean(suggestion && `\`tollway ${suggestion}\``)
  return `There is no verb "${word}".${meant} \`tollway help\` lists the verbs.`
}

function withCompletion(groups: readonly VerbGroup[]): readonly VerbGroup[] {
  const verb = completionVerb(() => withCompletion(groups).flatMap(({ verbs }) => verbs))
  return [...groups, { title: 'The command itself', verbs: [verb] }]
}

/** With --json the error goes to standard output, so that a program reads one place. */
function report(
  error: unknown,
  output: Output,
  {
    verb,
    baseUrl,
    hasKey,
    action,
  }: {
    readonly verb: Verb | undefined
    readonly baseUrl: string
    /** A key was sent to the gateway. */
    readonly hasKey: boolean
    /** The action that was called, where there is one. */
    readonly action: string | undefined
  },
): void {
  output.redraw('')
  if (isInterruption(error)) {
    output.note('Interrupted.')
    return
  }
  const failure = asFailure(error)
  const elsewhere = noGateway(error, baseUrl)
  const withAction = (text: string) => text.replaceAll('ACTION`', `${action ?? 'ACTION'}\``)
  const own = verb?.namesOtherApis ? failure.message : inOwnWords(failure.message, baseUrl)
  const said = verb?.takesFields && error instanceof TollwayError ? withAction(asOptions(own)) : own
  const mayHaveRun = verb?.takesFields === true
  const message =
    pageInstead(error, baseUrl) ??
    elsewhere ??
    unknownKey(error, { baseUrl, hasKey }) ??
    withoutKey(error, baseUrl) ??
    noAnswer(error, { baseUrl, mayHaveRun }) ??
    said
  if (output.json) {
    output.print({ ok: false, ...failure, message: output.toHint(message) }, () => '')
    return
  }
  output.note(message)
  if (elsewhere === undefined && error instanceof TollwayError) {
    const advice = adviceFor(error, verb)
    const isSaid = message.includes(withAction(advice ?? '')) || message.includes('`tollway login ')
    if (advice !== undefined && !isSaid) output.note(withAction(advice))
    if (error.transactionId !== undefined) output.note(`Transaction ${error.transactionId}.`)
  }
}

function asFailure(error: unknown) {
  if (error instanceof TollwayError) {
    const { code, message, status, transactionId, requestId, data } = error
    return {
      error: code,
      message,
      ...(status === undefined ? {} : { status }),
      ...(transactionId === undefined ? {} : { transaction_id: transactionId }),
      ...(requestId === undefined ? {} : { request_id: requestId }),
      ...(data === undefined ? {} : { data }),
    }
  }
  const code = error instanceof UsageError ? 'usage' : 'failed'
  return { error: code, message: error instanceof Error ? error.message : String(error) }
}

/** What to do next with this command, where the message of the gateway speaks of HTTP. */
function adviceFor({ code }: TollwayError, verb: Verb | undefined): string | undefined {
  const listedBy = Object.values(verb?.operands ?? {}).find((operand) => operand.listedBy)?.listedBy
  const advice: Readonly<Record<string, string>> = {
    connection_failed: `Start a gateway with \`${startCommand}\`, or name one by \`--gateway URL\`.`,
    forbidden: '`tollway whoami` shows the key in use and its limits.',
    invalid_token: 'Sign in with `tollway login`, or open an account with `tollway login --new`.',
    payment_required:
      'Sign in with `tollway login`, or open an account with `tollway login --new`.',
    insufficient_balance:
      '`tollway balance` shows what can be spent, and `tollway open` the page to add money.',
    spend_limit_reached: '`tollway whoami` shows the limits of the key.',
    max_cost_exceeded: '`tollway quote ACTION` tells the price without running it.',
    rate_limited: 'Wait a moment, then repeat the command.',
    provider_not_configured: '`tollway discover` finds actions that this gateway can run.',
    max_cost_required: 'Set a ceiling with `--max-cost CENTS`.',
    ...(listedBy !== undefined && { not_found: `\`tollway ${listedBy}\` lists the ids.` }),
    ...(verb?.takesFields && {
      bad_request: '`tollway show ACTION` lists the fields of an action.',
    }),
  }
  return advice[code]
}
